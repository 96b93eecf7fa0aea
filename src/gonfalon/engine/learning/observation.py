"""Observations for learning: planes with meanings, their forms, and the parts of an action.

A family lists its planes in `sight/encode.py` and fills them in a compiled function. A *form* says how planes and
action ids are laid out for a program that learns: turned so that the viewer plays upwards, without what a variant
never uses, with past moves, as floats or bytes. Every form shows the same knowledge: that of the view.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.jit import Numbers, helper
from gonfalon.engine.view import View, zero_rows

Planes = NDArray[np.float32] | NDArray[np.uint8]
"""Shape (planes, rows, columns)."""
Kind = Literal["float32", "uint8"]
FormRow = Any
"""A record of `form_type`."""

PAST = ("past from", "past to", "past attack")
"""Planes of each past move of a form with a history."""
MOST_PAST = 64
"""Maximum number of past moves in a form."""


class Plane(msgspec.Struct, frozen=True):
    """One plane of an observation."""

    name: str
    meaning: str


class ObservationSpec(msgspec.Struct, frozen=True):
    """The layout of observations, known without a state."""

    shape: tuple[int, int, int]
    """Planes, rows, columns."""
    dtype: Kind
    planes: tuple[Plane, ...]
    low: float
    high: float
    """Bounds of all values. Bytes are the values of floats times 255, rounded."""

    @property
    def channels(self) -> tuple[str, ...]:
        """Name of each plane."""
        return tuple(plane.name for plane in self.planes)


class ActionParts(msgspec.Struct, frozen=True):
    """The meaning of an action id: a verb, the cells of the planes that it names, and the name of a piece type or card.

    A cell is `row * columns + column` of the planes. A move names the cell that it leaves and the cell where it ends.
    """

    verb: str
    cells: tuple[int, ...] = ()
    name: str = ""
    by_chance: bool = False
    """Whether chance draws it and no player chooses it."""


class Layout(msgspec.Struct, frozen=True):
    """Facts about the observations of a game that a family gives."""

    planes: tuple[Plane, ...]
    rows: int
    columns: int
    past: int
    """Maximum number of past moves that a view holds; 0 to `MOST_PAST`."""
    used: tuple[bool, ...]
    """For each plane, whether the variant can ever set it."""
    parts: tuple[ActionParts | None, ...]
    """Meaning of each action id; None for ids that are never legal in the variant."""
    turns: tuple[tuple[int, ...], ...]
    """By player: where each cell lies if the player plays upwards. Each is its own inverse."""
    places: tuple[int, ...] = ()
    """For each cell, its number in the game's records; empty if they are the same."""


def number_of(planes: Sequence[Plane], name: str) -> int:
    """Return the number of the plane with this name."""
    return next(k for k, plane in enumerate(planes) if plane.name == name)


def form_type(planes: int, cells: int) -> np.dtype[np.void]:
    """Return the record type of a form, for compiled code. `planes` and `cells`: the most that the family has."""
    return np.dtype(
        [
            ("plane", np.int16, (planes + len(PAST) * MOST_PAST,)),  # where to write each plane; -1: nowhere
            ("cell", np.int16, (cells,)),  # where to write each cell, by its number in the game's records; -1: no cell
            ("one", np.float64),  # number that stands for the value 1
            ("half", np.float64),  # added before a number becomes a byte, to round it
            ("cells", np.int64),
            ("past", np.int64),
        ],
        align=True,
    )


@helper
def put(planes: Numbers, form: FormRow, plane: int, cell: int, value: float) -> None:
    """Set one cell of a plane. `planes`: shape (planes of the form, cells), all zeros."""
    at = form.plane[plane]
    if at >= 0:
        planes[at, form.cell[cell]] = value * form.one + form.half


@helper
def fill(planes: Numbers, form: FormRow, plane: int, first: int, count: int, value: float) -> None:
    """Set `count` cells of a plane, from cell `first` on, to one value, at most 1. These are whole rows, which a turned
    board has in the same cells.
    """
    at = form.plane[plane]
    if at < 0 or value == 0.0:
        return
    number = min(value, 1.0) * form.one + form.half
    for cell in range(first, first + count):
        planes[at, cell] = number


