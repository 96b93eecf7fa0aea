"""One match between agents. An agent that fails resigns; if several other players are left, they play on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
import numpy as np

from gonfalon.ai.agent import Agent, Asker
from gonfalon.ai.protocol.program import Program, ProgramError
from gonfalon.engine.chance import draw
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Game, IllegalActionError, State
from gonfalon.engine.search import find_timer
from gonfalon.engine.view import View

LATE = 1.2
"""A decision is late if it takes longer than its time multiplied by this factor."""
Steps = list[tuple[int, int]]
"""Players and their actions, including pseudo-actions."""


class Pace(NamedTuple):
    """Time for each decision of our agents."""

    seconds: float
    processor_time: bool = False
    """Whether only the agent's own processor time counts; see `Plan`."""
    cores: int = 1


class Clock(msgspec.Struct):
    """Number and duration of one player's decisions."""

    decisions: int = 0
    late: int = 0
    slowest: float = 0.0
    """Slowest decision, in seconds."""

    def note(self, taken: float, seconds: float) -> None:
        self.decisions += 1
        self.late += taken > seconds * LATE
        self.slowest = max(self.slowest, taken)


class Played(msgspec.Struct, frozen=True):
    """A finished match. `failed`: for each player whose agent failed, a word and a detail, such as `silent: ...`."""

    returns: tuple[float, ...]
    reason: str
    turns: int
    clocks: tuple[Clock, ...]
    failed: dict[int, str]
    steps: Steps


class FailureError(Exception):
    """A player's agent gave no legal answer."""


class Table:
    """A match in progress."""

    def __init__(
        self,
        game: Game,
        players: Mapping[int, Agent],
        pace: Pace,
        state: State | None = None,
    ) -> None:
        """`state`: the first position, if it is not the initial one."""
        self.game = game
        self.state = game.initial_state() if state is None else state
        self.steps: Steps = []
        self.failed: dict[int, str] = {}
        self._seconds = pace.seconds
        self._players = players
        self._asker = Asker(game, players, pace.seconds, processor_time=pace.processor_time, cores=pace.cores)
        self._timers = {
            player: find_timer(pace.processor_time and not isinstance(agent, Program))
            for player, agent in players.items()
        }
        self._clocks = {player: Clock() for player in players}

    def step(self, player: int, action: int) -> None:
        """Play an action. Raises `IllegalActionError`, TypeError."""
        self._note(player, action, self.game.apply(self.state, player, action))

    def _note(self, player: int, action: int, after: State) -> None:
        self.state = after
        self.steps.append((player, action))
        self._asker.note(action, after)

    def ask(self, player: int, rng: np.random.Generator) -> None:
        """Let the player decide. A player whose agent fails resigns."""
        read_time = self._timers[player]
        begin = read_time()
        try:
            actions = self._find_answer(player, rng)
            self._clocks[player].note(read_time() - begin, self._seconds)
            self._take(player, actions)
        except FailureError as error:
            self.failed[player] = str(error)
            self._note(player, WITHDRAW, self.game.withdraw(self.state, player))

    def _find_answer(self, player: int, rng: np.random.Generator) -> list[int]:
        """Return the player's answer. Raises `FailureError` for any failure of the agent."""
        try:
            return self._asker.ask(player, self.state, rng)
        except ProgramError as error:
            raise FailureError(str(error)) from error
        except Exception as error:
            raise FailureError(f"raised: {type(error).__name__} {error}") from error

    def _take(self, player: int, actions: list[int]) -> None:
        if not actions:
            raise FailureError("illegal: no action")
        for action in actions:
            try:
                self.step(player, action)
            except (IllegalActionError, TypeError) as error:
                raise FailureError(f"illegal: {action}") from error

    def finish(self) -> Played:
        """Return the result of a finished match."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            raise RuntimeError(f"{self.game.info.variant}: nobody can act and the match is not over")
        turns = self.game.standing(self.game.view(self.state, 0)).turn
        clocks = tuple(self._clocks.get(player, Clock()) for player in range(self.game.info.players))
        return Played(outcome.returns, outcome.reason, turns, clocks, self.failed, self.steps)


def play(
    game: Game,
    players: Mapping[int, Agent],
    pace: Pace,
    seed: tuple[int, ...],
    deal: str = "own",
    watch: Callable[[int, Steps], None] = lambda _player, _steps: None,
    start: State | None = None,
) -> Played:
    """Play one match. Chance and each seat draw from generators of their own, made from `seed`, so a match with other
    agents in the seats has the same deal. `watch` gets the next player and the steps so far. `start`: the first
    position, if it is not the initial one. Raises RuntimeError if a match is longer than `GameInfo.longest`.
    """
    table = Table(game, players, pace, start)
    luck = np.random.default_rng([*seed, 0])
    rngs = {player: np.random.default_rng([*seed, 1 + player]) for player in players}
    with _programs_running(game, players):
        while actors := game.to_act(table.state):
            player = actors[0]
            if player == CHANCE:
                table.step(CHANCE, draw(game, table.state, luck))
            elif deal != "own" and (placements := _deploy(game, game.view(table.state, player), deal, luck)):
                for action in placements:
                    table.step(player, action)
            else:
                watch(player, table.steps)
                table.ask(player, rngs[player])
            if len(table.steps) > game.info.longest:
                raise RuntimeError(f"{game.info.variant}: a match of more than {game.info.longest} actions")
        return table.finish()


@contextmanager
def _programs_running(game: Game, players: Mapping[int, Agent]) -> Iterator[None]:
    """Start the programs among the players, and close them at the end of the match."""
    programs = {player: agent for player, agent in players.items() if isinstance(agent, Program)}
    try:
        for player, program in programs.items():
            program.begin(game, player)
        yield
    finally:
        for program in programs.values():
            program.close()


def _deploy(game: Game, view: View, deal: str, rng: np.random.Generator) -> list[int]:
    """Return the placements that the arena makes for a player; empty once play has begun."""
    if game.standing(view).started:
        return []
    choose = game.sensible_deployment if deal == "sensible" else game.random_deployment
    return [int(action) for action in choose(view, rng)]
