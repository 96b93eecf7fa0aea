"""Coming to a seat: an invitation is opened once, and until its guest has acted, who made the match may invite anew."""

from __future__ import annotations

from gonfalon.ai import agents
from gonfalon.server.match.broadcast import Broadcast
from gonfalon.server.match.client import Client
from gonfalon.server.match.frames import encode
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.net.web_sockets import LOST, REFUSED
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.names import MOST_CHANGES, read_name
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import hash_secret, new_secret
from gonfalon.server.storage.entries import Invited, Named, Opened, Taken


async def take_seat(match: Match, client: Client) -> None:
    """Stores that somebody has come to his seat for the first time. Raises `Declined` if it is not his any more: while
    he waited, another may have opened the invitation or a new one may have ended it.
    """
    player = client.observer
    place = match.state.keys.find_place(client.secret, client.invitation)
    if place.opens:
        await match.note(Opened(player, hash_secret(client.secret)))
    elif player >= 0 and player not in match.state.taken:
        await match.note(Taken(player))


async def invite(match: Match, client: Client, message: m.Invite) -> None:
    """A new invitation for a seat, told to the windows of who asked for it. The earlier one ends, and with it whatever
    was opened by it.
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
    """What the others are to call the one who sits there, told to all."""
    seat, match_state = match.require_seat(client), match.state
    match.require_running()
    name = read_name(message.name, agents())
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
    """Takes away an earlier socket of the same window: its line has died, though the server may notice much later. Else
    whoever changes networks would be told of a second window of his seat.
    """
    for other in broadcast.find_clients(client.observer):
        if client.window and other.window == client.window:
            broadcast.remove(other)
            other.close(LOST)


def tell_windows(broadcast: Broadcast, player: int) -> None:
    """Tells the windows of a seat how many they are, so that nobody looks through it unnoticed."""
    windows = broadcast.find_clients(player) if player >= 0 else ()
    for client in windows:
        client.push(encode(m.Windows(len(windows))))


HANDLERS: dict[type[m.Message], Handler] = {m.Invite: invite, m.GiveName: give_name}
