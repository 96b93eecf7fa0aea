"""Compiles rules with Numba: `helper`, `entry`, `long_entry`, `making_entry`. No other file imports Numba.

Python calls an `entry`, which is cached on disk. Other rules call a `helper`, which becomes part of every entry that
uses it. Compiled code makes no arrays, except in a `making_entry`: without counts of array references it is a tenth to
a third faster (ADR 19).

Numba's cache checks only the file of the cached function, so it would miss a change in other files. Therefore this
module sets the cache stamp to a hash of all sources and data of the engine and of the function's own family. Families
never import one another.

With `GONFALON_PLAIN=1` nothing is compiled: the same source runs as Python on namespaces made from rows (a structured
row has no attributes). This serves for debugging, for coverage, and to check the compiled rules.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.compile_lock import hold_lock

log = logging.getLogger("gonfalon.rules")
F = TypeVar("F", bound=Callable[..., Any])

StateRow = Any
"""A row of the family's STATE records (compiled), or a namespace with the same fields (plain). `ViewRow` and `RulesRow`
likewise.
"""
ViewRow = Any
RulesRow = Any
Records = Any
"""An array of records, shape (n,): `engine.compiled.kernels.Rows`. Compiled code reads the fields as attributes."""
Numbers = Any
"""A flat array of numbers, int32 unless a docstring says otherwise."""

_ENGINE = Path(__file__).resolve().parents[1]
PLAIN = os.environ.get("GONFALON_PLAIN", "") not in ("", "0")
"""Whether the rules run uncompiled in this process."""

index: Any = int if PLAIN else np.uint32
"""Type for indices that are never negative, in hot loops. For a signed index, compiled code checks whether it counts
from the end; this costs a fifth of the speed of random play.
"""


@functools.cache
def source_stamp(family: Path) -> str:
    """Return a hash of every .py and .toml file of the engine and of a family's folder, without tests: compiled code
    can depend on all of these.
    """
    root = _ENGINE.parent
    files = [path for part in {_ENGINE, family} for path in part.rglob("*") if path.suffix in (".py", ".toml")]
    digest = hashlib.sha256()
    for path in sorted(path for path in files if "tests" not in path.parts[len(root.parts) :]):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def stamp_of(function: Callable[..., Any]) -> str:
    """Return the `source_stamp` of the function's family; for a function of the engine, of the engine alone."""
    path = Path(function.__code__.co_filename).resolve()
    if path.is_relative_to(_ENGINE):
        return source_stamp(_ENGINE)
    games = _ENGINE.parent / "games"
    return source_stamp(games / path.relative_to(games).parts[0])


def helper(function: F) -> F:
    """Mark a rule that only other rules call. It is compiled into the entries that use it.

    Python must not call a compiled helper: it has no wrapper for such calls, and the process would crash.
    """
    if PLAIN:
        return function
    import numba

    # Without wrappers for callers outside compiled code, compilation takes a third less time.
    compiled = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)
    _widen_arguments(compiled)
    return compiled  # type: ignore[no-any-return]


def entry(function: F) -> F:
    """Mark a rule that Python calls. It is compiled on first use, then cached on disk until any source changes."""
    return _compile_entry(function)


def long_entry(function: F) -> F:
    """Mark an entry that runs for long: other threads run Python meanwhile, and must not write to its arrays.

    Only searches and the loops of `Batch` may be long entries: each has a copy of the rules and scratch rows of
    its own. All others keep the interpreter's lock. One `Game` serves many threads with one rules record, and the list
    of legal actions is a field of it. Without the lock, one thread would copy the list that another thread is writing,
    and a view could show the legal actions of another player.
    """
    return _compile_entry(function, shares_python=True)


def making_entry(function: F) -> F:
    """Mark an entry that makes arrays. Others that try it fail to compile."""
    return _compile_entry(function, makes_arrays=True)


def _compile_entry(function: F, *, shares_python: bool = False, makes_arrays: bool = False) -> F:
    if PLAIN:
        return _plain_entry(function)
    import numba

    compile_function = functools.partial(
        numba.njit, error_model="numpy", no_cfunc_wrapper=True, nogil=shares_python, _nrt=makes_arrays
    )
    try:
        compiled = compile_function(cache=True)(function)
    except RuntimeError:  # neither the package's folder nor the user's cache is writable
        _warn_uncached()
        return compile_function()(function)  # type: ignore[no-any-return]
    _stamp(compiled, function)
    _compile_alone(compiled, function)
    return compiled  # type: ignore[no-any-return]


@functools.cache
def _warn_uncached() -> None:
    log.warning(
        "no folder for compiled rules is writable, so every start compiles them again; "
        "set NUMBA_CACHE_DIR to a folder that this user may write to"
    )


def _stamp(compiled: Any, function: Callable[..., Any]) -> None:
    # Numba has no public way to set the stamp. If Numba renames these parts, `tests/engine/test_jit.py` fails.
    compiled._cache._cache_file._source_stamp = stamp_of(function)


def _compile_alone(compiled: Any, function: Callable[..., Any]) -> None:
    """Let only one process at a time compile the function; the next one finds it in the cache.

    Numba calls `compile` on the first call with arguments of some types. Later calls do not come through here.
    """
    compile_now = compiled.compile
    lock = Path(compiled.stats.cache_path) / f"{function.__module__}.{function.__qualname__}.lock"

    def compile_alone(signature: Any) -> Any:
        with hold_lock(lock):
            return compile_now(signature)

    compiled.compile = compile_alone


def _widen_arguments(compiled: Any) -> None:
    """Make all whole-number arguments int64.

    Numba would compile a helper again for every mix of byte, word and literal arguments. That takes twice the time, and
    gives unsigned arithmetic where the plain mode has signed arithmetic. Numba has no public way to prevent this;
    `tests/engine/test_jit.py` also fails if these parts change.
    """
    from numba import types

    def wide(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) else kind

    template = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: template(tuple(map(wide, args)), kws)


class _PlainRows:
    """Rows of a structured array as namespaces of Python ints and arrays. `write_back` stores the changes."""

    def __init__(self, array: NDArray[np.void]) -> None:
        self._array = array
        self._rows: dict[int, SimpleNamespace] = {}

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int) -> SimpleNamespace:
        if index not in self._rows:
            row = self._array[index]
            self._rows[index] = SimpleNamespace(**{name: _to_plain(row[name]) for name in row.dtype.names or ()})
        return self._rows[index]

    def __setitem__(self, index: int, row: SimpleNamespace) -> None:
        fields = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in vars(row).items()}
        self._rows[index] = SimpleNamespace(**fields)

    def write_back(self) -> None:
        for index, row in self._rows.items():
            for name, value in vars(row).items():
                self._array[index][name] = value


def _to_plain(value: Any) -> Any:
    """Return a field as a Python number or an array. Whole numbers become int64: small unsigned ones would wrap in
    NumPy, but are widened in compiled code.
    """
    if not value.ndim:
        return value.item()
    return value.astype(np.int64 if value.dtype.kind in "iu" else value.dtype)


def _plain_entry(function: F) -> F:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        wrapped = [_PlainRows(a) if isinstance(a, np.ndarray) and a.dtype.names else a for a in args]
        result = function(*wrapped)
        for rows in wrapped:
            if isinstance(rows, _PlainRows):
                rows.write_back()
        return result

    return call  # type: ignore[return-value]
