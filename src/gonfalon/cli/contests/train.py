"""`gonfalon train`: computer players play matches, and the worth of pieces is learned from the results."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gonfalon.cli.choosing import check_variant
from gonfalon.cli.contests.arena import ANCHOR, Arena, reporting
from gonfalon.cli.errors import CommandError
from gonfalon.cli.progress import track
from gonfalon.engine.records.record import Record, read_record
from gonfalon.games import training, variants

ENTRANTS = ("level-8", "level-7", "level-6", ANCHOR)
"""Entrants of a training: the learning agent, then its opponents. Learning against only one opponent made play against
other opponents weaker.
"""
PAIRS = ((0, 1), (0, 2), (0, 3))


def train(arguments: argparse.Namespace) -> int:
    """Play the missing matches and print the lesson. With --keep, write it into the game's data. Raises
    `CommandError`.
    """
    check_variant(arguments.game)
    trainer = training(arguments.game)
    if trainer is None:
        able = ", ".join(variant for variant in variants() if training(variant) is not None)
        raise CommandError(f"{arguments.game} does not learn from matches; these do: {able}")
    if arguments.keep and arguments.set:
        raise CommandError("--keep does not work with --set: the game's data is for its own house rules")
    arguments.entrants, arguments.pairs = list(ENTRANTS), PAIRS
    with reporting():
        contest = Arena(arguments)
        status = contest.run()
    try:
        lesson = trainer.learn(contest.game, list_matches(contest))
    except ValueError as error:
        raise CommandError(str(error)) from error
    print(lesson.tell())
    if arguments.keep:
        trainer.keep(arguments.game, lesson)
        print(f"Kept. Whether it wins more matches: gonfalon ladder {ENTRANTS[0]} {ANCHOR} --game {arguments.game}")
    return status


def list_matches(contest: Arena) -> Iterator[tuple[Record, int]]:
    """Yield the records of an arena, each with the seat of the learning agent."""
    rows = contest.folder.rows
    for row in track(rows, "looking through matches", len(rows)):
        yield read_record(contest.folder.read(row)), row.seat
