"""All matches of this process: made here, found here, loaded from their logs when somebody comes."""

from __future__ import annotations

import asyncio
import time

from gonfalon.engine.ruleset import RulesetError
from gonfalon.games import ruleset
from gonfalon.server.agents import Agents
from gonfalon.server.bodies import MatchMade, NewMatch, SeatWish
from gonfalon.server.config import Config
from gonfalon.server.declined import Declined
from gonfalon.server.entries import Header, SeatHeader
from gonfalon.server.journal import note
from gonfalon.server.library import Library
from gonfalon.server.match import Match
from gonfalon.server.names import read_name
from gonfalon.server.preview import Subject, subject_of
from gonfalon.server.retention import keep_sweeping
from gonfalon.server.secret import hash_secret, new_id, new_secret
from gonfalon.server.sitting import Sitting
from gonfalon.server.store import Store
from gonfalon.server.visitors import Visitors


class Lobby:
    """`await start()` first, `await close()` last."""

    def __init__(self, config: Config, visitors: Visitors) -> None:
        self.config = config
        self.visitors = visitors
        self.store = Store(config.url, config.free_disk)
        self.library = Library()
        self.agents = Agents(
            config.agent_processes,
            config.agent_seconds,
            config.agent_budget,
            config.agent_start,
            config.agent_tries,
            config.agent_command,
        )
        self._live: dict[str, Match] = {}
        self._loading: dict[str, asyncio.Task[Match | None]] = {}
        self._sweeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.store.start()
        if self.config.keep_days > 0:
            self._sweeping = asyncio.create_task(keep_sweeping(self, self.config.keep_days))

    async def close(self) -> None:
        """Closes all sockets, lets what has begun be stored, ends agents and the store."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        await asyncio.gather(*(match.stop() for match in tuple(self._live.values())))
        await self.agents.close()
        await self.store.close()

    # ---- making -----------------------------------------------------------------------------------------------

    async def create(self, wish: NewMatch, agents: frozenset[str]) -> MatchMade:
        """A new match. Raises `Declined` for rules or seats that are not possible, and for want of room."""
        self.store.require_room()
        try:
            rules = ruleset(wish.variant, **wish.switches)
        except (RulesetError, TypeError) as error:
            raise Declined("bad-rules", 400, detail=str(error)) from error
        game = await self.library.game(wish.variant, rules.changed)
        sides = game.info.sides
        if len(wish.seats) != len(sides):
            raise Declined("bad-rules", 400, detail=f"{wish.variant} has {len(sides)} seats, not {len(wish.seats)}")
        keys = {side: new_secret() for side in sides}
        header = Header(
            id=new_id(),
            variant=wish.variant,
            changed=rules.changed,
            seats=tuple(_seat(seat, key, agents) for seat, key in zip(wish.seats, keys.values(), strict=True)),
            created=int(time.time()),
            claim_after=self.config.claim_after,
        )
        await self.store.create(header)
        note("match-made", match=header.id, variant=header.variant, agents=sum(bool(s.agent) for s in header.seats))
        seats = tuple(zip(header.seats, keys.items(), strict=True))
        secrets = {side: key for seat, (side, key) in seats if seat.secret}
        return MatchMade(header.id, secrets, {side: key for seat, (side, key) in seats if seat.invitation})

    @property
    def awake(self) -> frozenset[str]:
        """Ids of the matches in memory, or on their way there."""
        return frozenset(self._live) | frozenset(self._loading)

    def count_waiting(self) -> int:
        """Commands that wait in all matches."""
        return sum(match.waiting for match in tuple(self._live.values()))

    # ---- finding ----------------------------------------------------------------------------------------------

    async def find(self, name: str) -> Match:
        """The match, loaded if it is not in memory. Raises `Declined`: `no-match`."""
        match = self._live.get(name)
        if match is not None and not match.closed:
            return match
        loading = self._loading.get(name)
        if loading is None:
            loading = self._loading[name] = asyncio.create_task(self._load(name))
            loading.add_done_callback(lambda _: self._loading.pop(name, None))
        found = await asyncio.shield(loading)
        if found is None:
            raise Declined("no-match", 404)
        return found

    async def describe(self, path: str) -> Subject | None:
        """What the page at a path is about, as far as whoever has the address may know. The game of a match is not
        made for it.
        """
        where, _, name = path.strip("/").partition("/")
        if where in ("new", "rules"):
            return Subject("game", name)
        loaded = await self.store.load(name) if where == "match" else None
        return subject_of(*loaded) if loaded else None

    async def find_sitting(self, name: str) -> Sitting:
        """What the log of a match says, for reading. Raises `Declined`: `no-match`."""
        return (await self.find(name)).sitting

    def forget(self, match: Match) -> None:
        """Called by a match that ends its task."""
        name = match.sitting.header.id
        if self._live.get(name) is match:
            del self._live[name]
            note("match-left", match=name, awake=len(self._live))

    async def _load(self, name: str) -> Match | None:
        loaded = await self.store.load(name)
        if loaded is None:
            return None
        header, entries = loaded
        game = await self.library.game(header.variant, header.changed)
        sitting = await asyncio.to_thread(Sitting, header, game, entries)
        match = self._live[name] = Match(sitting, self)
        note("match-opened", match=name, entries=len(entries), awake=len(self._live))
        return match


def _seat(wish: SeatWish, key: str, agents: frozenset[str]) -> SeatHeader:
    if wish.kind not in ("me", "person", "agent"):
        raise Declined("bad-rules", 400, detail=f"no kind of seat {wish.kind!r}")
    if wish.kind == "agent":
        if wish.agent not in agents:
            raise Declined("bad-rules", 400, detail=f"no computer player {wish.agent!r}")
        return SeatHeader(agent=wish.agent)
    name = read_name(wish.name, agents)
    if wish.kind == "person":
        return SeatHeader(name=name, invitation=hash_secret(key))
    return SeatHeader(name=name, secret=hash_secret(key), maker=True, device=True)
