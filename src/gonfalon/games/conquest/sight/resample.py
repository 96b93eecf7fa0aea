"""States that a viewer cannot tell from the true one. Hidden units are dealt again, within the viewer's knowledge.

A unit that the viewer saw keeps its type, wherever it is now. All other units may be anywhere that `dealing.py` allows.
All such deals that fit the view are equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import EVERYTHING, State
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.dealing import Accepts, Seat, Unit, deal

_COPIED = (
    *(field.name for field in g.PUBLIC_FIELDS),
    *("phase", "playing", "chosen", "n_chosen", "ordered", "n_ordered", "laid", "placed"),
)


class Unknown(NamedTuple):
    """Units of one side to deal, in a state that is laid out."""

    side: int
    units: list[Unit]
    seats: list[Seat]
    known: NDArray[np.int64]
    """Slots in the reserve whose types the viewer knows."""

    @property
    def places(self) -> list[int]:
        """The slots of the seats."""
        return [seat.slot for seat in self.seats]


def resample(view: View, rules: NDArray[np.void], rng: np.random.Generator) -> State:
    state, seen = lay_out(view), view.record[0]
    for side in range(int(rules[0]["players"])):
        if not seen["started"]:
            _deploy(state[0], seen, rules, side, rng)
    for unknown in list_unknown(state, view, rules):
        kinds = deal(unknown.units, unknown.seats, make_accepts(state, view, rules, unknown), rng)
        write_deal(state[0], view, unknown, kinds)
    return state


def lay_out(view: View) -> State:
    """Return a state with everything that everybody sees. No unit has a type yet, and nobody knows any type."""
    state = zero_rows(g.STATE)
    row, seen = state[0], view.record[0]
    for name in _COPIED:
        row[name] = seen[name]
    row["group"] = np.arange(g.UNITS)
    _stand(row, seen)
    return state


def list_unknown(state: State, view: View, rules: NDArray[np.void]) -> list[Unknown]:
    """Write the types that the viewer knows into a state that is laid out. Return the units to deal, by side."""
    seen = view.record[0]
    if not seen["started"]:
        return []
    sides = [side for side in range(int(rules[0]["players"])) if not _has_left(state[0], seen, side)]
    return [_lay_side(state[0], seen, rules, side) for side in sides]


def write_deal(row: np.void, view: View, unknown: Unknown, kinds: Sequence[int]) -> None:
    """Write the dealt types into the seats, and the other observers' knowledge of the side's units."""
    row["kind"][unknown.places] = kinds
    _write_books(row, view.record[0], unknown.side, {seat.slot: seat.group for seat in unknown.seats}, unknown.known)


def _has_left(row: np.void, seen: np.void, side: int) -> bool:
    """CQ-25: return whether the units of a resigned side are gone. They stay after the last resignation, which ends the
    match.
    """
    none = bool((row["zone"][side * g.ARMY : (side + 1) * g.ARMY] == g.GONE).all()) and not seen["n_reserve"][side]
    return none and bool(seen["out"][side] == g.RESIGNED)


def _stand(row: np.void, seen: np.void) -> None:
    """Write the places of the units that everybody can see."""
    row["zone"] = g.GONE
    zones = np.flatnonzero(seen["at"] != g.NONE)
    row["zone"][seen["at"][zones]] = zones
    if seen["hand"] != g.NONE:
        row["zone"][seen["hand"]] = g.IN_HAND


def _deploy(row: np.void, seen: np.void, rules: NDArray[np.void], side: int, rng: np.random.Generator) -> None:
    """CQ-7: if a side is ready, put its units anywhere on its zones. A side that is not ready, or has left, has placed
    no units.
    """
    if _may_know(seen, side) or not seen["ready"][side] or seen["out"][side]:
        return
    zones = g.IN_TERRITORY * int((seen["owner"] == side).sum())
    units = np.repeat(np.arange(g.TYPES), rules[0]["army"])
    row["placed"][side] = zones
    row["laid"][side, rng.permutation(zones)[: len(units)]] = units


def _may_know(seen: np.void, side: int) -> bool:
    return int(seen["observer"]) in (side, EVERYTHING)


# ---- dealing -----------------------------------------------------------------------------------------------------


def _lay_side(row: np.void, seen: np.void, rules: NDArray[np.void], side: int) -> Unknown:
    army = rules[0]["army"].astype(np.int64)
    slots = np.arange(side * g.ARMY, (side + 1) * g.ARMY)
    standing, away = slots[row["zone"][slots] != g.GONE], slots[row["zone"][slots] == g.GONE]
    reserve = away[: seen["n_reserve"][side]]
    row["zone"][reserve] = g.RESERVE
    if len(standing) + len(reserve) < army.sum():  # only a Flag can be neither on the board nor in the reserve
        row["kind"][away[len(reserve)]] = g.FLAG
    shown = standing[seen["kind"][standing] != g.HIDDEN]
    row["kind"][shown] = seen["kind"][shown]
    told = _count_told(seen, standing)
    known = reserve[:0]
    if not _may_know(seen, side):
        known = reserve[: int(seen["reserve"][side].sum())]
        row["kind"][known] = np.repeat(np.arange(g.TYPES), seen["reserve"][side])
    tied = int(seen["master"][side] and army[g.SPY_MASTER] == 1)
    off_board = 1 << g.FLAG | tied << g.SPY_MASTER
    seats = [
        *_seats_standing(row, seen, standing, off_board),
        *_seats_away(seen, reserve[len(known) :], told, off_board),
    ]
    return Unknown(side, _list_units(army - _count_kinds(row["kind"][slots]), told), seats, known)


def _count_kinds(kinds: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of units of each type. Empty slots do not count."""
    counts = np.bincount(kinds, minlength=g.TYPES)
    counts[0] = 0
    return counts


