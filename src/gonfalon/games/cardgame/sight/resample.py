"""States that a viewer cannot tell from the true one. Hidden cards are dealt again, within the viewer's knowledge.

A card that the viewer saw keeps its type, wherever it lies now. All other cards may be anywhere else. All such deals
that fit the view are equally likely.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import EVERYTHING, State
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.cardgame import state as g

TRIES = 300
"""Number of random deals that are tried before a search for a deal. A deal fails if it contradicts `ruled_out` or
CG-13.
"""


class NoWorldError(RuntimeError):
    """No consistent deal was found. This cannot happen for the view of a real match."""


def resample(view: View, rules: NDArray[np.void], rng: np.random.Generator) -> State:
    state = begin_world(view)
    for side in range(2):
        if view.observer not in (side, EVERYTHING):
            _deal_side(state[0], view.record[0], rules, side, rng)
    complete_world(state, view, rules)
    return state


def begin_world(view: View) -> State:
    """Return a state with everything that the view has. Hidden cards are `HIDDEN`; piles and knowledge are missing."""
    state = zero_rows(g.STATE)
    row, seen = state[0], view.record[0]
    for name in (*(field.name for field in g.PUBLIC_FIELDS), "kind", "laid", "placed"):
        row[name] = seen[name]
    row["group"] = np.arange(g.PLACES)
    return state


def complete_world(state: State, view: View, rules: NDArray[np.void]) -> None:
    """Write the piles and all knowledge, after the hidden cards of `begin_world` have been dealt."""
    row, seen = state[0], view.record[0]
    for side in range(2):
        row["pile"][side] = rules[0]["deck"] - row["lost"][side] - _count_kinds(row["kind"][_places(side)])
        for observer in (1 - side, g.THE_PUBLIC):
            _write_knowledge(row, seen, observer, side, view.observer)


def _places(side: int) -> slice:
    return slice(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES)


def _line(side: int) -> slice:
    return slice(side * g.SIDE_PLACES, side * g.SIDE_PLACES + g.LINE)


def _count_kinds(kinds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the number of cards of each type. Gaps do not count."""
    counts = np.bincount(kinds[kinds != g.HIDDEN], minlength=g.TYPES).astype(np.uint8)
    counts[0] = 0
    return counts


# ---- dealing -----------------------------------------------------------------------------------------------------


def _deal_side(row: np.void, seen: np.void, rules: NDArray[np.void], side: int, rng: np.random.Generator) -> None:
    first = side * g.SIDE_PLACES
    hidden, told, unseen = list_hidden(seen, rules, side)
    groups = [int(seen["group"][place]) for place in hidden]
    must_attack = seen["phase"] == g.ACT and seen["mover"] == side
    for _ in range(TRIES):
        row["kind"][hidden] = _deal(groups, told, unseen, rng)
        if _fits(row, seen, hidden) and (not must_attack or _has_attacker(row, side)):
            break
    else:
        row["kind"][hidden] = _search(row, seen, hidden, told, unseen, must_attack, rng)
    if not seen["started"] and seen["ready"][side]:
        row["placed"][side] = g.LINE
        row["laid"][side] = rng.permutation(row["kind"][first + g.LINE : first + g.SIDE_PLACES])[: g.LINE]


def list_hidden(seen: np.void, rules: NDArray[np.void], side: int) -> tuple[list[int], dict[int, list[int]], list[int]]:
    """Return the places of a side whose cards the viewer does not know; the types known to be in each group; and the
    types of all other unseen cards, including the pile.
    """
    first = side * g.SIDE_PLACES
    hidden = [first + k for k in np.flatnonzero(seen["kind"][_places(side)] == g.HIDDEN).tolist()]
    groups = {int(seen["group"][place]) for place in hidden}
    told = {label: _cards(seen["among"][label]) for label in groups - {g.NONE}}
    left = rules[0]["deck"] - seen["lost"][side] - _count_kinds(seen["kind"][_places(side)])
    known = sum((_count_kinds(np.array(cards, np.uint8)) for cards in told.values()), np.zeros_like(left))
    return hidden, told, _cards(left - known)


