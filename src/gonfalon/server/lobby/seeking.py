"""Quick games: people wait in the queue of a game, and are paired."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

from gonfalon.server.lobby.early_leaving import EarlyLeaving
from gonfalon.server.lobby.outside import Matches, Ratings, Visitor, Visitors
from gonfalon.server.lobby.pairing import UNRATED, Queue, Seeker, Streaks
from gonfalon.server.lobby.quick_games import QUICK_GAMES
from gonfalon.server.lobby.tables import Person, Tables, Wish
from gonfalon.server.lobby.watching import Spawn
from gonfalon.server.lobby.windows import Window
from gonfalon.server.protocol.lobby_messages import FillTable, QuickGame, Seek, StopSeeking, WaitingCount, Waits
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.lobby")


def require_visitor(window: Window) -> Visitor:
    """Return the person of a page. Raises `Declined`: `no-person`."""
    if window.visitor is None:
        raise Declined("no-person")
    return window.visitor


class Seeking:
    """The queues of all quick games."""

    def __init__(
        self,
        matches: Matches,
        visitors: Visitors,
        ratings: Ratings,
        tables: Tables,
        early: EarlyLeaving,
        spawn: Spawn,
        changed: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`changed`: called when the number of people who wait has changed."""
        self._matches = matches
        self._ratings = ratings
        self._tables = tables
        self._early = early
        self._spawn = spawn
        self._changed = changed
        self._clock = clock
        streaks = Streaks()
        self._games = {game.name: game for game in QUICK_GAMES}
        self._queues = {game.name: Queue(game.players, streaks, visitors.is_blocked) for game in QUICK_GAMES}
        self._of: dict[str, tuple[QuickGame, Window]] = {}
        """The game that each person waits for, and the page that waits."""
        self._hosts: dict[str, frozenset[str]] = {}
        """Persons who know that they are hosts, by game."""

    # ---- messages ---------------------------------------------------------------------------------------------

    async def seek(self, window: Window, message: Seek) -> None:
        """Let a person wait. It counts as a new match of the page's address."""
        visitor = require_visitor(window)
        game = self._games.get(message.game)
        if game is None:
            raise Declined("no-quick-game")
        self._early.require_patience(visitor.person)
        self._matches.count_match(window.address)
        found = await self._ratings.find(visitor.person, game.variant, game.clock) if visitor.account else None
        if window.closed:
            return
        self.drop(visitor.person)
        seeker = Seeker(
            visitor.person,
            visitor.name,
            visitor.account,
            UNRATED if found is None else found.rating,
            self._clock(),
        )
        self._queues[game.name].add(seeker)
        self._of[visitor.person] = (game, window)
        window.tell(Waits(game.name))
        self._pair(game)
        self._changed()

    async def stop(self, window: Window, _message: StopSeeking) -> None:
        """Let a person wait no longer."""
        self.drop(require_visitor(window).person)

    async def fill(self, window: Window, message: FillTable) -> None:
        """Begin a game for more than two at once, with computer players on the free seats."""
        person = require_visitor(window).person
        game, _ = self._of.get(person, (None, None))
        if game is None or game.players == 2:
            raise Declined("no-table")
        now, queue = self._clock(), self._queues[game.name]
        table = next((each for each in queue.list_tables(now) if each[0].person == person), None)
        if table is None:
            raise Declined("no-table")
        self._matches.computers.require(message.agent, game.variant)
        queue.take(table, now)
        self._begin(game, table, [message.agent] * (game.players - len(table)))
        self._tell_hosts(game)
        self._changed()

    # ---- coming and going -------------------------------------------------------------------------------------

    def leave(self, window: Window) -> None:
        """Remove the person whose page has closed, if that page waited."""
        if self._of.get(window.person, (None, None))[1] is window:
            self.drop(window.person)

    def drop(self, person: str) -> None:
        """Remove a person from the queue; nothing happens if the person does not wait."""
        game, window = self._of.pop(person, (None, None))
        if game is not None and window is not None:
            self._queues[game.name].remove(person)
            window.tell(Waits())
            self._tell_hosts(game)
            self._changed()

    def pair_all(self) -> None:
        """Pair people whose windows of ratings have widened enough."""
        for game in QUICK_GAMES:
            if len(self._queues[game.name]) > 1:
                self._pair(game)
                if game.players > 2:
                    self._changed()  # somebody may have come to another table

    @property
    def waiting(self) -> int:
        """Number of people who wait."""
        return len(self._of)

    def count(self) -> dict[str, WaitingCount]:
        """Return how many wait for each quick game."""
        return {game.name: self._count(game) for game in QUICK_GAMES}

    # ---- within -----------------------------------------------------------------------------------------------

    def _count(self, game: QuickGame) -> WaitingCount:
        queue = self._queues[game.name]
        tables = queue.list_tables(self._clock()) if game.players > 2 else []
        names = tuple(tuple(seeker.name for seeker in table) for table in tables)
        return WaitingCount(len(queue), queue.usual_wait, names)

    def _pair(self, game: QuickGame) -> None:
        groups = self._queues[game.name].take_groups(self._clock())
        for group in groups:
            self._begin(game, group, [])
        self._tell_hosts(game)
        if groups:
            self._changed()

    def _tell_hosts(self, game: QuickGame) -> None:
        """Tell people who have become hosts of a table, or are hosts no longer."""
        if game.players == 2:
            return
        queue = self._queues[game.name]
        hosts = frozenset(table[0].person for table in queue.list_tables(self._clock()))
        for person in hosts ^ self._hosts.get(game.name, frozenset()):
            if queue.find(person) is not None:
                self._of[person][1].tell(Waits(game.name, person in hosts))
        self._hosts[game.name] = hosts

    def _begin(self, game: QuickGame, group: list[Seeker], levels: list[str]) -> None:
        """Make the match of people who have left the queue."""
        pages = {seeker.person: self._of.pop(seeker.person)[1] for seeker in group}
        rated = not levels and all(seeker.account for seeker in group)
        self._spawn(self._make(Wish(game.variant, {}, game.clock, rated), pages, levels))

    async def _make(self, wish: Wish, pages: Mapping[str, Window], levels: list[str]) -> None:
        refusal = None
        try:
            await self._tables.make(wish, [Person(person, window.name) for person, window in pages.items()], levels)
        except (Declined, StoreError) as problem:
            log.warning("a match of %s is not made: %s", wish.variant, problem)
            refusal = problem if isinstance(problem, Declined) else Declined("broken", 500)
        # Only now, because a page that expects nobody closes its connection.
        for person, window in pages.items():
            if person not in self._of:
                window.tell(Waits())
            if refusal is not None:
                window.refuse(refusal)
