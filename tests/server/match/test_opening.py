"""Opening an invitation, in the test's own process: commands that wait in the queue meanwhile, and a store that fails
in between.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import gonfalon
from engine.trio import Trio
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.state import MatchState
from gonfalon.server.net.web_sockets import REFUSED
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret, new_secret
from gonfalon.server.storage.entries import AnyEntry, Claimed, Header, Invited, Opened, SeatHeader
from gonfalon.server.storage.writer import StoreError
from server.socketless import Host, Outlet, Table, run, until

INVITATION, OWN = new_secret(), new_secret()
GUEST = SeatHeader(invitation=hash_secret(INVITATION))
HEADER = Header("open", "barrage", {}, (SeatHeader(secret=hash_secret("red"), maker=True), GUEST), 1, 120)


class OpenTable(Table):
    """A match with Red, who has made it, and a guest with the invitation to blue."""

    def __init__(self, host: Host, entries: Sequence[AnyEntry] = ()) -> None:
        super().__init__(host, HEADER, gonfalon.make("barrage"), entries)

    def come(self, secret: str, window: str = "") -> Outlet:
        """Ask for blue's seat; return the outlet that receives the answers."""
        outlet = Outlet()
        self.match.join(Client(outlet, 1, secret, INVITATION, window), -1)
        return outlet


def told(outlet: Outlet) -> list[str]:
    """Return the kinds of the messages sent, but for a refusal its code."""
    messages = outlet.messages()
    return [message["line"]["code"] if message["type"] == "refused" else message["type"] for message in messages]


def test_of_two_in_the_queue_the_first_opens_it(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = OpenTable(host)
        first, second = table.come(OWN), table.come(new_secret())
        await table.settle()
        assert told(first)[0] == "welcome"
        assert told(second) == ["invitation-used", "close"]
        assert second.messages()[-1]["code"] == REFUSED
        assert host.appended == [[Opened(1, hash_secret(OWN))]]
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_who_waits_in_the_queue_while_it_ends_is_turned_away(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = OpenTable(host)
        await table.sit(0)
        table.match.submit(table.seats[0], m.Invite("blue"))
        late = table.come(OWN)
        await table.settle()
        assert told(late) == ["invitation-ended", "close"]
        ((entry,),) = host.appended
        assert isinstance(entry, Invited)
        assert entry.invitation == hash_secret(table.last(0, "invitation")["secret"])
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_who_is_turned_away_does_not_end_the_guests_absence(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = OpenTable(host)
        presence, now = table.match.match.presence, time.monotonic()
        for secret, passed in ((OWN, 1.0), (new_secret(), 200.0)):
            presence._clock = lambda passed=passed: now + passed
            connection = Client(Outlet(), 1, secret, INVITATION)
            table.match.join(connection, -1)
            await table.settle()
            table.match.leave(connection)
            await table.settle()
        assert presence.claim_in(1) == 0, "blue has been away for longer than the opponent must wait"
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_stop_between_storing_and_answering(tmp_path: Path) -> None:
    """The guest got no answer, yet has the seat: the guest's page stored the invitation and its secret, and gets in
    with both after the match is loaded again.
    """

    async def script(host: Host) -> None:
        store, table = host.store.append, OpenTable(host)

        async def fail_afterwards(match: str, place: int, entries: Sequence[AnyEntry]) -> None:
            await store(match, place, entries)
            raise StoreError("the server stops")

        host.store.append = fail_afterwards  # type: ignore[method-assign, assignment]
        unheard = table.come(OWN)
        await until(lambda: table.match.closed)
        assert "welcome" not in told(unheard)
        host.store.append = store  # type: ignore[method-assign]
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        again = OpenTable(host, loaded[1])
        own, other = again.come(OWN), again.come(new_secret())
        await again.settle()
        assert told(own)[0] == "welcome"
        assert told(other)[0] == "invitation-used"
        await again.match.stop()

    run(script, tmp_path, HEADER)


def test_if_it_cannot_be_stored_it_has_not_been_opened(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        store, table = host.store.append, OpenTable(host)

        async def fail(_match: str, _place: int, _entries: Sequence[AnyEntry]) -> None:
            raise StoreError("the disk is full")

        host.store.append = fail  # type: ignore[method-assign, assignment]
        unheard = table.come(OWN)
        await until(lambda: table.match.closed)
        assert "welcome" not in told(unheard)
        host.store.append = store  # type: ignore[method-assign]
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        again = OpenTable(host, loaded[1])
        other = again.come(new_secret())
        await again.settle()
        assert told(other)[0] == "welcome"
        await again.match.stop()

    run(script, tmp_path, HEADER)


def test_a_window_that_comes_again_is_no_second_one(tmp_path: Path) -> None:
    """The window's first connection broke silently, and the server has not noticed yet."""

    async def script(host: Host) -> None:
        table = OpenTable(host)
        dead, other = table.come(OWN, "this"), table.come(OWN, "that")
        await table.settle()
        again = table.come(OWN, "this")
        await table.settle()
        assert [message["count"] for message in other.messages() if message["type"] == "windows"] == [2, 2]
        assert [message["count"] for message in again.messages() if message["type"] == "windows"] == [2]
        assert told(dead)[-1] == "close"
        assert "close" not in told(other)
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_seat_that_was_claimed_against_is_not_given_away() -> None:
    header = Header("trio", "trio", {}, (*HEADER.seats, GUEST), 1, 120)
    match_state = MatchState(header, Trio(), [Opened(1, hash_secret(OWN))])
    assert [match_state.may_invite(player) for player in range(3)] == [False, True, True]
    match_state.apply(Claimed(0, (1,)))
    assert match_state.outcome is None, "the others play on"
    assert [match_state.may_invite(player) for player in range(3)] == [False, False, True]
