"""Reads the lines of a position's text into a record. `position.py` describes the lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State, TextError
from gonfalon.engine.view import zero_rows
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS
from gonfalon.games.conquest.text import books
from gonfalon.games.conquest.text.checks import check_record
from gonfalon.games.conquest.text.notation import CARD_LETTERS, LETTERS, Names

PHASES = ("starting", "draft", "deploy", "draw", "card", "aim", "order", "guess", "unit", "raise", "move", "over")
ACTS = ("", "moved", "attacked", "entered", "looked", "betrayed", "regrouped")
"""Words for the kinds of the last act."""
OUT = ("", "skipped", "resigned")
NOBODY = "nobody"
BRACKETS = {g.RESERVE: "()", g.IN_HAND: "[]", g.GONE: "<>"}

OF_SIDE = ("owns", "controls", "out", "lays", "flag")
ONCE = ("turn", "phase", "start", "lots", "contends", "master", "ties", "moves", "pile", "discard", "table", "playing")
ORDER = (*ONCE, "aim", "order", "last", *OF_SIDE[:-1], "picks", "units", "flag", *books.WORDS)
"""Order of reading: units before the knowledge of them, and knowledge of single units before groups."""
MANY = books.WORDS
"""Keywords of which there may be several lines."""


def parse_state(text: str, names: Names, variant: str, rules: NDArray[np.void]) -> State:
    """Return the state of a text; inverse of `state_text`. Lines may be in any order. Raises `TextError` with line and
    reason.
    """
    lines = [line.strip() for line in re.split(r"[\n;]", text) if line.strip()]
    if not lines or lines[0] != variant:
        raise TextError(f"a position of this game begins with the line {variant!r}")
    state = zero_rows(g.STATE)
    reader = Reader(state[0], names, int(rules[0]["players"]))
    for _, number, line, words in sorted(_split_entry(number, line) for number, line in enumerate(lines[1:], 2)):
        try:
            reader.read(words)
        except (ValueError, IndexError, KeyError) as error:
            raise TextError(f"line {number}: {line!r}: {error}") from error
    reader.finish()
    check_record(state, rules)
    return state


def _split_entry(number: int, line: str) -> tuple[int, int, str, list[str]]:
    """Return the line's position in the order of reading, its number, the line, and its words: the keyword, then the
    side if there is one.
    """
    words = line.split()
    if words[0] in g.SIDES:
        of_side = len(words) > 1 and words[1] in OF_SIDE
        words = [words[1], words[0], *words[2:]] if of_side else ["units", *words]
    elif words[0] not in ORDER or words[0] in OF_SIDE or words[0] == "units":
        raise TextError(f"line {number}: {line!r}: no line of a position begins so")
    return ORDER.index(words[0]), number, line, words


def side_name(side: int) -> str:
    return g.SIDES[side] if side != g.NONE else NOBODY


def picks_of(row: np.void) -> int:
    """Count the territories that have an owner. This is the number of picks made, if nobody resigned during the
    draft.
    """
    return int((row["owner"] != g.NONE).sum())


def holder_of(row: np.void, side: int) -> int:
    """Return the holder of the side's Flag if no line names one: the side itself, before the battle and while the Flag
    is on the map.
    """
    if not row["started"]:
        return side if row["out"][side] != g.RESIGNED else g.NONE
    slots = books.slots_of(side)
    on_map = (row["kind"][slots] == g.FLAG) & (row["zone"][slots] < g.ZONES)
    return side if on_map.any() else g.NONE


class Reader:
    """Fills a row of zeros line by line, in `ORDER`. `finish` sets the fields that follow from the lines."""

    def __init__(self, row: np.void, names: Names, players: int) -> None:
        self.row, self.names, self.players = row, names, players
        self.lines: set[tuple[str, ...]] = set()
        for field in ("start", "winner", "owner", "control", "holder", "playing", "at", "chosen"):
            row[field] = g.NONE
        row["last"][1:] = g.NONE
        row["zone"] = g.GONE
        row["group"] = np.arange(g.UNITS)

    def read(self, words: list[str]) -> None:
        """Read a line: its keyword, the side if there is one, and the rest."""
        word, *rest = words
        key = tuple(words[:2]) if word in (*OF_SIDE, "units") else (word,)
        if key in self.lines and word not in MANY:
            raise TextError("a second line of this kind")
        self.lines.add(key)
        if word in MANY:
            books.read_line(self.row, word, rest, self.names, self.players)
        elif len(key) > 1:
            getattr(self, f"_{word}")(self._side(rest[0]), rest[1:])
        else:
            getattr(self, f"_{word}")(rest)

    def finish(self) -> None:
        row = self.row
        for word in ("turn", "phase"):
            if (word,) not in self.lines:
                raise TextError(f"the line {word!r} is missing")
        row["started"] = any(key[0] == "units" for key in self.lines)
        if ("picks",) not in self.lines:
            row["picks"] = picks_of(row)
        for side in range(self.players):
            if ("flag", g.SIDES[side]) not in self.lines:
                row["holder"][side] = holder_of(row, side)
            row["n_reserve"][side] = (row["zone"][books.slots_of(side)] == g.RESERVE).sum()

    # ---- words ----

    def _side(self, name: str, nobody: bool = False) -> int:
        if nobody and name == NOBODY:
            return g.NONE
        if name not in g.SIDES[: self.players]:
            raise TextError(f"{name!r} is no side; they are {', '.join(g.SIDES[: self.players])}")
        return g.SIDES.index(name)

    def _zones(self, rest: list[str], most: int) -> list[int]:
        if not 1 <= len(rest) <= most:
            raise TextError(f"one to {most} zones are meant")
        return [self.names.zone(name) for name in rest]

    # ---- the match ----

    def _turn(self, rest: list[str]) -> None:
        stirred = rest[5:] == ["stirred"]
        if len(rest) != 5 + stirred or rest[1::2][:2] != ["rounds", "quiet"]:
            raise TextError("a line `turn N rounds N quiet N` is meant, perhaps with `stirred`")
        self.row["turn"], self.row["rounds"], self.row["quiet"] = (number(word, 0xFFFF) for word in rest[:5:2])
        self.row["stirred"] = stirred

    def _phase(self, rest: list[str]) -> None:
        over = rest[:1] == ["over"]
        if len(rest) != (4 if over else 2) or rest[0] not in PHASES:
            raise TextError("a phase and a side are meant, such as `phase move red`, `phase over red flags blue`")
        self.row["phase"], self.row["mover"] = PHASES.index(rest[0]), self._side(rest[1])
        if over:
            if rest[2] not in g.OVER_REASONS[1:]:
                raise TextError(f"{rest[2]!r} is none of {', '.join(g.OVER_REASONS[1:])}")
            self.row["over"], self.row["winner"] = g.OVER_REASONS.index(rest[2]), self._side(rest[3], nobody=True)

    def _start(self, rest: list[str]) -> None:
        (name,) = rest
        self.row["start"] = self._side(name)

    def _lots(self, rest: list[str]) -> None:
        for item in rest:
            name, _, letter = item.partition("=")
            self.row["lot"][self._side(name)] = kinds_of(letter, 1)[0]

    def _contends(self, rest: list[str]) -> None:
        self.row["contends"][[self._side(name) for name in rest]] = 1

    def _master(self, rest: list[str]) -> None:
        self.row["master"][[self._side(name) for name in rest]] = 1

    def _ties(self, rest: list[str]) -> None:
        (word,) = rest
        self.row["ties"] = number(word, g.MOST_TIES)

    def _picks(self, rest: list[str]) -> None:
        (word,) = rest
        self.row["picks"] = number(word, g.NONE)

    # ---- cards and turns ----

    def _moves(self, rest: list[str]) -> None:
        if len(rest) != 5 or rest[1::2] != ["made", "due"]:
            raise TextError("a line `moves N made N due N` is meant")
        self.row["moves"], self.row["made"], self.row["due"] = (number(word, g.NONE) for word in rest[::2])

    def _pile(self, rest: list[str]) -> None:
        last = rest[-1:] == ["traitor-last"]
        self.row["traitor_last"] = last
        self._cards("pile", rest[: len(rest) - last])

    def _discard(self, rest: list[str]) -> None:
        self._cards("discard", rest)

    def _table(self, rest: list[str]) -> None:
        self._cards("table", rest)

    def _cards(self, where: str, rest: list[str]) -> None:
        for item in rest if rest != ["-"] else []:
            if item[0] not in CARD_LETTERS or self.row[where][CARD_LETTERS.index(item[0])]:
                raise TextError(f"{item!r}: cards are r b s g i t m, each once, with their number, such as b12")
            self.row[where][CARD_LETTERS.index(item[0])] = number(item[1:], g.NONE)

    def _playing(self, rest: list[str]) -> None:
        (name,) = rest
        if name not in CARDS:
            raise TextError(f"{name!r} is none of {', '.join(CARDS)}")
        self.row["playing"] = CARDS.index(name)

    def _aim(self, rest: list[str]) -> None:
        zones = self._zones(rest, 3)
        self.row["chosen"][: len(zones)], self.row["n_chosen"] = zones, len(zones)

    def _order(self, rest: list[str]) -> None:
        (letters,) = rest
        kinds = kinds_of(letters, 3)
        self.row["ordered"][: len(kinds)], self.row["n_ordered"] = kinds, len(kinds)

    def _last(self, rest: list[str]) -> None:
        if rest[0] not in ACTS[1:]:
            raise TextError(f"{rest[0]!r} is none of {', '.join(ACTS[1:])}")
        zones = self._zones(rest[1:], 3 if rest[0] == "regrouped" else 2)
        self.row["last"][0], self.row["last"][1 : 1 + len(zones)] = ACTS.index(rest[0]), zones

    # ---- sides ----

    def _owns(self, side: int, rest: list[str]) -> None:
        self._territories("owner", side, rest)

    def _controls(self, side: int, rest: list[str]) -> None:
        self._territories("control", side, rest)

    def _territories(self, field: str, side: int, rest: list[str]) -> None:
        for name in rest:
            territory = self.names.territory(name)
            if self.row[field][territory] != g.NONE:
                raise TextError(f"{name} stands there twice")
            self.row[field][territory] = side

    def _out(self, side: int, rest: list[str]) -> None:
        if len(rest) != 1 or rest[0] not in OUT[1:]:
            raise TextError(f"one of {', '.join(OUT[1:])} is meant")
        self.row["out"][side] = OUT.index(rest[0])

    def _lays(self, side: int, rest: list[str]) -> None:
        (letters,) = rest
        kinds = kinds_of(letters, len(self.names.zones), empty=True)
        self.row["laid"][side, : len(kinds)], self.row["placed"][side] = kinds, len(kinds)

    def _flag(self, side: int, rest: list[str]) -> None:
        (name,) = rest
        self.row["holder"][side] = self._side(name, nobody=True)

    def _units(self, side: int, rest: list[str]) -> None:
        if len(rest) != g.ARMY:
            raise TextError(f"a side has {g.ARMY} units in all, not {len(rest)}")
        for slot, cell in zip(books.slots_of(side), rest, strict=True):
            self._unit(slot, cell)

    def _unit(self, slot: int, cell: str) -> None:
        row = self.row
        unit = re.fullmatch(r"(?:([a-z]+[1-3])|[(\[<])([MSC4-9KXF])([)\]>]?)(!?'?)", cell)
        if unit is None:
            raise TextError(
                f"{cell!r} is no unit; examples: {self.names.zones[0]}K {self.names.zones[1]}F! (M) [S] <F>"
            )
        row["kind"][slot] = LETTERS.index(unit[2])
        if unit[1]:
            zone = self.names.zone(unit[1])
            if row["at"][zone] != g.NONE:
                raise TextError(f"{unit[1]}: two units in one zone")
            row["at"][zone], row["zone"][slot] = slot, zone
        if unit[1] is None or unit[3]:
            row["zone"][slot] = _off_map(cell)
        self._mark(slot, unit[4], cell)

    def _mark(self, slot: int, marks: str, cell: str) -> None:
        for observer in books.kept_from(slot // g.ARMY, self.players) if marks else ():
            if books.KNOWN_MARK in marks:
                books.note_seen(self.row, observer, slot, cell)
            if books.MOVED_MARK in marks:
                books.note_ruled_out(self.row, observer, slot, g.IMMOBILE, cell)


def _off_map(cell: str) -> int:
    brackets = cell[0] + cell.rstrip("!'")[-1]
    for zone, pair in BRACKETS.items():
        if brackets == pair:
            return zone
    raise TextError(f"{cell!r}: a unit off the map stands in ( ), [ ] or < >")


def number(word: str, most: int) -> int:
    """Return the number in a text, up to `most`. Raises `TextError`."""
    if not re.fullmatch(r"[0-9]{1,5}", word) or int(word) > most:
        raise TextError(f"a number up to {most} is meant, not {word!r}")
    return int(word)


def kinds_of(letters: str, most: int, empty: bool = False) -> list[int]:
    """Return the types for these letters. Raises `TextError`."""
    kinds = [LETTERS.find(letter) for letter in letters]
    if not 1 <= len(kinds) <= most or min(kinds) < (0 if empty else 1):
        raise TextError(f"up to {most} units are meant, by their letters M S C 4 to 9 K X F")
    return kinds


def letters_of(kinds: Sequence[int]) -> str:
    """Return the letters of types; inverse of `kinds_of`."""
    return "".join(LETTERS[kind] for kind in kinds)
