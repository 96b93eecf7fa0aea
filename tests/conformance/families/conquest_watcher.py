"""Follows the observers' knowledge of the units, by CQ-15, CQ-17 to CQ-25 and CQ-27 to CQ-36, only from the steps of
the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from conformance.cases import Step
from conformance.families.books import Book, Pool
from gonfalon.engine.game import Game, State
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES, map_of

DRAWN_FIRST = (g.REINFORCEMENTS, g.SURPRISE)
"""Cards for which a unit is drawn before its zone is named."""
NEVER_MOVE = (g.CURSED_LAND, g.FLAG)


@dataclass(eq=False)
class Unit:
    """A unit, identified by its slot. When units are mixed, their types change, and their slots stay."""

    side: int
    slot: int
    kind: int
    zone: int

    @property
    def on_board(self) -> bool:
        return self.zone < g.ZONES


def wins(attacker: int, defender: int) -> bool | None:
    """Return whether the attacker defeats the defender (CQ-17 to CQ-19, CQ-21); None if both are lost."""
    if defender == g.CURSED_LAND:
        return attacker == g.SORCERESS
    if defender == g.FLAG or (attacker, defender) == (g.SPY_MASTER, g.KING):
        return True
    return None if attacker == defender else attacker > defender


class UnitWatcher:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.rules[0]
        self.zones = map_of(game.info.ruleset).zone_ids
        self.units: list[Unit] = []
        self.at: dict[int, Unit] = {}
        self.books: list[Book[Unit]] = [Book(g.TYPES) for _ in range(g.OBSERVERS)]
        self.master = [False] * g.PLAYERS
        self._public: set[str] = set()
        self._private: list[set[str]] = [set() for _ in range(g.PLAYERS)]

    def book(self, observer: int) -> Book[Unit]:
        return self.books[observer if observer >= 0 else g.THE_PUBLIC]

    def others(self, side: int) -> list[Book[Unit]]:
        """Return the books about the side's units."""
        return [book for observer, book in enumerate(self.books) if observer != side]

    def of(self, side: int, zone: int | None = None) -> list[Unit]:
        """Return the side's units: all, or those in one place."""
        return [unit for unit in self.units if unit.side == side and zone in (None, unit.zone)]

    # ---- following

    def see(self, step: Step) -> None:
        self._public, self._private = set(), [set() for _ in range(g.PLAYERS)]
        before, after, action = step.before[0], step.after[0], step.action
        side = int(before["mover"])
        if action < 0:
            if after["phase"] != g.OVER:
                self._resign(step.player)
        elif action >= g.ACT_UNIT:
            self._draw_unit(side, action - g.ACT_UNIT, after)
        elif action >= g.ACT_DRAW:
            self._public.add(CARDS[action - g.ACT_DRAW])
        elif action >= g.ACT_START:
            self._public.add(TYPES[action - g.ACT_START])
        elif action >= g.ACT_MOVE:
            self._move(side, *divmod(action - g.ACT_MOVE, g.ZONES))
        elif action < g.ACT_PICK:
            self._place(step.player, action - g.ACT_PLACE, before, after)
        elif g.ACT_CARD <= action < g.ACT_STOP:
            self._play(side, action, before, after)
        self._skip(before, after)
        self._check(after)

    def _check(self, after: np.void) -> None:
        """Check that the state has the units that this watcher followed. Otherwise the tests would mean nothing."""
        for zone, slot in enumerate(after["at"].tolist()):
            unit = self.at.get(zone) if after["started"] else None
            assert (unit.slot if unit else g.NONE) == (slot if after["started"] else g.NONE), (zone, slot, unit)
            assert unit is None or unit.kind == after["kind"][slot], (zone, unit)

    def _tell(self, unit: Unit) -> None:
        """Note that all see the unit's type."""
        self._public.add(TYPES[unit.kind])
        for book in self.others(unit.side):
            book.see(unit)

    def _put(self, unit: Unit, zone: int) -> None:
        if unit.on_board and self.at.get(unit.zone) is unit:
            del self.at[unit.zone]
        unit.zone = zone
        if unit.on_board:
            self.at[zone] = unit

    def _fall(self, unit: Unit) -> None:
        """CQ-17, CQ-21: note that the unit is lost and all have seen it. A Flag does not go to a reserve."""
        if unit.kind == g.SPY_MASTER:
            self.master[unit.side] = False
        self._put(unit, g.GONE if unit.kind == g.FLAG else g.RESERVE)

    def _place(self, player: int, kind: int, before: np.void, after: np.void) -> None:
        if kind:
            self._private[player].add(TYPES[kind])
        if before["phase"] == g.ORDER:
            if after["phase"] != g.ORDER:
                self._public.add(CARDS[g.REGROUP])
                self._regroup(player, sorted(before["chosen"].tolist()), [*before["ordered"].tolist()[:2], kind])
        elif after["started"]:
            for zone in np.flatnonzero(after["at"] != g.NONE).tolist():
                slot = int(after["at"][zone])
                unit = Unit(slot // g.ARMY, slot, int(after["kind"][slot]), zone)
                self.units.append(unit)
                self.at[zone] = unit

    def _regroup(self, side: int, zones: list[int], kinds: list[int]) -> None:
        units = [self.at[zone] for zone in zones]
        for book in self.others(side):
            book.mix(units)
        for unit, kind in zip(units, kinds, strict=True):
            unit.kind = kind

    def _draw_unit(self, side: int, kind: int, after: np.void) -> None:
        """CQ-28: note a draw: the unit that comes into the hand may be any unit of the reserve."""
        self._private[side].add(TYPES[kind])
        reserve = self.of(side, g.RESERVE)
        for book in self.others(side):
            book.mix(reserve)
        for unit in reserve:
            unit.kind = int(after["kind"][unit.slot])
            if after["zone"][unit.slot] == g.IN_HAND:
                assert unit.kind == kind
                unit.zone = g.IN_HAND

    def _play(self, side: int, action: int, before: np.void, after: np.void) -> None:
        """Process the action for a card: the card itself, a zone, or a guess."""
        if action == g.ACT_NO_CARD:
            return
        if action < g.ACT_NO_CARD:
            self._public.add(CARDS[action - g.ACT_CARD])
            return
        playing = int(before["playing"])
        if playing != g.NONE:
            self._public.add(CARDS[playing])
        zone = action - g.ACT_ZONE
        if action >= g.ACT_GUESS:
            self._guess(side, self.at[int(before["chosen"][0])], action - g.ACT_GUESS)
        elif before["phase"] == g.RAISE:
            (flag,) = (unit for unit in self.of(side, g.GONE) if unit.kind == g.FLAG)
            self._put(flag, zone)
            self._tell(flag)
        elif playing in DRAWN_FIRST:
            (unit,) = self.of(side, g.IN_HAND)
            self._private[side].add(TYPES[unit.kind])
            self._put(unit, zone)
        elif playing == g.NEW_MASTER:
            self._enter_master(side, zone, int(after["at"][zone]))
        elif playing == g.SECRET and before["n_chosen"] == 1:
            self._look(side, [self.at[int(before["chosen"][0])], self.at[zone]])

    def _enter_master(self, side: int, zone: int, slot: int) -> None:
        """CQ-30: note that the Spy Master enters. Slots of units in a reserve cannot be followed, so two may have
        swapped.
        """
        reserve = self.of(side, g.RESERVE)
        master = next(unit for unit in reserve if unit.kind == g.SPY_MASTER)
        other = next(unit for unit in reserve if unit.slot == slot)
        master.slot, other.slot = other.slot, master.slot
        self._put(master, zone)
        self._tell(master)

    def _look(self, side: int, units: list[Unit]) -> None:
        """CQ-31: process a look."""
        self.master[side] = True
        self._public.add(TYPES[g.SPY_MASTER])
        for unit in self.of(side, g.RESERVE) if self.rules["prove_spy_master"] else ():
            self._tell(unit)
        for unit in units:
            self._private[side].add(TYPES[unit.kind])
            if unit.side != side:
                self.books[side].see(unit)

    def _guess(self, side: int, unit: Unit, kind: int) -> None:
        """CQ-32: process a guess."""
        self._public |= {TYPES[kind], CARDS[g.TRAITOR]}
        if unit.kind == kind:
            self._tell(unit)
            self._fall(unit)
            return
        self._private[side].add(TYPES[unit.kind])
        self.books[side].see(unit)
        for book in self.others(unit.side):
            book.exclude(unit, [kind])

    def _move(self, side: int, start: int, finish: int) -> None:
        unit, target = self.at[start], self.at.get(finish)
        if target is not None:
            self._tell(unit)
            self._tell(target)
            won = wins(unit.kind, target.kind)
            if won is not False:
                self._fall(target)
            if not won:
                self._fall(unit)
                return
        elif finish not in self.near(start):
            self._tell(unit)  # CQ-15: only a Scout can run
        for book in self.others(side):
            book.exclude(unit, NEVER_MOVE)
        self._put(unit, finish)

    def near(self, zone: int) -> list[int]:
        found: list[int] = self.rules["near"][zone, : self.rules["n_near"][zone]].tolist()
        return found

    def _skip(self, before: np.void, after: np.void) -> None:
        """CQ-25: note that a player who cannot move has only Cursed Lands left."""
        for side in np.flatnonzero((before["out"] != after["out"]) & (after["out"] == g.SKIPPED)).tolist():
            for unit in self.of(side):
                if unit.on_board:
                    self._tell(unit)

    def _resign(self, side: int) -> None:
        """CQ-25: remove the units of a player who resigns while the match goes on. They are not shown."""
        for unit in self.of(side):
            for book in self.others(side):
                book.forget(unit)
            self._put(unit, g.GONE)
            self.units.remove(unit)
        self.master[side] = False

    # ---- asking

    def known(self, unit: Unit, observer: int) -> int:
        """Return the unit's type if the observer knows it, else 0."""
        return unit.kind if unit.side == observer else self.book(observer).kind_of(unit)

    def drafts(self, row: np.void, observer: int) -> dict[int, int]:
        """Return the types, by zone, of the observer's own units that are placed in an open choice."""
        if observer < 0:
            return {}
        if row["phase"] == g.ORDER and row["mover"] == observer:
            done = row["ordered"][: row["n_ordered"]].tolist()
            return dict(zip(sorted(row["chosen"].tolist()), done, strict=False))
        if row["phase"] != g.DEPLOY:
            return {}
        laid = row["laid"][observer][: row["placed"][observer]].tolist()
        return {zone: kind for zone, kind in zip(self.own_zones(row, observer), laid, strict=False) if kind}

    def own_zones(self, row: np.void, side: int) -> list[int]:
        return [g.IN_TERRITORY * t + k for t in np.flatnonzero(row["owner"] == side).tolist() for k in range(3)]

    def faces(self, state: State, observer: int) -> dict[str, str]:
        row = state[0]
        is_ordering = row["phase"] == g.ORDER and row["mover"] == observer
        lifted = row["chosen"].tolist() if is_ordering else []
        found = {zone: self.known(unit, observer) for zone, unit in self.at.items() if zone not in lifted}
        return {self.zones[zone]: TYPES[kind] for zone, kind in (found | self.drafts(row, observer)).items()}

    def groups(self, observer: int) -> Iterable[Pool[Unit]]:
        """Yield the pools of several units, at least one of them outside the reserve. A pool whose units are all known
        is not among them.
        """
        for pool in self.book(observer).pools:
            if not pool.is_exact and any(unit.zone != g.RESERVE for unit in pool.members):
                yield pool

    def reserve(self, side: int, observer: int) -> Counter[int]:
        """Return the types that the observer knows to be in a reserve."""
        units = self.of(side, g.RESERVE)
        found = Counter(kind for kind in (self.known(unit, observer) for unit in units) if kind)
        if side != observer:
            for pool in self.book(observer).pools:
                if not pool.is_exact and all(unit in units for unit in pool.members):
                    found += pool.known
        return found

    def tellable(self, observer: int) -> set[str]:
        return self._public | (self._private[observer] if observer >= 0 else set())