def _count_told(seen: np.void, standing: NDArray[np.int64]) -> dict[int, NDArray[np.int64]]:
    """Return, by group, the number of units of each type that must be in it besides those that the viewer sees."""
    groups, kinds = seen["group"][standing], seen["kind"][standing]
    told = {}
    for label in sorted(set(groups.tolist()) - {g.NONE}):
        visible = _count_kinds(kinds[(groups == label) & (kinds != g.HIDDEN)])
        told[label] = np.maximum(seen["among"][label] - visible, 0)
    return told


def _seats_standing(row: np.void, seen: np.void, standing: NDArray[np.int64], off_board: int) -> Iterator[Seat]:
    slots = standing[seen["kind"][standing] == g.HIDDEN]
    barred = seen["ruled_out"][slots] | np.where(row["zone"][slots] == g.IN_HAND, off_board, 0)
    yield from map(Seat, slots.tolist(), seen["group"][slots].tolist(), barred.tolist())


def _seats_away(
    seen: np.void, reserve: NDArray[np.int64], told: dict[int, NDArray[np.int64]], off_board: int
) -> Iterator[Seat]:
    groups = [label for label in told for _ in range(seen["in_reserve"][label])]
    for slot, label in zip_longest(reserve.tolist(), groups, fillvalue=g.NONE):
        yield Seat(slot, label, off_board)


def _list_units(left: NDArray[np.int64], told: dict[int, NDArray[np.int64]]) -> list[Unit]:
    """Return the units to deal. A unit that is known to be in a group names the group."""
    units = [Unit(kind, label) for label, counts in told.items() for kind in np.repeat(range(g.TYPES), counts).tolist()]
    rest = left - sum(told.values(), np.zeros_like(left))
    return units + [Unit(kind, g.NONE) for kind in np.repeat(range(g.TYPES), np.maximum(rest, 0)).tolist()]


