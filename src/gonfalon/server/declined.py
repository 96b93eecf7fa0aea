"""What the server itself refuses: one exception that carries the line for the page."""

from __future__ import annotations

from typing import Any

from gonfalon.engine.events import Refusal
from gonfalon.engine.scene import Line


class Declined(Exception):  # noqa: N818 - a refusal, not an error of the program
    """Something is not done; `line` says why, `status` is the HTTP status where there is one."""

    def __init__(self, code: str, status: int = 409, **args: Any) -> None:
        super().__init__(code)
        self.line = Line(code, args)
        self.status = status


def declined(refusal: Refusal) -> Declined:
    """A game's refusal as one of the server."""
    return Declined(refusal.code, **refusal.args)
