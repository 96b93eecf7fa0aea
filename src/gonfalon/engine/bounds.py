"""The fields of a family's records with their bounds, and one check of them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gonfalon.engine.game import TextError


class Field(NamedTuple):
    """A field of unsigned numbers."""

    name: str
    type: type[np.unsignedinteger]
    shape: tuple[int, ...]
    most: int
    """The greatest value."""
    none: int | None = None
    """A value above `most` that stands for "none"."""


def columns(fields: Sequence[Field]) -> list[tuple[str, type, tuple[int, ...]]]:
    """Return the fields as `np.dtype` takes them."""
    return [(field.name, field.type, field.shape) for field in fields]


def check_bounds(row: np.void, fields: Sequence[Field]) -> None:
    """Check a record: kernels use most values as unchecked indices. Raises `TextError` naming the field."""
    for field in fields:
        values = np.ravel(row[field.name])
        for value in values[values > field.most].tolist():
            if value != field.none:
                raise TextError(f"{field.name}: {value} is more than {field.most}")
