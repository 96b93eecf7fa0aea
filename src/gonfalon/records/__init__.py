"""Records of matches as text: written from the steps of a match, read, and played again under the rules. Folders of
records become files of rows for learning (`gonfalon records export`), which `load` reads.

>>> import gonfalon
>>> record = gonfalon.records.read_record(text)
>>> game = gonfalon.records.make_game(record)
>>> for before, player, action, after in gonfalon.records.play_record(game, record):
...     view = game.view(before, player)
"""

from __future__ import annotations

from gonfalon.engine.game import Game, TextError
from gonfalon.engine.records.record import Record, Step, read_record
from gonfalon.engine.records.replay import Transition, game_of, make_record, play_record
from gonfalon.games import make
from gonfalon.records.exporting import ExportError, Rows, export, list_records, load
from gonfalon.records.rows import About

__all__ = [
    "About",
    "ExportError",
    "Record",
    "Rows",
    "Step",
    "TextError",
    "Transition",
    "export",
    "list_records",
    "load",
    "make_game",
    "make_record",
    "play_record",
    "read_record",
]


def make_game(record: Record) -> Game:
    """Return the game of a record, with its house rules. Raises `TextError`, with the line, for an unknown variant,
    switch or side, and for a bad ruleset.
    """
    return game_of(record, make)
