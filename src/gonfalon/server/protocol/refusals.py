"""Refusals of the server itself: one exception that carries the line for the page."""

from __future__ import annotations

from typing import Any

from gonfalon.engine.events import Refusal
from gonfalon.engine.screens.scene import Line


class Declined(Exception):  # noqa: N818 - a refusal, not an error of the program
    """The server refuses something. `line` says why; `status` is the status of an HTTP answer."""

    def __init__(self, code: str, status: int = 409, **args: Any) -> None:
        super().__init__(code)
        self.line = Line(code, args)
        self.status = status

    @classmethod
    def by_game(cls, refusal: Refusal) -> Declined:
        """Return the refusal of an action that the rules forbid."""
        return cls(refusal.code, **refusal.args)
