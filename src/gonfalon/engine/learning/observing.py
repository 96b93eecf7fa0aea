"""The part of a game that makes observations of views, with the checks of states and views that all games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property, wraps
from hashlib import blake2b
from inspect import isfunction, signature
from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import EVERYTHING, Game, State, Tensors
from gonfalon.engine.learning.observation import (
    ActionParts,
    Form,
    Kind,
    Layout,
    ObservationSpec,
    Planes,
    find_action,
    number_parts,
)
from gonfalon.engine.view import View, as_bytes, zero_rows


class StateModule(Protocol):
    """The parts of a family's `state.py` that generic code uses."""

    STATE: np.dtype[np.void]
    """Record type with the fields `phase`, `over` and `winner`."""
    VIEW: np.dtype[np.void]
    SIDES: tuple[str, ...]
    """Names of the sides by player."""
    ACTIONS: int
    MOST_LEGAL: int
    OVER: int
    """Phase of a match that has ended."""
    OVER_REASONS: tuple[str, ...]
    """Termination codes, indexed by the field `over`."""
    NONE: int
    """Value of the field `winner` for a draw."""


_ONE = (1,)
"""Shape of one state."""


def _check_arguments(member: Callable[..., Any]) -> Callable[..., Any]:
    """Return a member of a game that first checks its first argument, if this is a state or a view. Usual arguments
    need only the quick look here, because single steps take few microseconds.
    """
    names = list(signature(member).parameters)[1:2]
    if names in (["state"], ["_state"]):

        @wraps(member)
        def call(self: Observing, state: State, *rest: Any, **named: Any) -> Any:
            if state.__class__ is not np.ndarray or state.dtype is not self.records.STATE or state.shape != _ONE:
                self._check_state(state)
            return member(self, state, *rest, **named)

        return call
    if names in (["view"], ["_view"], ["before"]):

        @wraps(member)
        def call_with_view(self: Observing, view: View, *rest: Any, **named: Any) -> Any:
            if view.__class__ is not View or view.ruleset is not self._name:
                self._check_view(view)
            return member(self, view, *rest, **named)

        return call_with_view
    return member


class Observing(Game, ABC):
    """Observations of a game whose states and views are records.

    Each member of `Game` that a family defines checks its state or view: several rows, or the view of another ruleset,
    would give a wrong answer and no error.
    """

    records: StateModule
    form_type: np.dtype[np.void]
    """Record of a form, for the family's `encode` kernel."""
    _name: str
    """Name of the ruleset, as in views."""
    _players: int
    _actions: int

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name, member in list(vars(cls).items()):
            if isfunction(member) and hasattr(Game, name) and not name.startswith("_"):
                setattr(cls, name, _check_arguments(member))

    def _check_states(self, states: State) -> None:
        """Check the type of one or more states, as a kernel would read wrong memory otherwise. Raises TypeError."""
        record = self.records.STATE
        # Compare identities first: usually the types are the same object, and this takes a tenth of the time.
        if not isinstance(states, np.ndarray) or (states.dtype is not record and states.dtype != record):
            raise TypeError(f"a state of {self.info.variant} is an array of its own record type")
        if states.ndim != 1 or not len(states):
            raise TypeError(f"states have the shape (n,), with at least one, not {states.shape}")

    def _check_state(self, state: State) -> None:
        """Check that a state is one state of this game. Raises TypeError."""
        if isinstance(state, np.ndarray) and state.shape != _ONE:
            raise TypeError(f"a state has the shape (1,), not {state.shape}: take `states[i : i + 1]` of several")
        self._check_states(state)

    def _check_view(self, view: View) -> None:
        """Check that a view was made by a game with the same ruleset. Raises TypeError or ValueError."""
        if not isinstance(view, View):
            raise TypeError(f"a view is made by `view`, not {type(view).__name__}")
        if view.ruleset != self._name:
            raise ValueError(f"this is a view of {view.ruleset or 'no ruleset'}, not of {self._name}")

    @cached_property
    def _layout(self) -> Layout:
        return self._describe_layout()

    @abstractmethod
    def _describe_layout(self) -> Layout:
        """Return what the planes and action ids of the variant mean."""

    @cached_property
    def _plain_form(self) -> Form:
        return self.form()

    @property
    def observation_spec(self) -> ObservationSpec:
        return self._plain_form.spec

    def form(self, *, dtype: Kind = "float32", canonical: bool = False, compact: bool = False, past: int = 0) -> Form:
        return Form(self._name, self._layout, self.form_type, self._players, dtype, canonical, compact, past)

    def encode(self, view: View, out: Planes | None = None, form: Form | None = None) -> Tensors:
        self._check_view(view)
        form = self._plain_form if form is None else form.check(self._name)
        planes = form.make_buffer() if out is None else form.check_buffer(out)
        observer = max(view.observer, 0)
        self.kernels.encode(view.record, 0, self.rules, form.records, observer, planes.reshape(form.flat), 0)
        return Tensors(planes, form.channels)

    def encode_belief(self, view: View, worlds: State, form: Form | None = None) -> Tensors:
        self._check_view(view)
        self._check_states(worlds)
        form = self._plain_form if form is None else form.check(self._name)
        views, planes = zero_rows(self.records.VIEW), form.make_buffer()
        total, flat = np.zeros(planes.shape), planes.reshape(form.flat)
        for i in range(len(worlds)):
            as_bytes(views)[:] = 0
            self.kernels.view(worlds, i, self.rules, EVERYTHING, views, 0)
            views["observer"], views["n_legal"] = view.observer, view.n_legal
            self.kernels.encode(views, 0, self.rules, form.records, max(view.observer, 0), flat, 0)
            total += planes
        mean = total / len(worlds)
        planes[:] = np.rint(mean) if form.spec.dtype == "uint8" else mean
        return Tensors(planes, form.channels)

    def action_parts(self, action: int) -> ActionParts | None:
        if not 0 <= index(action) < self._actions:
            raise ValueError(f"no action {action}; there are 0 to {self._actions - 1}")
        return self._layout.parts[action]

    @cached_property
    def _numbers(self) -> dict[ActionParts, int]:
        return number_parts(self._layout.parts)

    def find_action(self, parts: ActionParts) -> int:
        return find_action(self._numbers, parts)

    def key(self, view: View, *, exact: bool = True) -> bytes:
        self._check_view(view)
        found = blake2b(digest_size=16)
        for part in self._list_key_parts(view, exact):
            found.update(np.ascontiguousarray(part).data)
        return found.digest()

    @abstractmethod
    def _list_key_parts(self, view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
        """Yield the content of a view that counts for `key`."""
