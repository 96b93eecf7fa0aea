"""Agents: the interface of a computer player, its questions, and the `Asker` that puts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

import msgspec
import numpy as np

from gonfalon.engine.chance import draw
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.search import Option
from gonfalon.engine.view import View

REHEARSED = 8
"""Actions of a rehearsal after the deployments."""
REHEARSAL = 0.1
"""Seconds for each decision of a rehearsal."""


class Question(msgspec.Struct, frozen=True):
    """A question to a computer player: the decision of `view.observer`. It holds the knowledge of a person at the
    table.
    """

    view: View
    """The player's view now, with the open part of a compound choice."""
    events: tuple[Event, ...]
    """The player's events since this agent's last question, in order, own actions included. A new agent gets all events
    since the match (or the given position) began, also from decisions that another agent made for the player.

    With the first view this is the player's information state. Events of an open choice may come only when it is
    complete.
    """
    seconds: float
    """Thinking time in seconds. An arena counts a later answer as late, and kills the agent far beyond it."""
    processor_time: bool = False
    """Whether `seconds` are processor time of the agent alone, so that other work on the machine takes nothing away."""
    cores: int = 1
    """Number of cores that the agent may use at once."""


class Agent(Protocol):
    """A computer player, for every game. It gets what a person gets: the rules (`game`), its own view and its own
    events.

    An agent may remember things between the decisions of one match; a new match gets a new agent. The caller may
    replace it at any time; the new agent then gets all events from the start.
    """

    name: str
    """One word in lower case. The page words it as `agent.<name>.title`."""

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """Return the action ids of one decision. For a deployment these are all placements. For another compound choice
        they are all of its actions or the first ones; then the agent gets another question. Otherwise it is one
        action.

        All randomness comes from `rng`, so the same question, memory and generator give the same answer; an agent that
        uses a clock may differ. Raises ValueError if the viewer cannot act.
        """


@runtime_checkable
class Adviser(Agent, Protocol):
    """A computer player that can judge a position without deciding."""

    def consider(self, game: Game, question: Question, rng: np.random.Generator) -> tuple[Option, ...]:
        """Return the best decisions of a view, the best first, each with the expected result. Not for a deployment or
        another arrangement.
        """


@runtime_checkable
class Listener(Agent, Protocol):
    """A computer player that gets events at once, so that its questions have none."""

    def hear(self, events: Sequence[Event]) -> None:
        """Take the player's events of a step, whoever made it. Raises nothing: a failure shows in the next answer."""


class Asker:
    """Puts the questions to the computer players of one match, and keeps each one's events until its next question."""

    def __init__(
        self,
        game: Game,
        agents: Mapping[int, Agent],
        seconds: float,
        *,
        processor_time: bool = False,
        cores: int = 1,
    ) -> None:
        """`agents`: by player; other players get no questions. `seconds`: time for one decision; `processor_time`,
        `cores`: see `Question`.
        """
        self._game = game
        self._agents = agents
        self._seconds = seconds
        self._processor_time, self._cores = processor_time, cores
        self._untold: dict[int, list[Event]] = {player: [] for player in agents}
        self._listeners = {player: agent for player, agent in agents.items() if isinstance(agent, Listener)}

    def note(self, action: int, after: State) -> None:
        """Take a step of the match: `action` (or a pseudo-action) of any player has led to `after`."""
        for player, untold in self._untold.items():
            events = self._game.events(action, after, player)
            if listener := self._listeners.get(player):
                listener.hear(events)
            else:
                untold.extend(events)

    def ask(self, player: int, state: State, rng: np.random.Generator) -> list[int]:
        """Return the answer of the player's agent; see `Agent.act`."""
        events, self._untold[player] = self._untold[player], []
        view = self._game.view(state, player)
        question = Question(view, tuple(events), self._seconds, self._processor_time, self._cores)
        return self._agents[player].act(self._game, question, rng)


def play_on(game: Game, asker: Asker, rng: np.random.Generator) -> Iterator[tuple[State, int, int, State]]:
    """Plays a match from its beginning, for rehearsals. Yields every step (before, player, action, after), draws of
    chance included.
    """
    state = game.initial_state()
    while actors := game.to_act(state):
        player = actors[0]
        for action in [draw(game, state, rng)] if player == CHANCE else asker.ask(player, state, rng):
            after = game.apply(state, player, action)
            asker.note(action, after)
            yield state, player, action, after
            state = after


def rehearse(game: Game, make_agent: Callable[[], Agent], rng: np.random.Generator) -> None:
    """Deploys and plays a little in all seats, so that compilation counts as starting and not as thinking."""
    players, played = {player: make_agent() for player in range(game.info.players)}, 0
    for _, player, _, after in play_on(game, Asker(game, players, REHEARSAL), rng):
        played += player != CHANCE and game.standing(game.view(after, player)).started
        if played >= REHEARSED:
            return
