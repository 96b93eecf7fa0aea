"""`gonfalon perft`, `gonfalon replay` and `gonfalon warm`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import gonfalon
from gonfalon.cli.choosing import check_variant, make_game
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import require
from gonfalon.cli.language.words import Words
from gonfalon.cli.terminal.drawing import draw_scene, find_letters
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, TextError
from gonfalon.engine.learning import counting
from gonfalon.engine.records.record import MOST_CHARACTERS, Record, read_record
from gonfalon.engine.records.replay import find_outcome, game_of, play_record, word_result
from gonfalon.engine.spelling import list_known

SECONDS = 0.02
"""Seconds per decision while code is compiled: the minimum that an agent ever gets."""


def perft(arguments: argparse.Namespace) -> int:
    """Print the number of action sequences of each length from 0 to DEPTH."""
    game = make_game(arguments.variant, arguments.set)
    try:
        state = game.initial_state() if arguments.position is None else game.parse_state(arguments.position)
    except TextError as error:
        raise CommandError(f"--position: {error}") from error
    for depth in range(arguments.depth + 1):
        start = time.process_time()
        found = counting.perft(game, state, depth)
        print(f"{depth}  {found}  ({time.process_time() - start:.2f} s)", flush=True)
    return 0


def replay(arguments: argparse.Namespace) -> int:
    """Print a match with the events of one observer. Raises `CommandError` with the line of a mistake."""
    require("replay", "babel")
    try:
        record = read_record(read_text(arguments.record))
        _tell(record, arguments.eyes)
    except TextError as error:
        raise CommandError(f"{arguments.record}: {error}") from error
    return 0


def read_text(name: str) -> str:
    """Return the text of a file or of standard input. It reads one character more than a record may have, so that a
    longer one is noticed.
    """
    try:
        if name == "-":
            return sys.stdin.read(MOST_CHARACTERS + 1)
        with Path(name).open(encoding="utf-8") as file:
            return file.read(MOST_CHARACTERS + 1)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: not a text in UTF-8") from error


def find_observer(game: Game, eyes: str) -> int:
    """Return the observer of a name: a side, `public` or `everything`. Raises `CommandError`."""
    observers = {**{side: p for p, side in enumerate(game.info.sides)}, "public": PUBLIC, "everything": EVERYTHING}
    if eyes not in observers:
        raise CommandError(f"no observer {eyes!r}; {list_known(eyes, observers)}")
    return observers[eyes]


def _tell(record: Record, eyes: str) -> None:
    game = game_of(record, gonfalon.make)
    observer = find_observer(game, eyes)
    transitions = list(play_record(game, record))
    words = Words(family=game.info.family, board=game.board())
    players = " against ".join(f"{name} ({side})" for side, name in record.names.items())
    print(". ".join(part for part in (words.name_game(game.info.ruleset), players, record.date) if part))
    state, last = game.initial_state(), (CHANCE, 0)
    for _before, player, action, after in transitions:
        for event in game.events(action, after, observer):
            if event.code != "placed":
                print(f"  {words.tell(f'event.{event.code}', event.args, eyes)}")
        state, last = after, (player, action)
    scene = game.scene(game.view(state, observer))
    print(f"\n{draw_scene(game.board(), scene, find_letters(game), words)}")
    print(words.say(f"board.legend.{game.board().layout}"))
    print(f"Result: {word_result(game, find_outcome(game, state, *last))}")


def warm(arguments: argparse.Namespace) -> int:
    """Compile what a match of each variant needs, by playing a few steps. Later starts load the result from disk."""
    for variant in arguments.variants or gonfalon.variants():
        check_variant(variant)
    for variant in arguments.variants or gonfalon.variants():
        start = time.perf_counter()
        game = gonfalon.make(variant)
        exercise(game)
        counting.perft(game, game.initial_state(), 1)
        print(f"{variant}: {time.perf_counter() - start:.1f} s", flush=True)
    return 0


def exercise(game: Game) -> None:
    """Play a few steps of a match and call every function that a server or an agent calls."""
    import numpy as np

    from gonfalon.ai import Asker, agents
    from gonfalon.ai.agent import play_on

    state, rng = game.initial_state(), np.random.default_rng(0)
    for make_agent in agents().values():
        players = {player: make_agent() for player in range(game.info.players)}
        played = 0
        for before, player, action, after in play_on(game, Asker(game, players, SECONDS), rng):
            state = after
            if player == CHANCE:
                continue
            view = game.view(before, player)
            played += game.scene(view).started
            game.choices(view)
            game.encode(view)
            game.explain(before, player, action)
            game.events(action, after, PUBLIC)
            if played >= game.info.players * 2:
                break
    game.parse_state(game.state_text(state))
    if game.outcome(state) is None:
        game.agree_draw(state)
        game.withdraw(state, 0)
