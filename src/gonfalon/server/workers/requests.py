"""Requests to the processes of computer players. A request holds only what its player may know, never a state."""

from __future__ import annotations

from typing import Literal

import msgspec

from gonfalon.engine.events import Event
from gonfalon.engine.rulesets.ruleset import Written
from gonfalon.engine.view import View


class GameQuery(msgspec.Struct, frozen=True):
    """The question whether an agent plays a game (`ai.agent.Specialist`)."""

    agent: str
    """Name of the agent."""
    rules: str | Written
    """The variant, for `games.make`."""
    changed: dict[str, bool | int] = {}
    """House rules that differ from the variant's."""


class UnknownAgent(msgspec.Struct, frozen=True):
    """An answer: the process has no agent of this name."""

    name: str


Verb = Literal["load", "act", "consider", "answer", "suggest"]
"""Kind of work: `load` the game, decide, rate the options, answer a draw offer, suggest an arrangement."""


class News(msgspec.Struct, frozen=True):
    """The events of the steps from number `first` to `end` (not included)."""

    first: int
    end: int
    events: tuple[Event, ...]


class AgentRequest(msgspec.Struct, frozen=True):
    """One question to the computer player of a seat."""

    match: str
    """Id of the match. All requests of a match go to one process, so the agent may remember it."""
    rules: str | Written
    """The variant, for `games.make`."""
    changed: dict[str, bool | int]
    """House rules that differ from the variant's."""
    agent: str
    """Name of the agent; empty if none is needed (`suggest`)."""
    view: View
    """The view of the player, who is its observer."""
    news: News = News(0, 0, ())
    """Events that the agent has not got yet."""


class Job(msgspec.Struct, frozen=True):
    """Work for a process: a request, the kind of work, and the time for it."""

    verb: Verb
    request: AgentRequest
    seconds: float = 0.0
    given: dict[str, str] = {}
    """For `suggest`: faces that are already placed, by place."""
