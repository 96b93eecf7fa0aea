"""The match that follows: agreed by all persons of one that is over, each of whom moves on to the next side."""

from __future__ import annotations

import time

import msgspec

from gonfalon.server import messages as m
from gonfalon.server.authority import Authority, Handler
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined
from gonfalon.server.entries import Header, RematchAsked, RematchMade, SeatHeader
from gonfalon.server.frames import encode
from gonfalon.server.secret import derive, hash_secret, new_id
from gonfalon.server.sitting import Sitting


async def offer_rematch(match: Authority, connection: Connection, _message: m.OfferRematch) -> None:
    """Asks for a rematch; once all persons have, it is made."""
    seat, sitting = match.require_seat(connection), match.sitting
    if sitting.outcome is None:
        raise Declined("not-over")
    if seat in sitting.asked:
        return
    match.store.require_room()
    name = next((asked.match for asked in sitting.asked.values()), "") or new_id()
    await match.note(RematchAsked(seat, name, hash_secret(derive(connection.secret, name))))
    persons = {player for player, header in enumerate(sitting.header.seats) if not header.agent}
    if persons - set(sitting.asked):
        match.watch.tell_all(_offers(sitting))
        return
    place, made = sitting.size, RematchMade(name)
    sitting.apply(made)
    await match.store.create(next_header(sitting, match.config.claim_after), (sitting.header.id, place, [made]))
    match.tell_presence()
    for other in match.watch.everyone():
        _invite(sitting, other)


def greet(sitting: Sitting, connection: Connection) -> None:
    """Tells who has just come how far a rematch is agreed."""
    if sitting.asked and not sitting.next:
        connection.push(encode(_offers(sitting)))
    _invite(sitting, connection)


def next_header(sitting: Sitting, claim_after: int) -> Header:
    """The header of the match that follows a finished one."""
    old = sitting.header
    seats = [SeatHeader()] * len(old.seats)
    for player, seat in enumerate(old.seats):
        asked = sitting.asked.get(player)
        secret = asked.secret if asked else ""
        moved = msgspec.structs.replace(
            seat, name=sitting.names[player], secret=secret, maker=not seat.agent, invitation=""
        )
        seats[(player + 1) % len(seats)] = moved
    return Header(sitting.next, old.variant, old.changed, tuple(seats), int(time.time()), claim_after)


def _offers(sitting: Sitting) -> m.RematchOffered:
    return m.RematchOffered(tuple(sitting.game.info.sides[player] for player in sorted(sitting.asked)))


def _invite(sitting: Sitting, connection: Connection) -> None:
    """Gives a seat's holder the secret of his seat in the rematch, once it is made."""
    if sitting.next and connection.observer >= 0:
        secret = derive(connection.secret, sitting.next)
        connection.push(encode(m.RematchReady(sitting.next, secret)))


HANDLERS: dict[type[m.Message], Handler] = {m.OfferRematch: offer_rematch}
