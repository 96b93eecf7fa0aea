"""Computer players. They see a game's interface and a `View`: never a game folder, never the true state.

Each module here that has an `AGENT` (something that makes an agent when called) is a computer player of that name;
nothing lists them by hand.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from gonfalon.ai.agent import Agent

__all__ = ["Agent", "agents"]


@cache
def agents() -> dict[str, Callable[[], Agent]]:
    """What makes each computer player, by its name, names in alphabetical order."""
    found: dict[str, Callable[[], Agent]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        maker = getattr(importlib.import_module(f"{__name__}.{module.name}"), "AGENT", None)
        if maker is not None:
            found[maker().name] = maker
    return found
