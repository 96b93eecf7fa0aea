"""Computer players. They use a game's interface and a `View`, never a family's folder or the true state.

Each module here with `AGENTS` (callables that make an agent) has computer players. Nothing lists them by hand.
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
    """The callables that make the computer players, by name, in alphabetical order."""
    found: dict[str, Callable[[], Agent]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        for maker in getattr(importlib.import_module(f"{__name__}.{module.name}"), "AGENTS", ()):
            found[maker().name] = maker
    return dict(sorted(found.items()))
