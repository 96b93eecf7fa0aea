"""Reads the lines of a position's text into a record. `position.py` describes the lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State, TextError
from gonfalon.engine.view import zero_rows
from gonfalon.games.cardgame import kernels
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.text.checks import check_record
from gonfalon.games.cardgame.text.notation import (
    LETTERS,
    SIDE_LETTERS,
    parse_action,
    parse_space,
    places_of,
    space_name,
)
from gonfalon.games.cardgame.text.position import ALL_TYPES, PHASES, hand_of, line_of

ORDER = ("turn", "phase", "over", "last", "line", "hand", "pile", "among", "only")
"""Order of reading: first the cards, then the knowledge of them."""
OF_A_SIDE = ("line", "hand", "pile", "among", "only")


def parse_state(text: str, variant: str, rules: NDArray[np.void]) -> State:
    """Return the state of a text, after all checks. The tokens get new numbers. Raises `TextError` with line and
    reason.
    """
    lines = [line.strip() for line in re.split(r"[\n;]", text) if line.strip()]
    if not lines or lines[0] != variant:
        raise TextError(f"a position of this game begins with the line {variant!r}")
    state = zero_rows(g.STATE)
    reader = _Reader(state[0], rules[0])
    entries = [_split_entry(number, line) for number, line in enumerate(lines[1:], 2)]
    for _, number, line, words in sorted(entries):
        try:
            reader.read(words)
        except (ValueError, IndexError, KeyError) as error:
            raise TextError(f"line {number}: {line!r}: {error}") from error
    reader.finish()
    check_record(state, rules, any(reader.lays))
    return _do_lays(state, rules, reader.lays)


def _split_entry(number: int, line: str) -> tuple[int, int, str, list[str]]:
    """Return the line's position in the order of reading, its number, the line, and its words with the keyword before
    the side.
    """
    words = line.split()
    if words[0] in g.SIDES and len(words) > 1 and words[1] in OF_A_SIDE:
        words[:2] = [words[1], words[0]]
    elif words[0] not in ORDER or words[0] in OF_A_SIDE:
        raise TextError(f"line {number}: {line!r}: no line of a position begins so")
    return ORDER.index(words[0]), number, line, words


def _do_lays(state: State, rules: NDArray[np.void], lays: Sequence[Sequence[int]]) -> State:
    """Lay the cards of an open choice by the rules, one by one. If a choice was open when the match ended, it stays
    open.
    """
    row = state[0]
    over = int(row["phase"]) == g.OVER
    for side in range(2):
        for kind in lays[side]:
            row["phase"] = g.LAY
            if row["started"] and side != row["mover"]:
                raise TextError(f"{g.SIDES[side]} line: it is not {g.SIDES[side]} who lays")
            if not kernels.step(state, 0, rules, side, g.ACT_LAY + kind):
                raise TextError(f"{g.SIDES[side]} line: ({LETTERS[kind]}) cannot be laid")
    if any(lays) and row["phase"] != g.LAY:
        raise TextError("line: a choice in which no gap is left is closed, its cards lie without ( )")
    row["phase"] = g.OVER if over else row["phase"]
    row["log"], row["n_log"] = 0, 0
    return state


class _Reader:
    """Fills a state row line by line, in `ORDER`. `finish` fills the fields that depend on several lines."""

    def __init__(self, row: np.void, rules: np.void) -> None:
        self.row, self.deck = row, [int(count) for count in rules["deck"]]
        self.words: set[tuple[str, ...]] = set()
        self.lays: tuple[list[int], list[int]] = ([], [])
        self.side_of_phase: int | None = None
        row["group"] = np.arange(g.PLACES)
        row["last"][1:] = g.NONE
        row["winner"] = g.NONE

    def read(self, words: list[str]) -> None:
        word, *rest = words
        key = tuple(words[:2]) if word in OF_A_SIDE else (word,)
        if key in self.words and word != "among":
            raise TextError("a second line of this kind")
        self.words.add(key)
        if word in OF_A_SIDE:
            side, *said = rest
            getattr(self, f"_{word}")(g.SIDES.index(side), said)
        else:
            getattr(self, f"_{word}")(rest)

    def _turn(self, rest: list[str]) -> None:
        if len(rest) != 3 or rest[1] != "quiet":
            raise TextError("a line `turn N quiet M` is meant")
        self.row["turn"], self.row["quiet"] = _number(rest[0]), _number(rest[2])

    def _phase(self, rest: list[str]) -> None:
        if rest in (["deal", "red"], ["deal", "blue"], ["lay", "both"]):
            self.row["phase"] = g.LAY if rest[0] == "lay" else g.DRAW
            self.side_of_phase = 0 if rest[0] == "lay" else g.SIDES.index(rest[1])
            return
        anew = rest[2:] == ["anew"] and rest[0] != "act"
        if not (len(rest) == 2 or anew) or rest[0] not in PHASES or rest[1] not in g.SIDES:
            raise TextError("a phase and a side are meant, such as `phase act red`, `phase lay red anew`")
        self.row["phase"], self.row["started"], self.row["anew"] = PHASES.index(rest[0]), 1, anew
        self.side_of_phase = g.SIDES.index(rest[1])

    def _over(self, rest: list[str]) -> None:
        winners = (*g.SIDES, "nobody")
        form = len(rest) >= 2 and rest[0] in g.OVER_REASONS[1:] and rest[1] in winners and rest[2:] in ([], ["anew"])
        if ("phase",) in self.words or not form:
            raise TextError("how it ended and who won are meant, such as `over flag red`, and no phase")
        self.row["phase"], self.row["over"] = g.OVER, g.OVER_REASONS.index(rest[0])
        self.row["winner"] = g.NONE if rest[1] == "nobody" else g.SIDES.index(rest[1])
        self.row["anew"] = len(rest) > 2

    def _last(self, rest: list[str]) -> None:
        if len(rest) != 1 or rest[0][0] not in SIDE_LETTERS:
            raise TextError("an attack, a look or the trick is meant, such as r2xb4, r2?b1+b3, r5~")
        action, own = parse_action(rest[0]), parse_space(rest[0][:2])
        enemy = g.SIDE_PLACES - own // g.SIDE_PLACES * g.SIDE_PLACES
        others: tuple[int, ...] = ()
        kind = g.TRICKED
        if action < g.ACT_LOOK_HAND:
            kind, others = g.ATTACKED, ((action - g.ACT_ATTACK) % g.LINE,)
        elif action < g.ACT_LOOK_LINE:
            kind = g.LOOKED_HAND
        elif action < g.ACT_TRICK:
            kind, others = g.LOOKED_LINE, places_of((action - g.ACT_LOOK_LINE) % g.LOOKS)
        self.row["last"][: 2 + len(others)] = (kind, own, *(enemy + k for k in others))

    # -- cards --

    def _line(self, side: int, cells: list[str]) -> None:
        if len(cells) != g.LINE:
            raise TextError(f"a line has {g.LINE} places, not {len(cells)}")
        undecided = False
        for place, cell in zip(line_of(side), cells, strict=True):
            laid = re.fullmatch(r"\(([S2-9MBF.])\)", cell)
            undecided = undecided or cell == "."
            if laid is not None:
                if undecided:
                    raise TextError(f"{space_name(place)}: gaps are dealt with in the order of their places")
                self.lays[side].append(LETTERS.index(laid[1]))
            elif cell != ".":
                self._card(side, place, cell)

    def _card(self, side: int, place: int, cell: str) -> None:
        card = re.fullmatch(r"([S2-9MBF])([!?]?)", cell)
        if card is None:
            raise TextError(f"{space_name(place)}: {cell!r} is no card")
        self.row["kind"][place] = LETTERS.index(card[1])
        self.row["known"][1 - side, place] = card[2] != ""
        self.row["known"][g.THE_PUBLIC, place] = card[2] == "!"

    def _hand(self, side: int, rest: list[str]) -> None:
        kinds = _cards(rest)
        if len(kinds) > g.DEALT:
            raise TextError(f"{len(kinds)} cards are more than are ever dealt")
        self.row["n_hand"][side] = len(kinds)
        for place, kind in zip(hand_of(self.row, side), sorted(kinds, reverse=True), strict=True):
            self.row["kind"][place] = kind

    def _pile(self, side: int, rest: list[str]) -> None:
        """Read a side's pile; its line and hand are already read. Cards of the deck that are in none of the three count
        as lost.
        """
        kinds = _cards(rest)
        present = [*kinds, *self.row["kind"][side * g.SIDE_PLACES :][: g.SIDE_PLACES].tolist()]
        for kind in range(1, g.TYPES):
            if present.count(kind) > self.deck[kind]:
                raise TextError(
                    f"{present.count(kind)} {TYPES[kind]} in line, hand and pile: there are {self.deck[kind]}"
                )
            self.row["pile"][side, kind] = kinds.count(kind)
            self.row["lost"][side, kind] = self.deck[kind] - present.count(kind)
        self.row["n_pile"][side] = len(kinds)

    # -- knowledge --

    def _among(self, side: int, rest: list[str]) -> None:
        *names, letters = rest
        row, book = self.row, 1 - side
        places = [place for name in names for place in self._places(side, name)]
        if not places or len(set(places)) != len(places):
            raise TextError("the spaces of a group, `hand`, and types are meant, each space once")
        if any(row["known"][book, place] or self._is_grouped(book, place) for place in places):
            raise TextError("a card of these is known, or of another group")
        for kind in _cards([letters]):
            marked = [place for place in places if row["kind"][place] == kind and not row["known"][book, place]]
            if not marked:
                raise TextError(f"so many {TYPES[kind]} are not among these")
            row["known"][book, marked[0]] = 1
        whole = row["known"][book, places].all() and len(set(row["kind"][places].tolist())) == 1
        if (whole or len(places) == 1) and names != ["hand"]:
            raise TextError("nothing is hidden here: write `?` behind these cards")
        if not whole:
            row["group"][book, places] = min(places)

    def _places(self, side: int, name: str) -> list[int]:
        places = list(hand_of(self.row, side)) if name == "hand" else [parse_space(name)]
        if not places or not all(self.row["kind"][place] and place // g.SIDE_PLACES == side for place in places):
            raise TextError(f"{name}: no card of {g.SIDES[side]} there")
        return places

    def _is_grouped(self, book: int, place: int) -> bool:
        return bool((self.row["group"][book] == self.row["group"][book, place]).sum() > 1)

    def _only(self, side: int, rest: list[str]) -> None:
        book = 1 - side
        for item in rest:
            name, _, letters = item.partition("=")
            place = parse_space(name)
            if place not in line_of(side) or not self.row["kind"][place] or self.row["ruled_out"][book, place]:
                raise TextError(f"{name}: no card of {g.SIDES[side]} there, or told twice")
            kinds = set(_cards([letters]))
            if self.row["kind"][place] not in kinds or len(kinds) == g.TYPES - 1:
                raise TextError(f"{name}: the card is of one of these types, and not of all others")
            if self.row["known"][book, place] and not self._is_grouped(book, place):
                raise TextError(f"{name}: this card is known")
            self.row["ruled_out"][book, place] = ALL_TYPES - sum(1 << kind for kind in kinds)

    # -- what depends on several lines --

    def finish(self) -> None:
        needed = [("turn",), *((word, side) for side in g.SIDES for word in ("line", "hand", "pile"))]
        for key in needed:
            if key not in self.words:
                raise TextError(f"the line {' '.join(reversed(key))!r} is missing")
        if not {("phase",), ("over",)} & self.words:
            raise TextError("a line 'phase' or 'over' is missing")
        self._finish_turn()
        for side in range(2):
            cards = self.row["kind"][list(line_of(side))] != 0
            self.row["number"][side, cards] = np.arange(1, cards.sum() + 1)
            self.row["next_number"][side] = cards.sum()

    def _finish_turn(self) -> None:
        """Find the side on turn: before play from the hands, during play from the number of turns."""
        row = self.row
        if row["phase"] == g.OVER:
            lines = row["kind"][[*line_of(0), *line_of(1)]]
            row["started"] = bool(row["turn"] or lines.any())
        if row["started"]:
            row["mover"] = (int(row["turn"]) + (row["over"] == g.BY_FLAG)) % 2
        else:
            row["mover"] = row["n_hand"][0] == g.DEALT and row["n_hand"][1] < g.DEALT
        if self.side_of_phase not in (None, row["mover"]):
            raise TextError(f"phase: it is {g.SIDES[row['mover']]}'s turn")


def _number(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", word) or int(word) > 0xFFFF:
        raise TextError(f"a number up to 65535 is meant, not {word!r}")
    return int(word)


def _cards(rest: Sequence[str]) -> list[int]:
    """Return the types for the letters of a word; `-` means none."""
    if list(rest) == ["-"]:
        return []
    if len(rest) != 1 or not re.fullmatch(r"[S2-9MBF]+", rest[0]):
        raise TextError("cards in one word are meant, such as FBM9S, or - for none")
    return [LETTERS.index(letter) for letter in rest[0]]
