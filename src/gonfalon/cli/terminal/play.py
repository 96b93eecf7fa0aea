"""`gonfalon play`: a match against the computer in the terminal, by keyboard or through pipes."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from gonfalon.ai import Asker, agents
from gonfalon.cli.choosing import find_agent, make_game
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import require
from gonfalon.cli.language.words import Words, choose_language
from gonfalon.cli.terminal.drawing import describe_scores, draw_scene, find_letters
from gonfalon.engine.chance import draw
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Actions, Game, IllegalActionError, Outcome, State, TextError
from gonfalon.engine.records.replay import make_record, perform, who_is_out
from gonfalon.engine.screens.scene import Arrange, Choice, Scene
from gonfalon.engine.spelling import list_known
from gonfalon.engine.view import View

COMMANDS = ("moves", "board", "hint", "back", "save", "resign", "quit")
BEFORE = ("random", "sensible")
"""Commands at the start of a match: random placements, or sensible ones."""
FEW = 10
"""Maximum number of places of a grid that the prompt names one by one. On other boards it names all places."""
MOST_SHOWN = 400
"""Maximum number of choices that `moves` lists."""


class _LeaveError(Exception):
    """The person leaves the match."""


def play(arguments: argparse.Namespace) -> int:
    """Play one match. Raises `CommandError` for an unknown game, agent or side."""
    require("play", "babel")
    game = make_game(arguments.variant, arguments.set)
    sides = game.info.sides
    side = arguments.side or sides[0]
    if side not in sides:
        raise CommandError(f"no side {side!r}; {list_known(side, sides)}")
    find_agent(arguments.agent)
    words = Words(choose_language(arguments.language), game.info.family, game.board())
    rng = np.random.default_rng(arguments.seed)
    match = _Match(game, sides.index(side), arguments.agent, rng, arguments.time, words)
    try:
        match.run()
    except (_LeaveError, EOFError, KeyboardInterrupt):
        print(f"\n{words.say('play.left')}")
    if arguments.record:
        match.save(arguments.record)
    return 0


class _Match:
    """One match: the true state, the player at the terminal, and all steps so far."""

    def __init__(self, game: Game, player: int, agent: str, rng: np.random.Generator, time: int, words: Words) -> None:
        """`time`: milliseconds per decision of the computer."""
        self.game = game
        self.player = player
        self.side = game.info.sides[player]
        self.rng = rng
        self.others = {p: agents()[agent]() for p in range(game.info.players) if p != player}
        self.seconds = time / 1000
        self.asker = Asker(game, self.others, self.seconds)
        self.state = game.initial_state()
        self.steps: list[tuple[int, int]] = []
        self.begun: tuple[State, int] = self.state, 0
        """Point to which `back` returns from an incomplete choice: a state, and the number of steps before it."""
        self.letters = find_letters(game)
        self.board = game.board()
        self.words = words
        self.told: set[str] = set()
        """Codes of the hints that were printed in this match."""

    def run(self) -> None:
        """Play the match to its end."""
        say, info = self.words.say, self.game.info
        print(say("play.begin", {"game": self.words.name_game(info.ruleset), "side": info.sides[self.player]}))
        print(say(f"board.legend.{self.board.layout}"))
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
        for action in self.asker.ask(player, self.state, self.rng):
            self._do(player, action)

    def _do(self, player: int, action: int) -> None:
        """Make a step and print the events that the person may see. If it raises `IllegalActionError`, nothing has
        changed.
        """
        before, game = self.state, self.game
        if not (player == self.player and action >= 0 and game.is_open(before, player)):
            self.begun = before, len(self.steps)
        self.state = perform(game, before, player, action)
        self.steps.append((player, action))
        self.asker.note(action, self.state)
        for event in game.events(action, self.state, self.player):
            if event.code != "placed":
                print(f"  {self.words.tell(f'event.{event.code}', event.args, self.side)}")

    def _view(self) -> tuple[View, Scene]:
        view = self.game.view(self.state, self.player)
        return view, self.game.scene(view)

    def _show_board(self, scene: Scene) -> None:
        print("\n" + draw_scene(self.board, scene, self.letters, self.words, turned=self.player > 0))
        for headline in scene.headlines:
            print(self.words.tell(f"headline.{headline.code}", headline.args, self.side))
        if scene.scores:
            print(describe_scores(scene.scores, self.words))

    def _ask(self) -> None:
        """Ask the person for input until they make a step."""
        view, scene = self._view()
        self._tell_hint(view)
        if (scene.arrange is None or scene.tokens) and not self.game.is_open(self.state, self.player):
            self._show_board(scene)
        if scene.arrange is not None:
            few = FEW if self.board.layout == "grid" else len(self.board.spaces)
            print(_describe_arrange(scene.arrange, few, self.words))
        before = self.state
        while self.state is before:
            status = self.words.tell(f"status.{scene.status.code}", scene.status.args, self.side)
            print(f"{status}> ", end="", flush=True)
            line = _read_line()
            if line in ("quit", "exit"):
                raise _LeaveError
            if line == "help":
                print(self._deploy_help() if scene.arrange is not None else self._make_help(view, scene))
            elif line == "back" and self.game.is_open(before, self.player):
                self._take_back()
            elif scene.arrange is not None or (line in ("random", "sensible") and not scene.started):
                self._deploy(line, view)
            else:
                self._decide(line, view, scene)

    def _tell_hint(self, view: View) -> None:
        """Print one hint for newcomers that applies now; each is printed once in a match. Hints about a square are
        omitted.
        """
        code = next((hint.code for hint in self.game.hints(view) if not hint.on and hint.code not in self.told), "")
        if code:
            self.told.add(code)
            print(self.words.say(f"hint.{code}"))

    def _make_help(self, view: View, scene: Scene) -> str:
        """Return the help text, with a legal action as the example."""
        text, path = self._list_texts(view)[0], " ".join(self.game.choices(view)[0].path)
        commands = COMMANDS if scene.started else COMMANDS + BEFORE
        return self._list_commands(self.words.say("play.help", {"text": text, "path": path}), "play.help", commands)

    def _deploy_help(self) -> str:
        return self._list_commands(self.words.say("play.deploy"), "play.deploy", (*BEFORE, "quit"))

    def _list_commands(self, head: str, prefix: str, commands: Sequence[str]) -> str:
        """Return a list of commands with their help. A command has the same name in all languages."""
        return "\n".join([head, *(f"  {name:<12} {self.words.say(f'{prefix}.{name}')}" for name in commands)])

    def _take_back(self) -> None:
        """Take back the first actions of a compound choice that is not complete."""
        self.state, kept = self.begun
        del self.steps[kept:]

    def _read_placements(self, line: str, view: View) -> Actions:
        """Return the placements that the person typed, or those for `random` or `sensible`. Raises `TextError`."""
        if line == "random":
            return self.game.random_deployment(view, self.rng)
        if line == "sensible":
            return self.game.sensible_deployment(view, self.rng)
        return self.game.parse_deployment(line, self.player)

    def _deploy(self, line: str, view: View) -> None:
        try:
            actions = self._read_placements(line, view)
        except TextError as error:
            print(self.words.say("play.no-deployment", {"detail": str(error)}))
            return
        refused = self._find_refusal(actions.tolist(), view)
        if refused:
            print(refused)
            return
        for remark in self.game.remarks(view, actions.tolist()):
            print(self.words.say(f"remark.{remark.code}", remark.args))
        for action in actions.tolist():
            self._do(self.player, action)

    def _find_refusal(self, actions: list[int], view: View) -> str:
        """Return the reason why these placements do not complete the arrangement; empty if they do. Nothing changes."""
        state, arrange = self.state, self.game.scene(view).arrange
        try:
            for action in actions:
                state = perform(self.game, state, self.player, action)
        except IllegalActionError as error:
            return self.words.tell(f"refusal.{error.refusal.code}", error.refusal.args, self.side)
        if self.game.is_open(state, self.player) and arrange is not None:
            return self.words.say("play.wrong-length", {"places": len(arrange.places), "count": len(actions)})
        return ""

    def _decide(self, line: str, view: View, scene: Scene) -> None:
        command, _, argument = line.partition(" ")
        match command:
            case "moves" | "choices":
                print(_set_columns(self._list_texts(view)))
                self._warn(self.game.choices(view))
            case "board":
                self._show_board(scene)
            case "hint":
                print(self._hint())
            case "save":
                self._save_now(argument.strip())
            case "resign":
                self._resign()
            case _ if line:
                self._act(line, view)

    def _hint(self) -> str:
        """Return the computer's choice, as the person would type it. The computer gets only the person's events."""
        asker = Asker(self.game, {self.player: agents()["greedy"]()}, self.seconds)
        state = self.game.initial_state()
        for player, action in self.steps:
            state = perform(self.game, state, player, action)
            asker.note(action, state)
        words = []
        for action in asker.ask(self.player, state, self.rng):
            words.append(self.game.action_text(self.game.view(state, self.player), action))
            state = perform(self.game, state, self.player, action)
        return ", ".join(words)

    def _resign(self) -> None:
        self._do(self.player, WITHDRAW)
        if self.player in who_is_out(self.game, self.state):
            print(self.words.say("play.out"))

    def _list_texts(self, view: View) -> list[str]:
        return [self.game.action_text(view, int(action)) for action in view.legal[:MOST_SHOWN]]

    def _warn(self, choices: tuple[Choice, ...]) -> None:
        """Print the choices that have a warning."""
        for choice in choices:
            if choice.warning is not None:
                warning = self.words.say(f"warning.{choice.warning.code}", choice.warning.args)
                print(self.words.say("play.warning", {"way": " ".join(choice.path), "warning": warning}))

    def _act(self, line: str, view: View) -> None:
        action = _find_choice(self.game.choices(view), line)
        if action is None:
            try:
                action = self.game.parse_action(view, line)
            except TextError as error:
                print(self.words.say("play.not-understood", {"detail": str(error)}))
                return
        try:
            self._do(self.player, action)
        except IllegalActionError as error:
            print(self.words.tell(f"refusal.{error.refusal.code}", error.refusal.args, self.side))

    def _show_end(self) -> None:
        game = self.game
        scene = game.scene(game.view(self.state, self.player))
        self._show_board(scene)
        outcome = game.outcome(self.state)
        if outcome is None:
            return
        sides = game.info.sides
        loser = next((side for player, side in enumerate(sides) if player not in outcome.best), "")
        key = f"end.{outcome.reason}"
        if len(sides) > 2 and self.words.has(f"{key}.many"):
            key = f"{key}.many"
        reason = self.words.tell(key, {"side": loser}, self.side)
        print(self.words.say("play.end", {"result": self._word_result(outcome), "reason": reason}))

    def _word_result(self, outcome: Outcome) -> str:
        """Return the message for the person's result. It names the winners when several share the win, or when the
        person lost to one of several opponents.
        """
        best = [self.game.info.sides[player] for player in outcome.best]
        won, many = self.player in outcome.best, self.game.info.players > 2
        if 1 < len(best) < self.game.info.players:
            return self.words.say("play.shared" if won else "play.shared-lost", {"sides": best})
        if won:
            return self.words.say("play.won" if len(best) == 1 else "play.drawn")
        return self.words.say("play.lost-to", {"side": best[0]}) if many else self.words.say("play.lost")

    def _save_now(self, name: str) -> None:
        if not name:
            print(self.words.say("play.save-needs-name"))
            return
        try:
            self.save(name)
        except CommandError as error:
            print(error)

    def save(self, name: str) -> None:
        """Write the record. Raises `CommandError` if the file cannot be written."""
        sides = self.game.info.sides
        names = {sides[p]: self.others[p].name if p in self.others else "person" for p in range(len(sides))}
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        record = make_record(self.game, self.steps, names, today)
        try:
            Path(name).write_text(record.write(), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{name} cannot be written: {error.strerror}") from error
        print(self.words.say("play.saved", {"file": name}))


def _describe_arrange(arrange: Arrange, few: int, words: Words) -> str:
    """Return a description of the pieces to place and of their places. Up to `few` places are named one by one; of more
    places only the first and the last.
    """
    pieces = " ".join(
        f"{piece.count}x{words.word('face', piece.face) if piece.face else words.say('play.empty')}({piece.letter})"
        for piece in arrange.pieces
    )
    places, count = arrange.places, len(arrange.places)
    ends = {"first": places[0], "last": places[-1]}
    named = " ".join(places) if count <= few else words.say("play.from-to", ends)
    return words.say("play.arrange", {"count": count, "places": named, "pieces": pieces})


def _read_line() -> str:
    """Return the next typed line. Raises EOFError at the end of input."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    if not sys.stdin.isatty():
        print(line.rstrip("\n"))
    return line.strip()


def _find_choice(choices: tuple[Choice, ...], line: str) -> int | None:
    """Return the action whose path of ids was typed; None if there is none."""
    path = tuple(line.split())
    return next((choice.id for choice in choices if choice.path == path), None)


def _set_columns(texts: list[str]) -> str:
    """Return the texts in lines of up to 78 characters."""
    return "\n".join(_wrap(texts))


def _wrap(texts: list[str]) -> Iterator[str]:
    line = ""
    for text in texts:
        if line and len(line) + len(text) > 75:
            yield line
            line = ""
        line += f"   {text}"
    yield line