def make_accepts(state: State, view: View, rules: NDArray[np.void], unknown: Unknown) -> Accepts:
    """Return the test for a deal; the test writes the deal into `state`. CQ-31: a Spy Master that all know to be on the
    board must be there. CQ-13, CQ-16: a player who must move must have a legal move.
    """
    row, seen, side, places = state[0], view.record[0], unknown.side, unknown.places
    needs_move = seen["phase"] == g.MOVE and seen["mover"] == side and not _may_know(seen, side)
    masters = slice(side * g.ARMY, (side + 1) * g.ARMY)
    on_board = row["zone"][masters] < g.ZONES

    listing = copy_rows(rules)  # a copy, because threads share `rules`, and kernels list actions in it

    def accepts(kinds: list[int]) -> bool:
        row["kind"][places] = kinds
        if seen["master"][side] and not (on_board & (row["kind"][masters] == g.SPY_MASTER)).any():
            return False
        if not needs_move:
            return True
        n = kernels.legal(state, 0, listing, side)
        return bool(n) and listing["ids"][0, n - 1] >= g.ACT_MOVE

    return accepts


# ---- knowledge ---------------------------------------------------------------------------------------------------


def _write_books(row: np.void, seen: np.void, side: int, dealt: dict[int, int], known: NDArray[np.int64]) -> None:
    """Write the observers' knowledge of the side's units. The book (knowledge) that the view shows is copied from the
    view; all other books get the public knowledge.

    `dealt`: the groups of the dealt slots. `known`: the slots of the reserve that were not dealt.
    """
    units = slice(side * g.ARMY, (side + 1) * g.ARMY)
    public, viewer = seen["public"][units], int(seen["observer"])
    book = viewer if viewer >= 0 and viewer != side else g.THE_PUBLIC
    others = [observer for observer in range(g.OBSERVERS) if observer not in (side, book)]
    row["known"][book, units] = seen["marks"][units] == g.SEEN
    row["known"][book, known] = 1
    row["ruled_out"][book, units] = seen["ruled_out"][units]
    _write_groups(row, seen, book, side, dealt)
    if book == g.THE_PUBLIC:
        for name in ("known", "ruled_out", "group"):
            row[name][others, units] = row[name][book, units]
        for slot in side * g.ARMY + np.flatnonzero(seen["looked"][units]):
            for observer in others:
                if observer != g.THE_PUBLIC and seen["looked"][slot] >> observer & 1:
                    _write_look(row, observer, int(slot))
    else:
        row["known"][others, units] = public
        for observer in others:
            row["known"][observer, known] = 1
        row["ruled_out"][others, units] = np.where(public, 0, seen["ruled_out"][units])


def _write_look(row: np.void, observer: int, slot: int) -> None:
    """Note that another observer has looked at the unit and can tell it from all others since then. If one unit of its
    type was known to be in its group, this unit was it.
    """
    group, known, kind = row["group"][observer], row["known"][observer], row["kind"]
    rest = [other for other in np.flatnonzero(group == group[slot]).tolist() if other != slot]
    if not known[slot]:
        known[[other for other in rest if known[other] and kind[other] == kind[slot]][:1]] = 0
    group[slot], known[slot] = slot, 1
    group[rest] = min(rest, default=slot)
    row["ruled_out"][observer, slot] = 0


def _write_groups(row: np.void, seen: np.void, book: int, side: int, dealt: dict[int, int]) -> None:
    """Give the marks to any units of the right types in a group; the choice makes no difference. If the viewer sees the
    reserve, all know its units outside of groups, because these units fell or were shown.
    """
    first = side * g.ARMY
    labels = dict(enumerate(seen["group"][first : first + g.ARMY].tolist(), first)) | dealt
    groups: dict[int, list[int]] = {}
    for slot, label in labels.items():
        if label != g.NONE:
            groups.setdefault(label, []).append(slot)
    if _may_know(seen, side):
        row["known"][book, [slot for slot, label in dealt.items() if label == g.NONE]] = 1
    for label, members in groups.items():
        row["group"][book, members] = members[0]
        left = seen["among"][label].tolist()
        for slot, kind in zip(members, row["kind"][members].tolist(), strict=True):
            row["known"][book, slot] = left[kind] > 0
            left[kind] -= 1
