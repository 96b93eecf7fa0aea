"""Positions, turns and results as text, so that the tests of the rules read like the rules.

Units are written as in `position.py`: zone and letter (`hi1K`), with `!` or `'` at the end; `(M)` is in the reserve.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import gonfalon
from diagram import Diagram
from gonfalon.engine.game import EVERYTHING, PUBLIC, Game, TextError
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.text.notation import CARD_LETTERS, LETTERS

RED, BLUE, GREEN, OCHRE = range(4)
ALL = PUBLIC
"""The observer who knows only what is public."""
ARMY = "KX98765" + "4CCCSSSSMX" + "F"
"""The army of CQ-1, in the order in which missing units are added to a position."""
DECK = "r6 b13 s4 g11 i5 t1 m2"
"""The cards of CQ-2: each letter with its number of cards."""


@cache
def make(variant: str, **switches: bool | int) -> Game:
    """Return the game of `conquest-<variant>`, or of `conquest`; each set of switches is made only once."""
    return gonfalon.make(variant if variant.startswith("conquest") else f"conquest-{variant}", **switches)


class Position(Diagram):
    """A Conquest position with readable access to zones, units, trays and knowledge."""

    game: Any

    @property
    def phase(self) -> str:
        """Phase and side, `move red`; `over` when the match is over."""
        name, side = self.text.split("phase ", 1)[1].split()[:2]
        return name if name == "over" else f"{name} {side}"

    @property
    def text(self) -> str:
        return str(self.game.state_text(self.state))

    def withdraw(self, player: int) -> Position:
        return Position(self.game, self.game.withdraw(self.state, player))

    def near(self, zone: str) -> set[str]:
        """Return the zones that border a zone."""
        number, r = self.game.names.zone(zone), self.game.rules[0]
        return {self.game.names.zones[z] for z in r["near"][number][: r["n_near"][number]]}

    # ---- what an observer is told and sees

    def unit(self, zone: str, observer: int = EVERYTHING) -> str:
        """Return what an observer sees in a zone: side and letter, `red K` or `red ?`, then marks, `red ? moved`; ""
        for an empty zone.
        """
        for token in self.scene(observer).tokens:
            if token.place == zone:
                letter = LETTERS[TYPES.index(token.face)] if token.face else "?"
                return " ".join((token.side, letter, *token.marks))
        return ""

    def tray(self, kind: str, side: int | str, observer: int = EVERYTHING) -> str:
        """Return a tray as letters, `?` for each unit or card not seen: `tray("reserve", RED)`, `tray("discard",
        "")`.
        """
        name = g.SIDES[side] if isinstance(side, int) else side
        items = [i for t in self.scene(observer).trays if (t.kind, t.side) == (kind, name) for i in t.items]
        return "".join(_letter(item.face) * item.count for item in items)

    def groups(self, observer: int) -> list[str]:
        """Return each group of units whose types the observer knows only together: `hi1 hi3 reserve.red: SK of 3`."""
        return [
            f"{' '.join(group.places)}: {''.join(map(_letter, group.faces)) or '-'} of {group.count}"
            for group in self.scene(observer).groups
        ]

    def controls(self, side: int) -> set[str]:
        """Return the ids of the territories that a side controls."""
        return {name for t, name in enumerate(self.game.names.territories) if self.row["control"][t] == side}


def _letter(face: str) -> str:
    if not face:
        return "?"
    return LETTERS[TYPES.index(face)] if face in TYPES else CARD_LETTERS[CARDS.index(face)]


# ---- positions ---------------------------------------------------------------------------------------------------


def begin(variant: str, **switches: Any) -> Position:
    """Return the position before the first action."""
    game = make(variant, **switches)
    return Position(game, game.initial_state())


def position(
    variant: str,
    units: str,
    mover: str = "red",
    phase: str = "move",
    *,
    moves: int = 1,
    made: int = 0,
    due: int = 0,
    table: str = "",
    discard: str = "",
    pile: str | None = None,
    rounds: int = 10,
    quiet: int = 0,
    start: str = "red",
    lines: str = "",
    **switches: Any,
) -> Position:
    """Return a position of the battle: `position("narrows", "red: hi1K hi2F; blue: ma1F ma2S!")`.

    `units`: each side's units, in the order of their numbers. A Flag that is not named stands in the last free zone of
    the map, and all other units that are not named are in the reserve; `*` puts those into free zones too, starting
    with the last. `<F>`: the Flag is held by the next side that has its own (or as a line `red flag green` says).
    `green: out`: green has resigned.

    Cards are letters with their number, `b2 r1`. The pile is the rest of the deck, with the Traitor at its bottom.
    `lines`: more lines of the text form, separated by `;`, for what is known (`among blue hi1! hi3`) and to replace a
    line (`red controls hi`). Who controls what follows from the units on the map.
    """
    game: Any = make(variant, **switches)
    players = game.info.players
    turn = rounds * players + (g.SIDES.index(mover) - g.SIDES.index(start)) % players
    rows = [
        game.info.variant,
        f"turn {turn} rounds {rounds} quiet {quiet}",
        f"phase {phase} {mover}",
        f"start {start}",
        f"moves {moves} made {made} due {due}",
        *_cards(table, discard, pile),
        *_units(game, units),
    ]
    return Position(game, game.parse_state("\n".join(_replace(rows, lines))))


def _replace(rows: list[str], lines: str) -> list[str]:
    """Return the rows, in which the `lines` (separated by `;`) replace the rows with the same keyword."""
    own = [line.strip() for line in lines.split(";") if line.strip()]
    heads = {_head(line) for line in own}
    return [row for row in rows if _head(row) not in heads] + own


def _cards(table: str, discard: str, pile: str | None) -> list[str]:
    """Return the lines of the pile, the table and the discard; without a pile, the rest of the deck."""
    last = " traitor-last" if pile is None and "t1" not in table.split() else ""
    piled = _rest_of_deck(table, discard) if pile is None else pile
    return [
        f"pile {piled or '-'}{last}",
        *(f"{word} {cards}" for word, cards in (("table", table), ("discard", discard)) if cards),
    ]


def _units(game: Any, units: str) -> list[str]:
    """Return lines for the units of each side, for owned and controlled territories, and for held Flags."""
    cells = _sides(game, units)
    sides = (f"{side} {' '.join(row)}" if row else f"{side} out resigned" for side, row in cells.items())
    return [*sides, *_owned(game), *_controlled(game, cells), *_held(cells)]


def _head(line: str) -> tuple[str, ...]:
    """Return the keyword of a line: two words for a line of a side, except for its units."""
    words = line.split()
    if words[0] in g.SIDES:
        return tuple(words[:2]) if words[1].isalpha() else (words[0],)
    return tuple(words) if words[0] in ("seen", "among", "not", "only") else (words[0],)


def _sides(game: Any, units: str) -> dict[str, list[str]]:
    """Return the cells of each side's eighteen units, by side; none for a side that has resigned."""
    said = {side.strip(): cells.split() for side, _, cells in (part.partition(":") for part in units.split(";"))}
    assert set(said) <= set(game.info.sides), f"no such sides: {said}"
    taken = set(re.findall(r"\b[a-z]+[1-3](?=[MSC4-9KXF])", units))
    free = [zone for zone in game.names.zones if zone not in taken]
    return {side: _filled(said.get(side, []), free) for side in game.info.sides}