def _cards(counts: NDArray[np.uint8]) -> list[int]:
    return [int(kind) for kind in np.repeat(np.arange(len(counts)), counts)]


def _deal(groups: list[int], told: dict[int, list[int]], unseen: list[int], rng: np.random.Generator) -> list[int]:
    """Return dealt types for the hidden places, whose groups are given. Types known to be in a group go to its
    places.
    """
    pool = iter(rng.permutation(unseen).tolist())
    cards = {
        label: rng.permutation([*known, *(next(pool) for _ in range(groups.count(label) - len(known)))]).tolist()
        for label, known in told.items()
    }
    return [cards[label].pop() if label in cards else next(pool) for label in groups]


def _fits(row: np.void, seen: np.void, hidden: list[int]) -> bool:
    return not any((int(seen["ruled_out"][place]) >> int(row["kind"][place])) & 1 for place in hidden)


def _has_attacker(row: np.void, side: int) -> bool:
    """CG-13: return whether the line has a card that can attack. Without one the mover would already have lost."""
    kinds = row["kind"][_line(side)]
    return bool(((kinds > 0) & (kinds < g.BOMB)).any())


def _search(
    row: np.void,
    seen: np.void,
    hidden: list[int],
    told: dict[int, list[int]],
    unseen: list[int],
    must_attack: bool,
    rng: np.random.Generator,
) -> list[int]:
    """Return a deal, found by trying each card on each place. This is for views that only few deals fit. Raises
    `NoWorldError`.
    """
    cards = [(kind, label) for label, kinds in told.items() for kind in kinds] + [(kind, g.NONE) for kind in unseen]
    labels = seen["group"].tolist()

    def deal(at: int, free: list[tuple[int, int]]) -> bool:
        if at == len(hidden):
            return not must_attack or _has_attacker(row, int(seen["mover"]))
        place = hidden[at]
        told_left = [card for card in free if card[1] == labels[place] != g.NONE]
        must = len(told_left) == sum(labels[later] == labels[place] for later in hidden[at:])
        options = told_left if must else told_left + [card for card in free if card[1] == g.NONE]
        for card in dict.fromkeys(options[k] for k in rng.permutation(len(options)).tolist()):
            row["kind"][place] = card[0]
            rest = free.copy()
            rest.remove(card)
            if _fits(row, seen, [place]) and deal(at + 1, rest):
                return True
        return False

    if not deal(0, cards):
        raise NoWorldError("no deal fits this view")
    return [int(kind) for kind in row["kind"][hidden]]


# ---- knowledge ---------------------------------------------------------------------------------------------------


def _write_knowledge(row: np.void, seen: np.void, observer: int, side: int, viewer: int) -> None:
    """Write the observer's knowledge of the side's cards as the view shows it; for the public, the knowledge that all
    have.
    """
    if observer == g.THE_PUBLIC and viewer in (0, 1, EVERYTHING):
        row["known"][observer][_places(side)] = seen["public"][_places(side)]
        return
    marks, groups = seen["marks"].tolist(), seen["group"].tolist()
    row["known"][observer][_places(side)] = seen["marks"][_places(side)] == g.SEEN
    row["ruled_out"][observer][_places(side)] = seen["ruled_out"][_places(side)]
    for label in {groups[place] for place in range(g.PLACES)[_places(side)]} - {g.NONE}:
        members = [place for place in range(g.PLACES) if groups[place] == label]
        row["group"][observer][members] = members[0]
        left = seen["among"][label].tolist()
        for place in members:
            kind = int(row["kind"][place])
            row["known"][observer][place] = left[kind] > 0
            left[kind] -= 1
    hand = [place for place in range(_line(side).stop, _places(side).stop) if row["kind"][place]]
    if len({int(row["kind"][place]) for place in hand}) > 1 and marks[hand[0]] == g.SEEN:
        row["group"][observer][hand] = hand[0]
