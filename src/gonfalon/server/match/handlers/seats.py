"""Seats: an invitation can be opened once. Until its guest has acted, the match's maker may replace it by a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gonfalon.server.match.clients.broadcast import Broadcast
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.net.web_sockets import LOST, REFUSED
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.names import MOST_CHANGES
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import hash_secret, new_secret
from gonfalon.server.storage.entries import Invited, Named, Opened, Taken


async def take_seat(match: Match, client: Client) -> None:
    """Store that a player has come to a seat for the first time.

    Raises `Declined` if the seat is no longer this player's: someone else may have opened the invitation meanwhile, or
    a new invitation may have ended it.
    """
    player, match_state = client.observer, match.state
    if client.owns:
        if match_state.persons[player] != client.person:
            raise Declined("no-seat")
        if player not in match_state.taken:
            await match.note(Taken(player))
        return
    place = match_state.keys.find_place(client.secret, client.invitation)
    if place.opens:
        await _note_owner(match, Opened(player, hash_secret(client.secret), client.person))
    elif player >= 0 and player not in match_state.taken:
        owned = match_state.persons[player]
        await _note_owner(match, Taken(player, "" if owned else client.person))


async def _note_owner(match: Match, entry: Opened | Taken) -> None:
    """Store who has come to a seat. The name of the owner is loaded first, so that everybody can be told it."""
    if entry.person:
        await match.persons.find((entry.person,))
    await match.note(entry)


async def invite(match: Match, client: Client, message: m.Invite) -> None:
    """Make a new invitation for a seat and send it to all windows of the player who asked. The earlier invitation ends,
    and so does the access of a guest who opened it.
    """
    seat, match_state = match.require_seat(client), match.state
    match.require_running()
    sides = match_state.game.info.sides
    if not match_state.header.seats[seat].maker or message.side not in sides:
        raise Declined("not-inviting")
    guest = sides.index(message.side)
    if not match_state.keys.invitations[guest]:
        raise Declined("not-inviting")
    if guest in match_state.acted:
        raise Declined("guest-acted", side=message.side)
    secret = new_secret()
    await match.note(Invited(seat, guest, hash_secret(secret)))
    _send_away(match, guest)
    match.tell_presence()
    for window in match.broadcast.find_clients(seat):
        window.push(encode(m.Invitation(message.side, secret)))


async def give_name(match: Match, client: Client, message: m.GiveName) -> None:
    """Give a player another name and tell everyone."""
    seat, match_state = match.require_seat(client), match.state
    match.require_running()
    name = match.name_rules.read(message.name)
    if name == match_state.names[seat]:
        return
    if match_state.renamed[seat] >= MOST_CHANGES:
        raise Declined("renamed-often", most=MOST_CHANGES)
    await match.note(Named(seat, name))
    match.tell_presence()


def _send_away(match: Match, player: int) -> None:
    match.drafts.forget(player)
    match.presence.depart(player)
    for client in match.broadcast.find_clients(player):
        match.broadcast.remove(client)
        client.push(encode(m.Refused(Declined("invitation-ended").line)))
        client.close(REFUSED)


def drop_dead(broadcast: Broadcast, client: Client) -> None:
    """Remove an earlier socket of the same window. Its connection is dead, but the server may notice this much later;
    until then a player who changes networks would see a warning about a second window.
    """
    for other in broadcast.find_clients(client.observer):
        if client.window and other.window == client.window:
            broadcast.remove(other)
            other.close(LOST)


def choose_leaving(spectators: Sequence[Client], newcomer: Client) -> Client:
    """Return the client that must leave a match that is full of spectators: the newest one of the address with most of
    them, or the newcomer if that address would have no more than the newcomer's.
    """
    counts = Counter(each.address for each in spectators)
    counts[newcomer.address] += 1
    largest = max(counts.values())
    if counts[newcomer.address] >= largest:
        return newcomer
    return next(each for each in reversed(spectators) if counts[each.address] == largest)


def tell_windows(broadcast: Broadcast, player: int) -> None:
    """Tell all windows of a seat how many they are, so that nobody can use the seat unnoticed."""
    windows = broadcast.find_clients(player) if player >= 0 else ()
    for client in windows:
        client.push(encode(m.Windows(len(windows))))


HANDLERS: dict[type[m.Message], Handler] = {m.Invite: invite, m.GiveName: give_name}
