"""The fields of a family's records with their maximum values, and a check of these."""

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
    """The maximum value."""
    none: int | None = None
    """A value above `most` that means "none"."""


def columns(fields: Sequence[Field]) -> list[tuple[str, type, tuple[int, ...]]]:
    """Return the fields in the form that `np.dtype` accepts."""
    return [(field.name, field.type, field.shape) for field in fields]


def check_bounds(row: np.void, fields: Sequence[Field]) -> None:
    """Check the values of a record, because kernels use most of them as unchecked indices. Raises `TextError` with the
    name of the field.
    """
    for field in fields:
        values = np.ravel(row[field.name])
        for value in values[values > field.most].tolist():
            if value != field.none:
                raise TextError(f"{field.name}: {value} is more than {field.most}")
