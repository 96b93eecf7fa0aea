"""Agents: the interface of a computer player, its questions, and `Asker`, which puts the questions."""

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
"""Number of actions played after the deployments when an agent is warmed up (`rehearse`), so that compilation costs no
thinking time.
"""
REHEARSAL = 0.1
"""Seconds for each decision while an agent is warmed up."""


class Question(msgspec.Struct, frozen=True):
    """A question to a computer player: the decision of `view.observer`. It holds what a person at the table would
    know.
    """

    view: View
    """The player's view now. If a compound choice is open, its first actions are already made."""
    events: tuple[Event, ...]
    """The player's events since this agent's last question, in order, also those of the player's own actions. A new
    agent gets all events since the match (or the given position) began, even if another agent decided for the player
    before.

    Together with the first view, the events are the player's information state. Events of an open choice may come only
    when it is complete.
    """
    seconds: float
    """Thinking time in seconds. An arena counts a later answer as late, and kills the agent when it is far too late."""
    processor_time: bool = False
    """Whether `seconds` count only the agent's own processor time, so that other work on the machine does not
    matter.
    """
    cores: int = 1
    """Number of cores that the agent may use at once."""


class Agent(Protocol):
    """A computer player, for every game. It gets what a person gets: the rules (`game`), the view of its player and the
    events of its player.

    An agent may remember things between the decisions of one match. Each match needs a new agent. The caller may also
    replace the agent during a match; the new agent then gets all events from the start.
    """

    name: str
    """One word in lower case. The page shows the message `agent.<name>.title`."""

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """Return the action ids of one decision. For a deployment these are all placements. For another compound choice
        they are all of its actions or the first ones; after the first ones the agent gets another question. For any
        other decision it is one action.

        All randomness comes from `rng`. So equal questions, memories and generators give equal answers, unless the
        agent uses a clock. Raises ValueError if the viewer cannot act.
        """


@runtime_checkable
class Adviser(Agent, Protocol):
    """A computer player that can judge a position without deciding."""

    def consider(self, game: Game, question: Question, rng: np.random.Generator) -> tuple[Option, ...]:
        """Return the best decisions of a view, the best first, each with the expected result. The view must not ask for
        a deployment or another arrangement.
        """


@runtime_checkable
class Listener(Agent, Protocol):
    """A computer player that gets events at once. Its questions hold no events."""

    def hear(self, events: Sequence[Event]) -> None:
        """Handle the player's events of a step, by whichever player. Must not raise: a failure shows in the next
        answer.
        """


@runtime_checkable
class Specialist(Agent, Protocol):
    """A computer player that knows only some games. Other agents know every game."""

    def plays(self, game: Game) -> bool:
        """Return whether the agent can play this game, with its house rules. Nobody asks it anything else about other
        games.
        """


def can_play(agent: Agent, game: Game) -> bool:
    """Return whether an agent knows a game: true unless it has `plays` (`Specialist`), which denies it."""
    plays: Callable[[Game], bool] | None = getattr(agent, "plays", None)
    return plays is None or bool(plays(game))


class Asker:
    """Puts the questions to the computer players of one match. It keeps the events of each player until the next
    question.
    """

    def __init__(
        self,
        game: Game,
        agents: Mapping[int, Agent],
        seconds: float,
        *,
        processor_time: bool = False,
        cores: int = 1,
    ) -> None:
        """`agents`: by player; other players get no questions. `seconds`: time per decision. `processor_time`, `cores`:
        see `Question`.
        """
        self._game = game
        self._agents = agents
        self._seconds = seconds
        self._processor_time, self._cores = processor_time, cores
        self._untold: dict[int, list[Event]] = {player: [] for player in agents}
        self._listeners = {player: agent for player, agent in agents.items() if isinstance(agent, Listener)}

    def note(self, action: int, after: State) -> None:
        """Note a step of the match: `action` (or a pseudo-action) of any player has led to `after`."""
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
    """Play a match from its beginning, for warm-ups. Yield every step (before, player, action, after), also draws of
    chance. Raises ValueError if an agent gives no action, and any error of an agent.
    """
    state = game.initial_state()
    while actors := game.to_act(state):
        player = actors[0]
        actions = [draw(game, state, rng)] if player == CHANCE else asker.ask(player, state, rng)
        if not actions:
            raise ValueError(f"player {player}'s agent gave no action")
        for action in actions:
            after = game.apply(state, player, action)
            asker.note(action, after)
            yield state, player, action, after
            state = after


def rehearse(game: Game, make_agent: Callable[[], Agent], rng: np.random.Generator) -> None:
    """Deploy and play a little for all seats, so that compilation does not count as thinking."""
    players, played = {player: make_agent() for player in range(game.info.players)}, 0
    for _, player, _, after in play_on(game, Asker(game, players, REHEARSAL), rng):
        played += player != CHANCE and game.standing(game.view(after, player)).started
        if played >= REHEARSED:
            return
