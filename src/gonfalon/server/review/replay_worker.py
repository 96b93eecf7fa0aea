"""Main module of the process for replays. A question is the text of a record or a `Finished` match, and the name of a
builder. The answer is the compressed result of the builder, or the reason why there is none.
"""

from __future__ import annotations

import gzip
import os
import signal
from collections.abc import Callable
from functools import lru_cache

from gonfalon.engine.game import Game, TextError
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import game_of
from gonfalon.engine.rulesets.ruleset import RulesetError, Written
from gonfalon.server.library import make_ready
from gonfalon.server.review.possible_ranks import RankBuilder
from gonfalon.server.review.replay import (
    Finished,
    ReplayBuilder,
    SceneBuilder,
    Unreadable,
    replay_match,
    replay_record,
)
from gonfalon.server.workers.process import answer_questions

NICE = 10
"""Niceness of the process: play has priority."""
MOST_GAMES = 16
BUILDERS: dict[str, type[ReplayBuilder]] = {"replay": SceneBuilder, "candidates": RankBuilder}


def main() -> None:
    os.nice(NICE)
    answer_questions(answer)


def answer(question: tuple[str | Finished, str, float]) -> bytes | Unreadable:
    """Answer a question: source, name of a builder, CPU seconds. The system kills the process when these are used
    up.
    """
    source, wanted, budget = question
    try:
        replay = _prepare(source, BUILDERS[wanted])
        signal.setitimer(signal.ITIMER_PROF, budget)
        return gzip.compress(replay(), compresslevel=6, mtime=0)
    except TextError as error:
        return Unreadable(str(error), error.why)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _prepare(source: str | Finished, builder: type[ReplayBuilder]) -> Callable[[], bytes]:
    """Make the game and return the rest of the work as a function, so that compilation does not count as CPU time.
    Raises `TextError`.
    """
    if isinstance(source, Finished):
        game = _make(source.rules, tuple(sorted(source.changed.items())))
        return lambda: replay_match(builder(game), source)
    record = read_record(source)
    game = game_of(record, _make_shipped)
    return lambda: replay_record(builder(game), record)


def _make_shipped(variant: str | Written, **switches: bool | int) -> Game:
    """Make the game of a record. A server plays no rulesets that strangers send. Raises `RulesetError`."""
    if isinstance(variant, Written):
        raise RulesetError(f"{variant.variant} is no game of this server")
    return _make(variant, tuple(sorted(switches.items())))


@lru_cache(MOST_GAMES)
def _make(rules: str | Written, changed: tuple[tuple[str, bool | int], ...]) -> Game:
    return make_ready(rules, dict(changed))


if __name__ == "__main__":
    main()
