"""Computer players. They use the interface of a game and a `View`, never the folder of a family or the true state.

Each module here with `AGENTS` (callables that make an agent) adds computer players. There is no other list of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from gonfalon.ai.agent import Agent, Asker, Question

__all__ = ["Agent", "Asker", "Question", "agents"]


@cache
def agents() -> dict[str, Callable[[], Agent]]:
    """Return the callables that make the computer players, by name, in alphabetical order."""
    found: dict[str, Callable[[], Agent]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        for maker in getattr(importlib.import_module(f"{__name__}.{module.name}"), "AGENTS", ()):
            found[maker().name] = maker
    return dict(sorted(found.items()))
