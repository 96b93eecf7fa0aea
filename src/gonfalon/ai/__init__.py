"""Computer players. They use the interface of a game and a `View`, never the folder of a family or the true state.

Each module here with `AGENTS` (callables that make an agent) adds computer players. There is no other list of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from gonfalon.ai.agent import Agent, Asker, Question, play_on
from gonfalon.engine.spelling import list_known

__all__ = ["Agent", "Asker", "Question", "UnknownAgentError", "agents", "play_on"]


class UnknownAgentError(KeyError):
    """There is no computer player of this name. The message names those that exist."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show its text in quotes


class _Agents(dict[str, Callable[[], Agent]]):
    """Callables that make agents, by name."""

    def __missing__(self, name: str) -> Callable[[], Agent]:
        raise UnknownAgentError(f"no computer player {name!r}; {list_known(name, self)}")


@cache
def agents() -> dict[str, Callable[[], Agent]]:
    """Return the callables that make the computer players, by name, in alphabetical order. For another name the dict
    raises `UnknownAgentError`, a KeyError.
    """
    found: dict[str, Callable[[], Agent]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        for maker in getattr(importlib.import_module(f"{__name__}.{module.name}"), "AGENTS", ()):
            found[maker().name] = maker
    return _Agents(sorted(found.items()))
