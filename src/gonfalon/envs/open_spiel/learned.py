"""Information states: texts of everything that an observer has learned, one for each step."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Event

BITS = 64
"""Number of bits that stand for one step in the tensor of an information state."""


class Learned:
    """An immutable list of texts. A longer list shares the texts of the shorter one, so clones of states are cheap."""

    __slots__ = ("digest", "earlier", "text")

    def __init__(self, text: str, earlier: Learned | None = None) -> None:
        self.text = text
        self.earlier = earlier
        before = earlier.digest if earlier is not None else b""
        self.digest: bytes = hashlib.blake2b(before + text.encode(), digest_size=16).digest()
        """Hash of the whole list."""

    def add(self, lines: Sequence[str]) -> Learned:
        """Return the list with a further step; the same list if there are no lines."""
        return Learned("\n".join(lines), self) if lines else self

    def __iter__(self) -> Iterator[str]:
        texts: list[str] = []
        part: Learned | None = self
        while part is not None:
            texts.append(part.text)
            part = part.earlier
        return reversed(texts)

    def __str__(self) -> str:
        return "\n".join(self)

    def __deepcopy__(self, _memo: object) -> Learned:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # As a flat list: a chain of objects is too deep for pickle.
        return join, (list(self),)

    def subtract(self, other: Learned) -> str:
        """Return the lines of this list that are not in the other one."""
        known = Counter(str(other).splitlines())
        lines = []
        for line in str(self).splitlines():
            if known[line]:
                known[line] -= 1
            else:
                lines.append(line)
        return "\n".join(lines)

    def fill(self, rows: NDArray[np.float32]) -> None:
        """Fill a tensor of shape (steps, BITS): a hash of each text, and zeros for steps to come."""
        rows[:] = 0
        for row, text in zip(rows, self, strict=False):
            digest = hashlib.blake2b(text.encode(), digest_size=BITS // 8).digest()
            row[:] = np.unpackbits(np.frombuffer(digest, np.uint8))


def join(texts: Sequence[str]) -> Learned:
    """Return the list of these texts; there is at least one."""
    longer: Learned | None = None
    for text in texts:
        longer = Learned(text, longer)
    assert longer is not None
    return longer


def write_events(events: Iterable[Event]) -> list[str]:
    """Return one line for each event."""
    return [" ".join((event.code, *(f"{name}={value}" for name, value in event.args.items()))) for event in events]
