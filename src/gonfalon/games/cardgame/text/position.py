"""Positions as text: both lines face to face, hands, piles, and what each side knows of the other side's cards. Reading
the text gives the same position.

    cardgame
    turn 12 quiet 0
    phase lay red
    last r1xb2
    blue pile BBM96554433222
    blue hand B63
    blue line 3   7!  F   S?  2
    red  line (3) B   .   9!  4
    red  hand B32
    red  pile FBM8665433222S
    blue among b1 b5 hand 63
    blue only b5=B2

`.` is a gap. In an open choice `(3)` is a card for a gap, and `(.)` is a gap that stays one; such cards are in the hand
until the choice is complete. After a card, `!` means that all know it, and `?` that the other player knows it. `among`:
the other player knows that these types are among the cards on these places. `only`: the other player knows that this
card has one of these types. Cards of the deck that no line names have left the game. Red moves after an even number of
turns. Phases: `deal red` and `lay both`; `draw`, `act` or `lay` with a side, and with `anew` after `draw` and `lay`
during the Flag trick; `over` with the reason and the winner. Lines may be separated by `;`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gonfalon.engine.game import State
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.text.notation import (
    LETTERS,
    space_name,
)

PHASES = ("draw", "lay", "act")
"""Words by phase. Before play the first two are `deal red` and `lay both`."""
SIGNS = ("", "x", "?", "?", "~")
"""Sign of the last act, by its kind."""
ALL_TYPES = 0xFFFF
"""All bits of `ruled_out`, also those that stand for no type."""


def line_of(side: int) -> range:
    """Return the places of a side's line."""
    return range(side * g.SIDE_PLACES, side * g.SIDE_PLACES + g.LINE)


def hand_of(row: np.void, side: int) -> range:
    """Return the places of the cards in a side's hand."""
    first = side * g.SIDE_PLACES + g.LINE
    return range(first, first + int(row["n_hand"][side]))


def state_text(state: State, variant: str) -> str:
    """Return the text of a state. Cards that left the game have no line: they are the cards of the deck that no line
    names.
    """
    row = state[0]
    lines = [variant, f"turn {row['turn']} quiet {row['quiet']}", _phase_text(row)]
    if row["last"][0] != g.NO_ACT:
        lines.append(f"last {_last_text(row)}")
    for side, words in ((1, ("pile", "hand", "line")), (0, ("line", "hand", "pile"))):
        cards = {"pile": _pile_text(row, side), "hand": _hand_text(row, side), "line": _line_text(row, side)}
        lines += [f"{g.SIDES[side]:<4} {word} {cards[word]}" for word in words]
    for side in range(2):
        lines += [f"{g.SIDES[side]} among {text}" for text in _groups(row, side)]
        if ruled := _ruled_out(row, side):
            lines.append(f"{g.SIDES[side]} only {' '.join(ruled)}")
    return "\n".join(lines) + "\n"


def _phase_text(row: np.void) -> str:
    anew = " anew" if row["anew"] else ""
    if row["phase"] == g.OVER:
        winner = g.SIDES[row["winner"]] if row["winner"] != g.NONE else "nobody"
        return f"over {g.OVER_REASONS[row['over']]} {winner}{anew}"
    if not row["started"]:
        return "phase lay both" if row["phase"] == g.LAY else f"phase deal {g.SIDES[row['mover']]}"
    return f"phase {PHASES[row['phase']]} {g.SIDES[row['mover']]}{anew}"


def _last_text(row: np.void) -> str:
    kind, own, *others = row["last"].tolist()
    return space_name(own) + SIGNS[kind] + "+".join(space_name(place) for place in others if place != g.NONE)


def _pile_text(row: np.void, side: int) -> str:
    return "".join(LETTERS[kind] * int(row["pile"][side, kind]) for kind in reversed(range(1, g.TYPES))) or "-"


def _hand_text(row: np.void, side: int) -> str:
    return letters_of(row["kind"][place] for place in hand_of(row, side)) or "-"


def letters_of(kinds: Iterator[int] | Sequence[int]) -> str:
    """Return types as letters, the highest type code first."""
    return "".join(LETTERS[kind] for kind in sorted(kinds, reverse=True))


def _line_text(row: np.void, side: int) -> str:
    return "".join(f"{cell:<4}" for cell in _cells(row, side)).rstrip()


def _cells(row: np.void, side: int) -> Iterator[str]:
    gaps = 0
    for k, place in enumerate(line_of(side)):
        kind = int(row["kind"][place])
        if kind:
            yield LETTERS[kind] + _mark(row, side, place)
        else:
            gaps += 1
            yield f"({LETTERS[row['laid'][side, k]]})" if gaps <= row["placed"][side] else "."


def _mark(row: np.void, side: int, place: int) -> str:
    if row["known"][g.THE_PUBLIC, place]:
        return "!"
    book = 1 - side
    alone = (row["group"][book] == row["group"][book, place]).sum() == 1
    return "?" if alone and row["known"][book, place] else ""


def _groups(row: np.void, side: int) -> Iterator[str]:
    """Yield the groups of several cards, and a hand of which every card is known. The order must not show which card
    has a mark.
    """
    book, hand = 1 - side, hand_of(row, side)
    places = [*line_of(side), *hand]
    for label in places:
        group = [place for place in places if row["group"][book, place] == label]
        if len(group) > 1:
            names = [space_name(place) for place in group if place not in hand]
            names += ["hand"] if group[-1] in hand else []
            yield f"{' '.join(names)} {letters_of(row['kind'][p] for p in group if row['known'][book, p])}"
        elif label in hand[:1] and group and row["known"][book, label]:
            yield f"hand {_hand_text(row, side)}"


def _ruled_out(row: np.void, side: int) -> list[str]:
    masks = {place: int(row["ruled_out"][1 - side, place]) for place in line_of(side)}
    return [
        f"{space_name(place)}={letters_of([kind for kind in range(1, g.TYPES) if not mask >> kind & 1])}"
        for place, mask in masks.items()
        if mask
    ]