def _filled(cells: list[str], free: list[str]) -> list[str]:
    """Return the cells completed by those of the rest of the army; take zones from the end of `free`."""
    if cells == ["out"]:
        return []
    named = [cell for cell in cells if cell != "*"]
    rest = Counter(ARMY)
    rest.subtract(_unit_letter(cell) for cell in named)
    if min(rest.values()) < 0:
        raise TextError(f"more units than the army has: {' '.join(named)}")
    away = [letter for letter in rest.elements() if letter != "F" and "*" not in cells]
    standing = [letter for letter in rest.elements() if letter == "F" or "*" in cells]
    return [*named, *(free.pop() + letter for letter in standing), *(f"({letter})" for letter in away)]


def _unit_letter(cell: str) -> str:
    found = re.fullmatch(r"(?:[a-z]+[1-3]|[(\[<])(.)[)\]>]?!?'?", cell)
    assert found is not None, f"{cell!r} is no unit"
    return found[1]


def _rest_of_deck(*others: str) -> str:
    deck = {item[0]: int(item[1:]) for item in DECK.split()}
    for item in " ".join(others).split():
        deck[item[0]] -= int(item[1:])
    return " ".join(f"{letter}{n}" for letter, n in deck.items() if n)


def _owned(game: Any) -> list[str]:
    """Return lines that give each side an equal share of the map. In the battle it no longer matters which side chose
    which territory.
    """
    names, sides = game.names.territories, game.info.sides
    share = len(names) // len(sides)
    return [f"{side} owns {' '.join(names[k * share : (k + 1) * share])}" for k, side in enumerate(sides)]


def _controlled(game: Any, cells: dict[str, list[str]]) -> list[str]:
    """Return the lines for control (CQ-9)."""
    names = game.names
    sides: dict[int, set[str]] = {}
    for side, row in cells.items():
        for cell in row:
            zone = re.match(r"[a-z]+[1-3]", cell)
            if zone is not None:
                sides.setdefault(names.zone(zone[0]) // 3, set()).add(side)
    owned = {side: [names.territories[t] for t in sorted(sides) if sides[t] == {side}] for side in cells}
    return [f"{side} controls {' '.join(ids)}" for side, ids in owned.items() if ids]


def _held(cells: dict[str, list[str]]) -> list[str]:
    """Return the lines for Flags that are not on the map: each is held by the next side that has its own Flag
    (CQ-21).
    """
    sides = list(cells)
    has = {side: any(cell.rstrip("!'").endswith("F") for cell in row) for side, row in cells.items()}
    lines = []
    for k, side in enumerate(sides):
        if cells[side] and not has[side]:
            holder = next(other for other in sides[k + 1 :] + sides[:k] if has[other])
            lines.append(f"{side} flag {holder}")
    return lines
