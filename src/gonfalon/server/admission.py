"""Coming to a seat: an invitation is opened once, and until its guest has acted, who made the match may invite anew."""

from __future__ import annotations

from gonfalon.ai import agents
from gonfalon.server import messages as m
from gonfalon.server.authority import Authority, Handler
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined
from gonfalon.server.entries import Invited, Named, Opened, Taken
from gonfalon.server.frames import encode
from gonfalon.server.names import MOST_CHANGES, read_name
from gonfalon.server.secret import hash_secret, new_secret
from gonfalon.server.watch import Watch
from gonfalon.server.wire import LOST, REFUSED


async def take_seat(match: Authority, connection: Connection) -> None:
    """Stores that somebody has come to his seat for the first time. Raises `Declined` if it is not his any more: while
    he waited, another may have opened the invitation or a new one may have ended it.
    """
    player = connection.observer
    place = match.sitting.keys.find_place(connection.secret, connection.invitation)
    if place.opens:
        await match.note(Opened(player, hash_secret(connection.secret)))
    elif player >= 0 and player not in match.sitting.taken:
        await match.note(Taken(player))


async def invite(match: Authority, connection: Connection, message: m.Invite) -> None:
    """A new invitation for a seat, told to the windows of who asked for it. The earlier one ends, and with it whatever
    was opened by it.
    """
    seat, sitting = match.require_seat(connection), match.sitting
    match.require_running()
    sides = sitting.game.info.sides
    if not sitting.header.seats[seat].maker or message.side not in sides:
        raise Declined("not-inviting")
    guest = sides.index(message.side)
    if not sitting.keys.invitations[guest]:
        raise Declined("not-inviting")
    if guest in sitting.acted:
        raise Declined("guest-acted", side=message.side)
    secret = new_secret()
    await match.note(Invited(seat, guest, hash_secret(secret)))
    _send_away(match, guest)
    match.tell_presence()
    for window in match.watch.find_connections(seat):
        window.push(encode(m.Invitation(message.side, secret)))


async def give_name(match: Authority, connection: Connection, message: m.GiveName) -> None:
    """What the others are to call the one who sits there, told to all."""
    seat, sitting = match.require_seat(connection), match.sitting
    match.require_running()
    name = read_name(message.name, agents())
    if name == sitting.names[seat]:
        return
    if sitting.renamed[seat] >= MOST_CHANGES:
        raise Declined("renamed-often", most=MOST_CHANGES)
    await match.note(Named(seat, name))
    match.tell_presence()


def _send_away(match: Authority, player: int) -> None:
    match.drafts.forget(player)
    match.presence.depart(player)
    for connection in match.watch.find_connections(player):
        match.watch.remove(connection)
        connection.push(encode(m.Refused(Declined("invitation-ended").line)))
        connection.close(REFUSED)


def drop_dead(watch: Watch, connection: Connection) -> None:
    """Takes away an earlier socket of the same window: its line has died, though the server may notice much later. Else
    whoever changes networks would be told of a second window of his seat.
    """
    for other in watch.find_connections(connection.observer):
        if connection.window and other.window == connection.window:
            watch.remove(other)
            other.close(LOST)


def tell_windows(watch: Watch, player: int) -> None:
    """Tells the windows of a seat how many they are, so that nobody looks through it unnoticed."""
    windows = watch.find_connections(player) if player >= 0 else ()
    for connection in windows:
        connection.push(encode(m.Windows(len(windows))))


HANDLERS: dict[type[m.Message], Handler] = {m.Invite: invite, m.GiveName: give_name}
