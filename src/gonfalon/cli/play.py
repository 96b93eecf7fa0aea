"""`gonfalon play`: a match against the computer in the terminal, by keyboard or through pipes."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gonfalon.ai import agents
from gonfalon.cli.choosing import make_game
from gonfalon.cli.drawing import LEGENDS, letters, picture
from gonfalon.cli.errors import CommandError
from gonfalon.cli.words import say, word
from gonfalon.engine.chance import draw
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Game, IllegalActionError, TextError
from gonfalon.engine.replay import make_record, perform
from gonfalon.engine.scene import Arrange, Choice, Scene
from gonfalon.engine.view import View

HELP = """\
To move, type an action as it is written in records (d3-d4), or the places and buttons of a choice (d3 d4).
  moves        what you can do
  board        the board again
  hint         what the computer would do in your place
  save FILE    write the record so far
  resign       give up
  quit         leave (also: end of input, Ctrl-C)"""
DEPLOY_HELP = """\
To place pieces, type their letters in the order of the places, without spaces, or
  random       pieces at random
  sensible     pieces as a person might place them, each time differently
  quit         leave"""
FEW = 10
"""So many places are named one by one."""
MOST_SHOWN = 400
"""Choices that `moves` lists."""


class _LeaveError(Exception):
    """The person leaves the match."""


def play(arguments: argparse.Namespace) -> int:
    """Plays one match. Raises `CommandError` for an unknown game, agent or side."""
    game = make_game(arguments.variant, arguments.set)
    sides = game.info.sides
    side = arguments.side or sides[0]
    if side not in sides:
        raise CommandError(f"no side {side!r}; there are {', '.join(sides)}")
    if arguments.agent not in agents():
        raise CommandError(f"no computer player {arguments.agent!r}; there are {', '.join(agents())}")
    match = _Match(game, sides.index(side), arguments.agent, np.random.default_rng(arguments.seed))
    try:
        match.run()
    except (_LeaveError, EOFError, KeyboardInterrupt):
        print("\nYou left the match.")
    if arguments.record:
        match.save(arguments.record)
    return 0


class _Match:
    """One sitting: the true state, whose eyes the terminal has, and all steps so far."""

    def __init__(self, game: Game, player: int, agent: str, rng: np.random.Generator) -> None:
        self.game = game
        self.player = player
        self.rng = rng
        self.others = {p: agents()[agent]() for p in range(game.info.players) if p != player}
        self.state = game.initial_state()
        self.steps: list[tuple[int, int]] = []
        self.letters = letters(game)
        self.board = game.board()

    def run(self) -> None:
        """Plays to the end."""
        side = word("side", self.game.info.sides[self.player])
        legend = LEGENDS.get(self.board.layout, "")
        print(f"{self._say(f'game.{self.game.info.variant}.title')}. You are {side}. Type help for help.\n{legend}")
        while actors := self.game.to_act(self.state):
            if actors == (CHANCE,):
                self._do(CHANCE, draw(self.game, self.state, self.rng))
                continue
            others = [p for p in actors if p != self.player]
            if others:
                self._answer(others[0])
            else:
                self._ask()
        self._show_end()

    def _answer(self, player: int) -> None:
        view = self.game.view(self.state, player)
        for action in self.others[player].act(self.game, view, self.rng):
            self._do(player, action)

    def _do(self, player: int, action: int) -> None:
        """Takes a step and tells what the person may know of it. Raises `IllegalActionError`, and nothing changes."""
        before, game = self.state, self.game
        self.state = perform(game, before, player, action)
        self.steps.append((player, action))
        for event in game.events(before, player, action, self.state, self.player):
            if event.code != "placed":
                print(f"  {self._say(f'event.{event.code}', event.args)}")

    def _say(self, key: str, arguments: Mapping[str, Any] | None = None) -> str:
        return say(key, arguments, self.game.info.family)

    def _view(self) -> tuple[View, Scene]:
        view = self.game.view(self.state, self.player)
        return view, self.game.scene(view)

    def _show_board(self, scene: Scene) -> None:
        print("\n" + picture(self.board, scene, self.letters, turned=self.player > 0))

    def _ask(self) -> None:
        """One decision of the person: asks until a step is taken."""
        view, scene = self._view()
        if scene.arrange is None or scene.tokens:
            self._show_board(scene)
        if scene.arrange is not None:
            print(_offered(scene.arrange))
        before = len(self.steps)
        while len(self.steps) == before:
            print(f"{self._say(f'status.{scene.status.code}', scene.status.args)}> ", end="", flush=True)
            line = _read_line()
            if line in ("quit", "exit"):
                raise _LeaveError
            if line == "help":
                print(HELP if scene.arrange is None else DEPLOY_HELP)
            elif scene.arrange is not None:
                self._deploy(line, view)
            else:
                self._decide(line, view, scene)

    def _deploy(self, line: str, view: View) -> None:
        try:
            if line == "random":
                actions = self.game.random_deployment(view, self.rng)
            elif line == "sensible":
                actions = self.game.sensible_deployment(view, self.rng)
            else:
                actions = self.game.parse_deployment(line, self.player)
        except TextError as error:
            print(f"Not a deployment: {error}. Try random, sensible, or help.")
            return
        refused = self._refused(actions.tolist(), view)
        if refused:
            print(refused)
            return
        for action in actions.tolist():
            self._do(self.player, action)

    def _refused(self, actions: list[int], view: View) -> str:
        """Why these placements are not the whole arrangement; empty if they are. Nothing is done yet."""
        state, arrange = self.state, self.game.scene(view).arrange
        try:
            for action in actions:
                state = perform(self.game, state, self.player, action)
        except IllegalActionError as error:
            return self._say(f"refusal.{error.refusal.code}", error.refusal.args)
        if self.game.is_open(state, self.player) and arrange is not None:
            return f"There are {len(arrange.places)} places, not {len(actions)}."
        return ""

    def _decide(self, line: str, view: View, scene: Scene) -> None:
        command, _, argument = line.partition(" ")
        match command:
            case "moves" | "choices":
                print(_columns(self._texts(view)))
            case "board":
                self._show_board(scene)
            case "hint":
                agent = agents()["greedy"]()
                print(self.game.action_text(view, agent.act(self.game, view, self.rng)[0]))
            case "save":
                self._save_now(argument.strip())
            case "resign":
                self._do(self.player, WITHDRAW)
            case _ if line:
                self._act(line, view)

    def _texts(self, view: View) -> list[str]:
        return [self.game.action_text(view, int(action)) for action in view.legal[:MOST_SHOWN]]

    def _act(self, line: str, view: View) -> None:
        action = _chosen(self.game.choices(view), line)
        if action is None:
            try:
                action = self.game.parse_action(view, line)
            except TextError as error:
                print(f"That is not understood: {error}. Type moves for what you can do, help for help.")
                return
        try:
            self._do(self.player, action)
        except IllegalActionError as error:
            print(self._say(f"refusal.{error.refusal.code}", error.refusal.args))

    def _show_end(self) -> None:
        game = self.game
        scene = game.scene(game.view(self.state, self.player))
        self._show_board(scene)
        outcome = game.outcome(self.state)
        if outcome is None:
            return
        result = outcome.returns[self.player]
        told = "You win" if result > 0 else "You lose" if result < 0 else "A draw"
        print(f"{told}. {self._say(f'end.{outcome.reason}', scene.status.args)}.")

    def _save_now(self, name: str) -> None:
        if not name:
            print("save needs the name of a file.")
            return
        try:
            self.save(name)
        except CommandError as error:
            print(error)

    def save(self, name: str) -> None:
        """Writes the record. Raises `CommandError` when the file cannot be written."""
        sides = self.game.info.sides
        names = {sides[p]: self.others[p].name if p in self.others else "person" for p in range(len(sides))}
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        record = make_record(self.game, self.steps, names, today)
        try:
            Path(name).write_text(record.write(), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{name} cannot be written: {error.strerror}") from error
        print(f"The record is in {name}.")


def _offered(arrange: Arrange) -> str:
    """What there is to place, and where."""
    pieces = " ".join(f"{piece.count}x{piece.face or 'empty'}({piece.letter})" for piece in arrange.pieces)
    places, count = arrange.places, len(arrange.places)
    named = " ".join(places) if count <= FEW else f"{places[0]} to {places[-1]}"
    return f"{count} place{'s' * (count > 1)} ({named}); to place: {pieces}"


def _read_line() -> str:
    """The next line typed. Raises EOFError at the end of input."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    if not sys.stdin.isatty():
        print(line.rstrip("\n"))
    return line.strip()


def _chosen(choices: tuple[Choice, ...], line: str) -> int | None:
    """The action whose path of places and buttons was typed, if any."""
    path = tuple(line.split())
    return next((choice.id for choice in choices if choice.path == path), None)


def _columns(texts: list[str]) -> str:
    """Texts in lines of up to 78 characters."""
    return "\n".join(_wrapped(texts))


def _wrapped(texts: list[str]) -> Iterator[str]:
    line = ""
    for text in texts:
        if line and len(line) + len(text) > 75:
            yield line
            line = ""
        line += f"   {text}"
    yield line
