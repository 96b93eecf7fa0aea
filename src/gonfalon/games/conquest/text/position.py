"""Positions as text: territories, the units of each side, cards, and what each side knows of other sides. Reading the
text gives the same state byte by byte, except for the log of the last step.

    conquest-narrows
    turn 25 rounds 12 quiet 3 stirred
    phase move blue
    start red
    lots red=K blue=4
    moves 2 made 1 due 0
    pile r5 b12 s4 g9 i5 m2
    discard b1 g1 t1
    table g1
    last attacked kf1 lk2
    red owns kf lk ab
    red controls kf
    red kf1K! kf2F lk3X' (M) [S] <9>
    red flag blue
    among blue kf1! lk2 red.5

A unit is written as zone and letter: M S C 4 to 9 K X F. Brackets are for units off the map: `( )` in the reserve, `[
]` drawn from the reserve and not placed yet, `< >` gone (a Flag that another player holds). After a unit, `!` means
that all know the unit, and `'` that all know that it has moved. A side's units stand in the order of their numbers. If
a side has no such line, it has placed no units yet or has resigned. `books.py` describes the other lines about
knowledge. Cards: r(einforcements) b(litz) s(urprise attack) (re)g(roup) (secret) i(nformation) t(raitor) (new spy)
m(aster).

Other possible lines: `contends SIDES` and `ties N` for the draw for the start; `picks N` if this is not the number of
chosen territories; `red lays K.X4` for a deployment in progress; `red out skipped`; `red flag blue` for the holder of a
Flag that is not on the map; `master SIDES` for the sides whose Spy Master all know to be on the board; `playing
regroup`, `aim ZONES` and `order LETTERS` for a card that is being carried out. After `phase over` and the side on turn
come the reason and the winner. `traitor-last` may stand after the cards of the pile. A missing number is 0, and a
missing side is nobody. Lines may be separated by `;`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS
from gonfalon.games.conquest.text.books import ALL_BOOKS, books_on, lines_of, marks, slot_name, slots_of
from gonfalon.games.conquest.text.notation import CARD_LETTERS, LETTERS, Names
from gonfalon.games.conquest.text.reading import (
    ACTS,
    BRACKETS,
    OUT,
    PHASES,
    holder_of,
    letters_of,
    picks_of,
    side_name,
)


def state_text(state: State, names: Names, variant: str, rules: NDArray[np.void]) -> str:
    """Return the text of everything except the log of the last step."""
    row, players = state[0], int(rules[0]["players"])
    lines = [variant, *_match_lines(row, players), *_card_lines(row), *_choice_lines(row, names)]
    for side in range(players):
        lines += [f"{g.SIDES[side]} {text}" for text in _side_texts(row, side, names)]
    books = [books_on(row, side, players, names) for side in range(players)]
    for side, book in enumerate(books):
        if row["kind"][slots_of(side)].any():
            cells = (
                _cell(row, slot, names) + marks(book[ALL_BOOKS], slot_name(row, slot, names)) for slot in slots_of(side)
            )
            lines.append(f"{g.SIDES[side]} {' '.join(cells)}")
    return "\n".join([*lines, *lines_of(books)]) + "\n"


def _match_lines(row: np.void, players: int) -> Iterator[str]:
    yield f"turn {row['turn']} rounds {row['rounds']} quiet {row['quiet']}{' stirred' if row['stirred'] else ''}"
    end = f" {g.OVER_REASONS[row['over']]} {side_name(row['winner'])}" if row["phase"] == g.OVER else ""
    yield f"phase {PHASES[row['phase']]} {side_name(row['mover'])}{end}"
    if row["start"] != g.NONE:
        yield f"start {side_name(row['start'])}"
    if row["lot"].any():
        yield "lots " + " ".join(f"{g.SIDES[p]}={LETTERS[row['lot'][p]]}" for p in range(players) if row["lot"][p])
    for word in ("contends", "master"):
        if row[word].any():
            yield f"{word} {' '.join(g.SIDES[p] for p in range(players) if row[word][p])}"
    if row["ties"]:
        yield f"ties {row['ties']}"
    if row["picks"] != picks_of(row):
        yield f"picks {row['picks']}"


def _card_lines(row: np.void) -> Iterator[str]:
    if row["moves"] or row["made"] or row["due"]:
        yield f"moves {row['moves']} made {row['made']} due {row['due']}"
    last = " traitor-last" if row["traitor_last"] else ""
    for where in ("pile", "discard", "table"):
        cards = [f"{letter}{n}" for letter, n in zip(CARD_LETTERS, row[where].tolist(), strict=True) if n]
        if cards or (where == "pile" and last):
            yield f"{where} {' '.join(cards) or '-'}{last if where == 'pile' else ''}"


def _choice_lines(row: np.void, names: Names) -> Iterator[str]:
    if row["playing"] != g.NONE:
        yield f"playing {CARDS[row['playing']]}"
    if row["n_chosen"]:
        yield f"aim {_zones(row['chosen'][: row['n_chosen']], names)}"
    if row["n_ordered"]:
        yield f"order {letters_of(row['ordered'][: row['n_ordered']])}"
    act, *zones = row["last"].tolist()
    if act != g.NO_ACT:
        yield f"last {ACTS[act]} {_zones((zone for zone in zones if zone != g.NONE), names)}"


def _side_texts(row: np.void, side: int, names: Names) -> Iterator[str]:
    for word, field in (("owns", "owner"), ("controls", "control")):
        if (row[field] == side).any():
            yield f"{word} {' '.join(names.territories[t] for t in np.flatnonzero(row[field] == side))}"
    if row["out"][side]:
        yield f"out {OUT[row['out'][side]]}"
    if row["holder"][side] != holder_of(row, side):
        yield f"flag {side_name(row['holder'][side])}"
    if row["placed"][side]:
        yield f"lays {letters_of(row['laid'][side][: row['placed'][side]])}"


def _cell(row: np.void, slot: int, names: Names) -> str:
    letter, zone = LETTERS[row["kind"][slot]], int(row["zone"][slot])
    if zone < g.ZONES:
        return names.zones[zone] + letter
    return BRACKETS[zone][0] + letter + BRACKETS[zone][1]


def _zones(numbers: Iterable[int], names: Names) -> str:
    return " ".join(names.zones[number] for number in numbers)
