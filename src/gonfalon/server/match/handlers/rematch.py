"""Rematches: made once all persons of a finished match agree. Every player gets the next side."""

from __future__ import annotations

import time

import msgspec

from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.making.maker import allow_match, make_match
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import derive, hash_secret, new_id
from gonfalon.server.storage.entries import Header, RematchAsked, RematchMade, SeatHeader


async def offer_rematch(match: Match, client: Client, _message: m.OfferRematch) -> None:
    """Note that a player wants a rematch; make it when all persons want it. It counts as a new match of the address of
    the last one.
    """
    seat, match_state = match.require_seat(client), match.state
    if match_state.outcome is None:
        raise Declined("not-over")
    for agent in filter(None, (header.agent for header in match_state.header.seats)):
        match.computers.require(agent, match_state.header.variant)
    persons = {player for player, header in enumerate(match_state.header.seats) if not header.agent}
    waits = bool(persons - {seat, *match_state.asked})
    if match_state.next or (waits and seat in match_state.asked):
        return
    if waits:
        match.store.require_room()
    else:
        allow_match(match, client.address)
    name = next((asked.match for asked in match_state.asked.values()), "") or new_id()
    if seat not in match_state.asked:
        # A client that a session let in has no secret, and neither has its seat in the rematch: the session opens it.
        secret = hash_secret(derive(client.secret, name)) if client.secret else ""
        await match.note(RematchAsked(seat, name, secret))
    if waits:
        match.broadcast.tell_all(_offers(match_state))
        return
    place, made = match_state.size, RematchMade(name)
    match_state.apply(made)
    header = next_header(match_state, match.config.claim_after)
    await make_match(match, header, (match_state.header.id, place, [made]))
    match.tell_presence()
    for other in match.broadcast.everyone():
        _invite(match_state, other)


def greet(match_state: MatchState, client: Client) -> None:
    """Tell a new client which players want a rematch."""
    if match_state.asked and not match_state.next:
        client.push(encode(_offers(match_state)))
    _invite(match_state, client)


def next_header(match_state: MatchState, claim_after: int) -> Header:
    """Return the header of the match that follows a finished one: the same terms, for the same persons."""
    old = match_state.header
    seats = [SeatHeader()] * len(old.seats)
    for player, seat in enumerate(old.seats):
        asked = match_state.asked.get(player)
        secret = asked.secret if asked else ""
        seats[(player + 1) % len(seats)] = msgspec.structs.replace(
            seat,
            name=match_state.names[player],
            secret=secret,
            maker=not seat.agent,
            invitation="",
            person=match_state.persons[player],
        )
    return msgspec.structs.replace(
        old, id=match_state.next, seats=tuple(seats), created=int(time.time()), claim_after=claim_after
    )


def _offers(match_state: MatchState) -> m.RematchOffered:
    return m.RematchOffered(tuple(match_state.game.info.sides[player] for player in sorted(match_state.asked)))


def _invite(match_state: MatchState, client: Client) -> None:
    """Send a player the secret of their own seat in the rematch, once the rematch is made. It is empty if the session
    opens the seat.
    """
    if match_state.next and client.observer >= 0:
        asked = match_state.asked.get(client.observer)
        secret = derive(client.secret, match_state.next) if client.secret else ""
        if secret and asked and asked.secret != hash_secret(secret):
            secret = ""  # another window of this player asked, which the session had let in
        client.push(encode(m.RematchReady(match_state.next, secret)))


HANDLERS: dict[type[m.Message], Handler] = {m.OfferRematch: offer_rematch}
