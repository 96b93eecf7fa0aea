"""Wishes for matches: read and checked, before anything is made."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError
from gonfalon.games import variants
from gonfalon.server.clock.control import Control, check
from gonfalon.server.computers import Computers
from gonfalon.server.library import Library
from gonfalon.server.protocol.bodies import SeatWish
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import hash_secret, new_id
from gonfalon.server.storage.entries import Header, SeatHeader
from gonfalon.server.workers.pool import AgentError, AgentPool
from gonfalon.server.workers.requests import GameQuery

log = logging.getLogger("gonfalon.thinking")


class Wishes:
    """Reads wishes with the games and computer players of a server."""

    def __init__(
        self, library: Library, computers: Computers, pool: AgentPool, name_rules: NameRules, claim_after: int
    ) -> None:
        """`claim_after`: see `Config`."""
        self._library = library
        self._computers = computers
        self._pool = pool
        self._name_rules = name_rules
        self._claim_after = claim_after

    def make_header(
        self, rules: Ruleset, seats: tuple[SeatHeader, ...], clock: Control | None, *, listed: bool, rated: bool
    ) -> Header:
        """Return the header of a new match."""
        return Header(
            id=new_id(),
            variant=rules.variant,
            changed=rules.changed,
            seats=seats,
            created=int(time.time()),
            claim_after=self._claim_after,
            clock=clock,
            listed=listed,
            rated=rated,
            ruleset=rules.text,
        )

    async def read(
        self, variant: str, switches: Mapping[str, bool | int], clock: Control | None, rated: bool = False
    ) -> tuple[Ruleset, tuple[str, ...]]:
        """Return the rules and sides of a wished match, whose game is then ready. Raises `Declined`: `bad-rules`,
        `bad-clock`.
        """
        if clock is not None:
            check(clock)
        try:
            rules = self._library.find_rules(variant, switches)
        except (RulesetError, TypeError) as error:
            raise Declined("bad-rules", 400, detail=str(error)) from error
        if rated and variant not in variants():
            raise Declined("bad-rules", 400, detail=f"{variant} is no listed game, so it is not rated")
        game = await self._library.game(rules.source, rules.changed)
        return rules, game.info.sides

    async def require_agents(self, names: Sequence[str], rules: Ruleset) -> None:
        """Check that these computer players play a game; "" is a person. Raises `Declined`: `no-agent`."""
        for name in filter(None, names):
            self._computers.require(name, rules.variant)
            if not (self._computers.is_own(name) and rules.changed):
                continue
            try:
                plays = await self._pool.plays(GameQuery(name, rules.source, rules.changed))
            except AgentError as error:
                log.warning("computer player %s cannot say whether it plays %s: %s", name, rules.variant, error)
                plays = False
            if not plays:
                raise Declined("no-agent", 400, agent=name)

    def make_seat(self, wish: SeatWish, key: str, person: str) -> SeatHeader:
        """Return the seat of a wish. `key`: its secret or invitation. Raises `Declined`: `bad-rules`, and for a name
        that nobody may have.
        """
        if wish.kind not in ("me", "person", "agent"):
            raise Declined("bad-rules", 400, detail=f"no kind of seat {wish.kind!r}")
        if wish.kind == "agent":
            return SeatHeader(agent=wish.agent)
        name = self._name_rules.read(wish.name)
        if wish.kind == "person":
            return SeatHeader(name=name, invitation=hash_secret(key))
        return SeatHeader(name=name, secret=hash_secret(key), maker=True, device=True, person=person)