class Form:
    """A layout of observations and action ids; made by `Game.form`. It holds no state of a match."""

    def __init__(
        self,
        ruleset: str,
        layout: Layout,
        record: np.dtype[np.void],
        players: int,
        dtype: Kind,
        canonical: bool,
        compact: bool,
        past: int,
    ) -> None:
        """Raises ValueError for another `dtype` and for more past moves than a view holds."""
        if dtype not in ("float32", "uint8"):
            raise ValueError(f"observations are float32 or uint8, not {dtype}")
        if not 0 <= past <= layout.past:
            raise ValueError(f"a view of this game holds 0 to {layout.past} past moves, not {past}")
        self.ruleset = ruleset
        """Name of the ruleset, as in views."""
        self._layout = layout
        kept = [k for k in range(len(layout.planes)) if not compact or layout.used[k]]
        planes = [layout.planes[k] for k in kept]
        planes += [Plane(f"{name} {k}", _PAST[name]) for k in range(1, past + 1) for name in PAST]
        shape = (len(planes), layout.rows, layout.columns)
        self.spec = ObservationSpec(shape, dtype, tuple(planes), 0.0, 1.0 if dtype == "float32" else 255.0)
        self.channels = self.spec.channels
        self.flat = (1, len(planes), layout.rows * layout.columns)
        """Shape of one observation as the kernels take it."""
        self.records = self._make_records(record, players, kept, past, canonical)
        """A record of `form_type` for each player, shape (players,)."""
        turns = [self._turn_actions(player) if canonical else np.arange(len(layout.parts)) for player in range(players)]
        used = np.array([not compact or (parts is not None and not parts.by_chance) for parts in layout.parts])
        self.games = np.stack([turn[used] for turn in turns]).astype(np.int32)
        """The game's action id by player and id of the form, shape (players, actions of the form)."""
        self.ids = np.stack([_invert(games, len(layout.parts)) for games in self.games])
        """The form's action id by player and id of the game, -1 for ids that the form leaves out. Shape (players,
        actions of the game).
        """

    @property
    def actions(self) -> int:
        """Number of action ids of this form."""
        return int(self.games.shape[1])

    def mask(self, view: View, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return which ids of the form are legal for the viewer, shape (actions,). `out`: written and returned. Raises
        ValueError for a view of another ruleset.
        """
        self.check(view.ruleset)
        found = np.zeros(self.actions, np.bool_) if out is None else check_mask(out, self.actions)
        found[:] = False
        if view.observer >= 0:
            found[self.ids[view.observer, view.legal]] = True
        return found

    def check(self, ruleset: str) -> Form:
        """Return this form if it is of this ruleset. Raises ValueError for another, whose ids mean other actions."""
        if self.ruleset != ruleset:
            raise ValueError(f"this is a form of {self.ruleset}, not of {ruleset}")
        return self

    def check_buffer(self, out: Planes, *shape: int) -> Planes:
        """Return `out` if observations of this form can be written into it: one, or as many as `shape` says. Raises
        TypeError or ValueError.
        """
        _check_array(out, "observations", self.spec.dtype, (*shape, *self.spec.shape))
        return out

    def make_buffer(self, *shape: int) -> Planes:
        """Return zeros for observations: the shape `shape`, then the shape of one observation."""
        return cast("Planes", np.zeros((*shape, *self.spec.shape), self.spec.dtype))

    def _make_records(
        self, record: np.dtype[np.void], players: int, kept: Sequence[int], past: int, canonical: bool
    ) -> NDArray[np.void]:
        rows, cells = zero_rows(record, players), self._layout.rows * self._layout.columns
        rows["plane"] = -1
        rows["plane"][:, kept] = np.arange(len(kept))
        first = len(self._layout.planes)
        rows["plane"][:, first : first + len(PAST) * past] = len(kept) + np.arange(len(PAST) * past)
        rows["cell"] = -1
        places = self._layout.places or range(cells)
        for player in range(players):
            rows["cell"][player, places] = self._layout.turns[player] if canonical else range(cells)
        rows["one"], rows["half"] = (1.0, 0.0) if self.spec.dtype == "float32" else (255.0, 0.5)
        rows["cells"], rows["past"] = cells, past
        return rows

    def _turn_actions(self, player: int) -> NDArray[np.int64]:
        """Return the action id in the game for each turned action id. Ids that are never legal keep their number."""
        numbers = number_parts(self._layout.parts)
        turned = np.arange(len(self._layout.parts))
        for action, parts in enumerate(self._layout.parts):
            if parts is not None and parts.cells:
                cells = tuple(self._layout.turns[player][cell] for cell in parts.cells)
                turned[action] = numbers[_sort_parts(msgspec.structs.replace(parts, cells=cells))]
        return turned


_PAST = {
    "past from": "1 on the cell that the last, second last, ... move left",
    "past to": "1 on the cell where it ended",
    "past attack": "1 on the cell where it ended, if it was an attack",
}


def place_parts(count: int, listed: Iterable[tuple[int, ActionParts]]) -> tuple[ActionParts | None, ...]:
    """Return the parts of `count` action ids; None for ids that are not listed."""
    parts: list[ActionParts | None] = [None] * count
    for action, each in listed:
        parts[action] = each
    return tuple(parts)


def number_parts(parts: Sequence[ActionParts | None]) -> dict[ActionParts, int]:
    """Return the action id by its parts."""
    return {_sort_parts(each): action for action, each in enumerate(parts) if each is not None}


def _sort_parts(parts: ActionParts) -> ActionParts:
    """Return the parts with their cells in one order, where the order of those after the first says nothing."""
    first, *others = parts.cells or (-1,)
    return msgspec.structs.replace(parts, cells=(first, *sorted(others)))


def check_mask(out: NDArray[np.bool_], *shape: int) -> NDArray[np.bool_]:
    """Return `out` if masks of this shape can be written into it. Raises TypeError or ValueError."""
    _check_array(out, "masks", "bool", shape)
    return out


def _check_array(out: object, what: str, dtype: str, shape: tuple[int, ...]) -> None:
    """Check that `what` can be written into an array. Raises TypeError or ValueError."""
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        given = f"of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        hint = "a form, which is given as form=..." if isinstance(out, Form) else given
        raise TypeError(f"{what} need an array of {dtype}, not {hint}")
    if out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"{what} need a contiguous array of shape {shape} that can be written to")


def find_action(numbers: dict[ActionParts, int], parts: ActionParts) -> int:
    """Return the id of an action by its parts. Raises ValueError if no action of the variant has them."""
    action = numbers.get(_sort_parts(parts))
    if action is None:
        raise ValueError(f"no action has the parts {parts.verb} {parts.cells} {parts.name}".rstrip())
    return action


def _invert(ids: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    found = np.full(count, -1, np.int32)
    found[ids] = np.arange(len(ids), dtype=np.int32)
    return found
