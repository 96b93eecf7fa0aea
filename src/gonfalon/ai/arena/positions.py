"""Single decisions that an agent should get right, and endings that it should finish: `bench/positions/*.toml`.

    [[position]]
    name = "block-the-scout"          # unique
    kind = "guard-the-flag"           # what the position tests
    variant = "original"
    switches = { max_turns = 400 }    # house rules, if any
    player = "red"
    solved = ["b3-a3"]                # the agent must play one of these (texts as of `action_text`); or
    refused = ["e4xe5"]               # it must play none of these; or
    within = 60                       # it must win within this number of turns of all players,
    against = "random"                # with this agent in the other seats
    reason = "..."                    # why, or the source of the position
    state = '''...'''                 # the position, as text of `state_text`; `player` is on turn

The actions of a compound choice are one string, separated by `; `; the first actions are enough. The agent gets no
events from before the position.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from gonfalon.ai import agents
from gonfalon.ai.agent import Agent
from gonfalon.ai.arena.entrants import make_agent
from gonfalon.ai.arena.matches import Pace, Steps, Table, play
from gonfalon.engine.game import Game, IllegalActionError, State, TextError
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.engine.spelling import list_known
from gonfalon.games import make


class PositionError(ValueError):
    """A mistake in a file of positions. The message names the position."""


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One position, with the fields of its file."""

    name: str
    kind: str
    variant: str
    player: str
    reason: str
    state: str
    solved: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    within: int = 0
    against: str = ""
    switches: dict[str, bool | int] = {}


class Try(msgspec.Struct, frozen=True):
    """Result of one agent in one position."""

    agent: str
    family: str
    kind: str
    name: str
    solved: int
    tries: int
    answers: tuple[str, ...]
    """The agent's answers or failures, each once."""


def read_positions(paths: Sequence[Path]) -> list[Position]:
    """Return all positions of the files. Raises `PositionError`. `Setting` checks them with their games."""
    found: dict[str, Position] = {}
    for path in paths:
        try:
            listed = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), type=dict[str, list[Position]])
        except (tomllib.TOMLDecodeError, msgspec.ValidationError, OSError, UnicodeDecodeError) as error:
            raise PositionError(f"{path}: {error}") from error
        for position in listed.get("position", []):
            if position.name in found:
                raise PositionError(f"{path}: two positions have the name {position.name!r}")
            found[position.name] = position
    return list(found.values())


class Setting:
    """Set up a position and check it: the player is on turn, and the solved and the refused actions are legal."""

    def __init__(self, position: Position) -> None:
        """Raises `PositionError`."""
        self.position = position
        try:
            self.game: Game = make(position.variant, **position.switches)
            self.state: State = self.game.parse_state(position.state)
            self.player = self.game.info.sides.index(position.player)
            for text in (*position.solved, *position.refused):
                self._check(text)
        except (RulesetError, TextError, IllegalActionError, ValueError) as error:
            raise PositionError(f"{position.name}: {error}") from error
        wanted = [bool(position.solved), bool(position.refused), position.within > 0]
        if wanted.count(True) != 1 or (position.within > 0) != bool(position.against):
            raise PositionError(f"{position.name}: it needs either solved, or refused, or within and against")
        if position.against and position.against not in agents():
            raise PositionError(
                f"{position.name}: no agent {position.against!r}; {list_known(position.against, agents())}"
            )
        if self.game.to_act(self.state) != (self.player,):
            raise PositionError(f"{position.name}: it is not {position.player}'s turn")

    def _check(self, text: str) -> None:
        state = self.state
        for part in text.split("; "):
            action = self.game.parse_action(self.game.view(state, self.player), part)
            state = self.game.apply(state, self.player, action)

    def put(self, agent: Agent, seconds: float, seed: int) -> tuple[bool, str]:
        """Return whether a new agent gets the position right, and its decision; if it fails, the failure instead."""
        return self._finish(agent, seconds, seed) if self.position.within else self._decide(agent, seconds, seed)

    def _decide(self, agent: Agent, seconds: float, seed: int) -> tuple[bool, str]:
        table = Table(self.game, {self.player: agent}, Pace(seconds), self.state)
        table.ask(self.player, np.random.default_rng(seed))
        if table.failed:
            return False, table.failed[self.player]
        answer = self._word(table.steps)
        if self.position.solved:
            return _is_among(answer, self.position.solved), answer
        return not _is_among(answer, self.position.refused), answer

    def _word(self, steps: Steps) -> str:
        state, words = self.state, []
        for player, action in steps:
            words.append(self.game.action_text(self.game.view(state, player), action))
            state = self.game.apply(state, player, action)
        return "; ".join(words)

    def _finish(self, agent: Agent, seconds: float, seed: int) -> tuple[bool, str]:
        players = {player: agents()[self.position.against]() for player in range(self.game.info.players)}
        players[self.player] = agent
        played = play(self.game, players, Pace(seconds), (seed,), start=self.state)
        if self.player in played.failed:
            return False, played.failed[self.player]
        turns = played.turns - self.game.standing(self.game.view(self.state, self.player)).turn
        won = played.returns[self.player] == 1
        return won and turns <= self.position.within, f"{'won' if won else 'not won'} in {turns} turns"


def _is_among(answer: str, texts: Sequence[str]) -> bool:
    return any(answer == text or answer.startswith(f"{text}; ") for text in texts)


def put_positions(entrants: Sequence[str], settings: Sequence[Setting], seconds: float, tries: int) -> Iterator[Try]:
    """Put every position to every agent, `tries` times with different random numbers. `entrants`: as for
    `make_agent`.
    """
    for entrant in entrants:
        for setting in settings:
            found = [setting.put(make_agent(entrant), seconds, seed) for seed in range(tries)]
            position = setting.position
            yield Try(
                agent=entrant,
                family=setting.game.info.family,
                kind=position.kind,
                name=position.name,
                solved=sum(solved for solved, _ in found),
                tries=tries,
                answers=tuple(dict.fromkeys(answer for _, answer in found)),
            )
