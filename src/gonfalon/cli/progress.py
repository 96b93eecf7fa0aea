"""Progress of a long command, on standard error; if this is not a terminal, it shows nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Progress:
    """One line that counts the steps of a task. It needs no other package, so arenas run with the library alone."""

    def __init__(self, text: str, total: int, done: int = 0) -> None:
        self._text, self._total, self._done = text, total, done
        self._first, self._begin = done, time.monotonic()
        self._shown = sys.stderr.isatty()
        self._show()

    def advance(self, text: str = "") -> None:
        """Count one more step. `text` replaces the line's text."""
        self._text = text or self._text
        self._done += 1
        self._show()

    def end(self) -> None:
        """Leave the line."""
        if self._shown:
            print(file=sys.stderr)

    def _show(self) -> None:
        if self._shown:
            line = f"{self._text}  {self._done}/{self._total}{self._word_rest()}"
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def _word_rest(self) -> str:
        """Return the time that the remaining steps will take, as text; empty before the first step."""
        done = self._done - self._first
        if not done:
            return ""
        rest = round((time.monotonic() - self._begin) / done * (self._total - self._done))
        return f"  {rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02} left"


@contextmanager
def show_progress(text: str, total: int, done: int = 0) -> Iterator[Progress]:
    """Show the progress of a task inside the block."""
    progress = Progress(text, total, done)
    try:
        yield progress
    finally:
        progress.end()


def track(steps: Iterable[T], text: str, total: int) -> Iterator[T]:
    """Yield the steps and show how many there were."""
    with show_progress(text, total) as progress:
        for step in steps:
            yield step
            progress.advance()
