"""A second, slow and plain version of moves and combat in Conquest, written from the text of CQ-9 and CQ-13 to CQ-26.
It uses dictionaries and sets of names, no records and no kernels, and imports nothing of the rules.

A unit is a pair of its side and its letter; moves are the texts that players write (`kf1-kf2`, `kf1xlk3`). The oracle
has no cards: its caller says how many are drawn, and which units cards add or remove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

RANKS = {"M": 1, "S": 2, "C": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "K": 10}
Unit = tuple[str, str]
Near = Mapping[str, Iterable[str]]
"""For each zone the zones that border it."""


def stays(attacker: str, defender: str) -> tuple[bool, bool]:
    """Return whether the attacker and whether the defender stays on the map (CQ-17 to CQ-19, CQ-21)."""
    if defender == "F" or (attacker, defender) in (("C", "X"), ("M", "K")):
        return True, False
    if defender == "X":
        return False, True
    return RANKS[attacker] > RANKS[defender], RANKS[attacker] < RANKS[defender]


def reached(near: Near, units: Mapping[str, Unit], begin: str) -> set[str]:
    """Return the empty zones to which a path of empty zones leads (CQ-15)."""
    found: set[str] = set()
    edge = [begin]
    while edge:
        for zone in near[edge.pop()]:
            if zone not in units and zone not in found:
                found.add(zone)
                edge.append(zone)
    return found


def goals(near: Near, units: Mapping[str, Unit], begin: str, runs_attack: bool) -> set[str]:
    """Return the zones that the unit in a zone may move to: empty ones and those with units of other sides (CQ-14,
    CQ-15, CQ-17).
    """
    side, letter = units[begin]
    if letter not in RANKS:
        return set()
    found = set(near[begin])
    if letter == "S":
        empty = reached(near, units, begin)
        found |= empty
        if runs_attack:
            found |= {zone for last in empty for zone in near[last]}
    return {zone for zone in found if zone not in units or units[zone][0] != side}


def moves(near: Near, units: Mapping[str, Unit], side: str, runs_attack: bool = True) -> set[str]:
    """Return all moves of a side."""
    return {
        f"{begin}{'x' if zone in units else '-'}{zone}"
        for begin, unit in units.items()
        if unit[0] == side
        for zone in goals(near, units, begin, runs_attack)
    }


def territory_of(zone: str) -> str:
    return zone[:-1]


def controllers(units: Mapping[str, Unit]) -> dict[str, str]:
    """Return by territory the only side with units in it (CQ-9)."""
    sides: dict[str, set[str]] = {}
    for zone, (side, _) in units.items():
        sides.setdefault(territory_of(zone), set()).add(side)
    return {territory: min(found) for territory, found in sides.items() if len(found) == 1}


@dataclass
class Table:
    """A match from its first turn on."""

    near: Near
    cities: set[str]
    sides: tuple[str, ...]
    units: dict[str, Unit]
    start: str
    runs_attack: bool = True
    most_quiet: int = 50
    most_rounds: int = 400
    reserve: dict[str, Counter[str]] = field(default_factory=dict)
    holder: dict[str, str] = field(default_factory=dict)
    """By side, the side that holds its Flag: the same side or another."""
    control: dict[str, str] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    mover: str = ""
    cards: int = 0
    """Number of cards still to be drawn in this turn."""
    left: int = 0
    """Number of moves left in this turn."""
    made: int = 0
    rounds: int = 0
    quiet: int = 0
    is_stirred: bool = False
    is_raising: bool = False
    ended: str = ""

    def __post_init__(self) -> None:
        self.reserve = {side: Counter() for side in self.sides}
        self.holder = {side: side for side in self.sides}
        self.control = controllers(self.units)
        self.begin(self.start)

    def begin(self, side: str) -> None:
        """Begin a side's turn (CQ-10, CQ-13, CQ-21)."""
        held = [territory for territory, holder in self.control.items() if holder == side]
        self.mover, self.made = side, 0
        self.cards = len(held) // 2 if self.holder[side] == side else 0
        self.left = 1 + len(self.cities & set(held))
        if not self.cards:
            self.begin_moves()

    def begin_moves(self) -> None:
        """Begin the moves of the turn, after the card (CQ-16)."""
        self.cards = 0
        if not moves(self.near, self.units, self.mover, self.runs_attack):
            self.end_turn()

    def legal(self) -> set[str]:
        if self.is_raising:
            return {f"@{zone}" for zone in self.near if zone not in self.units}
        found = moves(self.near, self.units, self.mover, self.runs_attack)
        return found | {"stop"} if self.made else found

    def play(self, text: str) -> None:
        if text == "stop":
            self.end_turn()
        elif text.startswith("@"):
            self.units[text[1:]] = (self.mover, "F")
            self.is_raising, self.is_stirred = False, True
            self.next_move()
        else:
            self.move(*zones_of(text, self.near))

    def move(self, begin: str, finish: str) -> None:
        unit = self.units.pop(begin)
        self.left -= 1
        self.made += 1
        other = self.units.pop(finish, None)
        first, second = stays(unit[1], other[1]) if other else (True, False)
        if first:
            self.units[finish] = unit
        else:
            self.lose(unit)
        if other and second:
            self.units[finish] = other
        elif other and other[1] == "F":
            self.is_stirred = True
            self.capture(other[0])
        elif other:
            self.lose(other)
        self.look_for_winner()
        if not self.ended and not self.is_raising:
            self.next_move()

    def lose(self, unit: Unit) -> None:
        self.reserve[unit[0]][unit[1]] += 1
        self.is_stirred = True

    def capture(self, loser: str) -> None:
        """Let the mover capture the Flag of `loser` (CQ-21 to CQ-23)."""
        keeper = self.holder[self.mover]
        taker = self.mover if keeper in (self.mover, loser) else keeper
        self.holder = {side: taker if held == loser else held for side, held in self.holder.items()}
        if keeper == loser:
            self.holder[self.mover] = self.mover
            self.is_raising = True

    def look_for_winner(self) -> None:
        """End the match if only one side has its own Flag (CQ-24)."""
        flags = [side for side in self.sides if self.holder[side] == side]
        if len(flags) == 1:
            self.ended = f"{flags[0]} flags"

    def next_move(self) -> None:
        """End the turn if no move is left (CQ-13)."""
        if not self.left or not moves(self.near, self.units, self.mover, self.runs_attack):
            self.end_turn()

    def end_turn(self) -> None:
        now = controllers(self.units)
        self.is_stirred = self.is_stirred or now != self.control
        self.control = now
        seat = self.sides.index(self.mover)
        while not self.ended:
            seat = (seat + 1) % len(self.sides)
            if self.sides[seat] == self.start:
                self.end_round()
            if not self.ended and not self.is_out(self.sides[seat]):
                self.begin(self.sides[seat])
                return

    def end_round(self) -> None:
        """End the round; the match may end with it (CQ-26)."""
        self.rounds += 1
        self.quiet = 0 if self.is_stirred else self.quiet + 1
        self.is_stirred = False
        if self.quiet == self.most_quiet:
            self.ended = "draw quiet"
        elif self.rounds == self.most_rounds:
            self.ended = "draw rounds"

    def is_out(self, side: str) -> bool:
        """Return whether a side is out. Without its own Flag and movable units it is from now on (CQ-25)."""
        stuck = all(letter not in RANKS for owner, letter in self.units.values() if owner == side)
        if stuck and self.holder[side] != side:
            self.out.add(side)
        return side in self.out


def zones_of(text: str, near: Near) -> tuple[str, str]:
    """Return the two zones of a move, `kf1-kf2` or `kf1xlk3`. Names of zones may contain an x too."""
    return next((text[:k], text[k + 1 :]) for k in range(len(text)) if text[:k] in near and text[k + 1 :] in near)


def is_attack(text: str, near: Near) -> bool:
    """Return whether a text is an attack, such as `kf1xlk3`."""
    return text[0] != "@" and text[len(zones_of(text, near)[0])] == "x"
