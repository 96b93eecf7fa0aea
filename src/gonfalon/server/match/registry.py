"""The matches of this process: made, found, and loaded from their logs when a client comes."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from gonfalon.server.clock.control import Control, Correspondence
from gonfalon.server.clock.times import Times
from gonfalon.server.computers import Computers
from gonfalon.server.config import Config
from gonfalon.server.journal import note
from gonfalon.server.library import Library
from gonfalon.server.match.clocks.deadlines import Deadlines, RunningMatches
from gonfalon.server.match.making.maker import allow_match, make_match, require_rateable
from gonfalon.server.match.making.wishes import Wishes
from gonfalon.server.match.match import Match
from gonfalon.server.match.owning import ElsewhereError, OneOwner, Owners
from gonfalon.server.match.persons import NoPersons, Persons
from gonfalon.server.match.public import Listeners, PublicSeat
from gonfalon.server.match.state import MatchState
from gonfalon.server.match.task import MatchTask
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.net.web_sockets import TRY_AGAIN
from gonfalon.server.page_facts import read_page_facts
from gonfalon.server.protocol.bodies import MatchMade, NewMatch
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import hash_secret, new_secret
from gonfalon.server.storage.deadlines import find_due
from gonfalon.server.storage.entries import SeatHeader
from gonfalon.server.storage.holding import Holding
from gonfalon.server.storage.kept import Kept
from gonfalon.server.storage.packing import keep_packing
from gonfalon.server.storage.retention import keep_sweeping
from gonfalon.server.storage.store import Statements, Store
from gonfalon.server.storage.subjects import Subject
from gonfalon.server.workers.elsewhere import find_elsewhere
from gonfalon.server.workers.pool import AgentPool

APART, ALL_WITHIN = 0.03, 8.0
"""Seconds between two matches that are handed over, and maximum number of seconds between the first and the last."""
MOST_SUBJECTS = 10_000
"""Maximum number of subjects of matches kept for previews, each some hundred bytes."""
MOST_RECORDS, RECORD_BYTES = 500, 8_000_000
"""Maximum number, and bytes together, of the records kept."""


class Registry:
    """Use: first `await start()`, at the end `await close()`. `listeners`: packages beside the match (`public.py`)."""

    def __init__(
        self,
        config: Config,
        connection_counts: ConnectionCounts,
        listeners: Listeners = (),
        times: Times | None = None,
        owners: Owners | None = None,
        holding: Holding | None = None,
    ) -> None:
        """`owners`, `holding`: of a node, which shares the matches and the database with others."""
        self.config = config
        self.listeners = listeners
        self.persons: Persons = NoPersons()
        self.connection_counts = connection_counts
        self.store = Store(config.url, config.free_disk, holding)
        self.owners = owners or OneOwner()
        self.library = Library(config.own_variants)
        self.computers = Computers(config.own_agents)
        self.name_rules = NameRules((*self.computers.names, *read_page_facts(config.static).agents))
        self.pool = AgentPool(
            config.agent_processes,
            config.agent_seconds,
            config.agent_budget,
            config.agent_start,
            config.agent_command,
            config.own_commands,
            find_elsewhere(config.url, config.agent_budget, config.agent_start, alone=config.agent_processes == 0),
        )
        self._wishes = Wishes(self.library, self.computers, self.pool, self.name_rules, config.claim_after)
        self.work = RateLimiter(config.work_rate, config.work_burst)
        self.costly = RateLimiter(config.create_rate, config.create_burst)
        self.made = Counter[str]()
        self.deadlines = Deadlines(self.store, times or Times())
        self.running = RunningMatches(config.most_running, config.most_running_of_address)
        self._live: dict[str, MatchTask] = {}
        self._loading: dict[str, asyncio.Task[MatchTask | None]] = {}
        self._resting: OrderedDict[str, MatchTask] = OrderedDict()
        """Matches without clients, the one unused for longest first. Some may have got a client since."""
        self._leaving: set[str] = set()
        """Ids of matches that are being deleted."""
        most_subjects = 0 if self.owners.shared else MOST_SUBJECTS
        self.subjects = Kept[Subject](most_subjects, most_subjects)
        """Subjects of matches that are not in memory. Only a match in memory can change; so a node keeps none, because
        a match may be in the memory of another one.
        """
        self.records = Kept[str](MOST_RECORDS, RECORD_BYTES)
        """Records of finished matches."""
        self._clocks: asyncio.Task[None] | None = None
        self._sweeping: list[asyncio.Task[None]] = []

    async def start(self, upkeep: bool = True) -> None:
        """Start the store, and write to it once. `upkeep`: whether this process looks after matches that sleep; of
        nodes only one does, see `begin_upkeep`. Raises `StoreError` if that fails, and what `Store.start` raises.
        """
        await self.store.start()
        await self.pool.start()
        if upkeep:
            await self.begin_upkeep()
        else:
            await self.deadlines.load_running()
        self._clocks = asyncio.create_task(self.deadlines.keep(self.find, lambda: tuple(self._live.values())))

    async def begin_upkeep(self, others_run: bool = False) -> None:
        """Look after the deadlines of matches that sleep, pack logs, and delete old matches. `others_run`: whether
        another node was up until now. Raises `StoreError`.
        """
        await self.deadlines.start(others_run)
        self._sweeping.append(asyncio.create_task(keep_packing(self.store)))
        if self.config.keep_days > 0:
            deleting = keep_sweeping(self.store, self.config.keep_days, self.leaving, self.owners.take_free)
            self._sweeping.append(asyncio.create_task(deleting))

    async def end_upkeep(self) -> None:
        """Leave that to another node."""
        self.deadlines.looks = False
        for task in self._sweeping:
            task.cancel()
        await asyncio.gather(*self._sweeping, return_exceptions=True)
        self._sweeping.clear()

    async def close(self) -> None:
        """Close all sockets, finish the writes in progress, then stop the agents and the store."""
        await self.end_upkeep()
        if self._clocks is not None:
            self._clocks.cancel()
        await asyncio.gather(*(match.stop() for match in tuple(self._live.values())))
        await self.pool.close()
        await self.store.close()

    async def hand_over(self) -> None:
        """Give up all matches, one after the other, so that another node can take them. Their pages come again. Each
        has time to be loaded there before the next one.
        """
        matches = tuple(self._live.values())
        apart = min(APART, ALL_WITHIN / max(1, len(matches)))
        for match in matches:
            await match.stop(TRY_AGAIN)
            await asyncio.sleep(apart)

    async def abandon_all(self) -> None:
        """Drop all matches without storing anything, because others own them now. Their pages come again."""
        loading = tuple(self._loading.values())
        for each in loading:
            each.cancel()
        await asyncio.gather(*loading, return_exceptions=True)
        await asyncio.gather(*(match.abandon() for match in tuple(self._live.values())))

    # ---- making -----------------------------------------------------------------------------------------------

    async def create(self, wish: NewMatch, person: str = "") -> MatchMade:
        """Make a match, which `allow_match` has counted. `person`: id of its maker, if the maker has a session. Raises
        `Declined` for impossible rules, seats or times, or if the disk is nearly full.
        """
        self.store.require_room()
        rules, sides = await self._wishes.read(wish.variant, wish.switches, wish.clock, wish.rated)
        if len(wish.seats) != len(sides):
            raise Declined("bad-rules", 400, detail=f"{wish.variant} has {len(sides)} seats, not {len(wish.seats)}")
        keys = {side: new_secret() for side in sides}
        places = tuple(
            self._wishes.make_seat(seat, key, person) for seat, key in zip(wish.seats, keys.values(), strict=True)
        )
        header = self._wishes.make_header(rules, places, wish.clock, listed=wish.rated, rated=wish.rated)
        if wish.rated:
            require_rateable(header)
        await self._wishes.require_agents([seat.agent for seat in header.seats], rules)
        await make_match(self, header)
        seats = tuple(zip(header.seats, keys.items(), strict=True))
        secrets = {side: key for seat, (side, key) in seats if seat.secret}
        return MatchMade(header.id, secrets, {side: key for seat, (side, key) in seats if seat.invitation})

    def count_match(self, address: str) -> None:
        """Count one new match of an address. Raises `Declined`: `too-many`, `disk-full`."""
        allow_match(self, address)

    async def check_wish(
        self, variant: str, switches: Mapping[str, bool | int], clock: Control | None
    ) -> tuple[str, ...]:
        """Return the sides of a match. Raises `Declined`: `no-variant`, `bad-rules`, `bad-clock`."""
        if variant not in self.library.listed:
            raise Declined("no-variant", 404, variant=variant)
        _, sides = await self._wishes.read(variant, switches, clock)
        return sides

    async def create_for(
        self,
        seats: Sequence[PublicSeat],
        variant: str,
        switches: Mapping[str, bool | int],
        clock: Control | None,
        *,
        rated: bool,
        statements: Statements = (),
    ) -> MatchMade:
        """Make a listed match for persons and computer players, which `count_match` has counted, and store it in one
        transaction with `statements`. Each person has a new secret. Raises `Declined` as `create`, `StoreError`.
        """
        self.store.require_room()
        rules, sides = await self._wishes.read(variant, switches, clock, rated)
        if len(seats) != len(sides):
            raise Declined("bad-rules", 400, detail=f"these are no seats of {variant}")
        await self._wishes.require_agents([seat.agent for seat in seats], rules)
        keys = {side: new_secret() for side, seat in zip(sides, seats, strict=True) if not seat.agent}
        places = tuple(
            SeatHeader(seat.name, seat.agent, hash_secret(keys[side]) if side in keys else "", person=seat.person)
            for side, seat in zip(sides, seats, strict=True)
        )
        header = self._wishes.make_header(rules, places, clock, listed=True, rated=rated)
        await make_match(self, header, statements=statements)
        return MatchMade(header.id, keys, {})

    @property
    def in_memory(self) -> frozenset[str]:
        """Ids of the matches that are in memory or being loaded."""
        return frozenset(self._live) | frozenset(self._loading)

    @contextlib.contextmanager
    def leaving(self, matches: Sequence[str]) -> Iterator[list[str]]:
        """Yield the matches that are not in memory. They cannot be found while the block deletes them."""
        chosen = [match for match in matches if match not in self._live and match not in self._loading]
        self._leaving.update(chosen)
        try:
            yield chosen
        finally:
            for match in chosen:
                self.subjects.drop(match)
                self.records.drop(match)
            self._leaving.difference_update(chosen)

    async def delete(self, matches: Sequence[str]) -> list[str]:
        """Delete matches, also those in memory, whose sockets close. Return those that were deleted."""
        for name in matches:
            if (live := self._live.get(name)) is not None:
                await live.stop()
        with self.leaving(matches) as chosen:
            free = await self.owners.take_free(chosen)
            await self.store.delete(free)
        return free

    def count_waiting(self) -> int:
        """Return the number of commands that wait in all matches."""
        return sum(match.waiting for match in tuple(self._live.values()))

    # ---- finding ----------------------------------------------------------------------------------------------

    async def find(self, name: str) -> MatchTask:
        """Return the match, loaded if it is not in memory. Raises `Declined`: `no-match`; `ElsewhereError`."""
        match = self._live.get(name)
        if match is not None and not match.closed:
            if name in self._resting:
                self._resting.move_to_end(name)
            return match
        if name in self._leaving:
            raise Declined("no-match", 404)
        loading = self._loading.get(name)
        if loading is None:
            loading = self._loading[name] = asyncio.create_task(self._load(name))
            loading.add_done_callback(lambda _: self._loading.pop(name, None))
        found = await asyncio.shield(loading)
        if found is None:
            raise Declined("no-match", 404)
        return found

    async def look(self, name: str) -> Match:
        """Return a match only for reading. One that another node owns comes from its log: without those who are there
        now. Raises `Declined`: `no-match`.
        """
        try:
            return (await self.find(name)).match
        except ElsewhereError:
            read = await self._read(name)
            if read is None:
                raise Declined("no-match", 404) from None
            return Match(read[0], self, read[1])

    async def find_state(self, name: str) -> MatchState:
        """Return the state of a match, only for reading. Raises `Declined`: `no-match`."""
        return (await self.look(name)).state

    def peek(self, name: str) -> MatchState | None:
        """Return the state of a match that is in memory now, only for reading; else None."""
        match = self._live.get(name)
        return None if match is None else match.state

    def erase_names(self, name: str, players: Sequence[int]) -> None:
        """Forget the names that players of a match gave, wherever memory holds them. The stored names are erased
        by `storage.erasing`.
        """
        self.subjects.drop(name)
        self.records.drop(name)
        if (match := self._live.get(name)) is not None:
            match.erase_names(players)

    def refresh_names(self, person: str) -> None:
        """Tell the players of all matches in memory that the name of a person has changed."""
        for match in tuple(self._live.values()):
            if person in match.state.persons:
                match.refresh_names()

    def forget(self, match: MatchTask) -> None:
        """Remove a match whose task ends; the task calls this itself."""
        name = match.state.header.id
        if self._live.get(name) is match:
            del self._live[name]
            self._resting.pop(name, None)
            if not match.abandoned:
                self.owners.release(name)
            note("match-left", match=name, awake=len(self._live))

    def rest(self, match: MatchTask) -> None:
        """Note that a match has no clients; the task calls this itself. Beyond `most_idle` such matches, the one unused
        for longest leaves memory, but none whose computer player still thinks.
        """
        name = match.state.header.id
        self._resting[name] = match
        self._resting.move_to_end(name)
        for oldest, each in tuple(self._resting.items())[:-1]:
            if len(self._resting) <= self.config.most_idle:
                break
            if each.inhabited or each.idle:
                del self._resting[oldest]
                if each.idle:
                    each.leave_memory()

    async def _load(self, name: str) -> MatchTask | None:
        """Own a match and load it; None if there is no such match. Raises `ElsewhereError`, `StoreError`."""
        if not await self.owners.take(name):
            return None
        try:
            read = await self._read(name)
        except BaseException:
            self.owners.release(name)
            raise
        if read is None:
            self.owners.release(name)
            return None
        self.subjects.drop(name)
        match = self._live[name] = MatchTask(read[0], self, read[1])
        note("match-opened", match=name, entries=read[0].size, awake=len(self._live))
        return match

    async def _read(self, name: str) -> tuple[MatchState, int] | None:
        """Return the state of a match as its log says, and its deadline (`Timing`); None if there is no such match."""
        loaded = await self.store.load(name)
        if loaded is None:
            return None
        header, entries = loaded
        game = await self.library.game(header.rules, header.changed)
        match_state = await asyncio.to_thread(MatchState, header, game, entries)
        await self.persons.find(match_state.persons)
        by_days = isinstance(header.clock, Correspondence)
        return match_state, await asyncio.to_thread(find_due, self.store, name) if by_days else 0
