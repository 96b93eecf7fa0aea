"""What one observer may see of a state."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def zero_rows(dtype: np.dtype[np.void], count: int = 1) -> NDArray[np.void]:
    """The same as `np.zeros(count, dtype)`, which takes 3 us for a type of many fields; this takes 0.5 us."""
    return np.ndarray((count,), dtype, bytearray(count * dtype.itemsize))


def copy_rows(rows: NDArray[np.void]) -> NDArray[np.void]:
    """The same as `rows.copy()`, but copied as bytes, not field by field: 0.3 us instead of 7."""
    return np.ndarray(rows.shape, rows.dtype, bytearray(rows.tobytes()))


class View:
    """Reads a view record, which a game's view kernel has filled field by field.

    Only fields of the view's own record type exist here, so nothing of the state can slip through. `record` has the
    shape (1,).
    """

    __slots__ = ("observer", "record")

    def __init__(self, record: NDArray[np.void], observer: int) -> None:
        self.record = record
        self.observer = observer

    def __repr__(self) -> str:
        return f"<what observer {self.observer} sees: {', '.join(self.record.dtype.names or ())}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """As bytes: NumPy's own way leaves out those between fields, and views are compared byte by byte."""
        return _restore, (self.tobytes(), self.record.dtype, self.observer)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.record[name][0]
        except (ValueError, IndexError):
            raise AttributeError(f"a view has no field {name!r}") from None

    @property
    def legal(self) -> NDArray[np.int32]:
        """The viewer's legal action ids, ascending, int32 (n,)."""
        row = self.record[0]
        legal: NDArray[np.int32] = row["legal"][: row["n_legal"]].astype(np.int32)
        return legal

    def tobytes(self) -> bytes:
        """All that the view holds, to compare two worlds byte by byte."""
        return self.record.tobytes()


def _restore(content: bytes, dtype: np.dtype[np.void], observer: int) -> View:
    return View(np.ndarray((1,), dtype, bytearray(content)), observer)
