"""Counts the battles in matches of the board games, to find out why matches are lost.

    gonfalon arena level-8 cmd:PROGRAM --game original --games 40 --folder FOLDER
    python tools/battles.py FOLDER [FOLDER ...]

Battles are grouped by the attacking side, by whether all knew the attacking piece, and by the knowledge of the attacked
piece. For each group the tool prints battles per match, points that the first entrant gained (worth at the start of the
match, by `play/evaluate/pieces.py`), and the shares of attacks that took or fell. For attacks of the first entrant on
hidden pieces it prints the results that level 8 expected - takes, falls, both fall - and their true shares.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.ai.arena.folder import Folder, Row, read_folder
from gonfalon.engine.game import Game, State
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import game_of, play_record
from gonfalon.engine.search import Mind
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games import make
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.evaluate.pieces import HIGH
from gonfalon.games.grid.play.search.alpha_beta import list_results, prepare_context
from gonfalon.games.grid.text.notation import move_squares

WORLDS = 100
RANKS = ((g.SPY, "low"), (g.CAPTAIN - 1, "middle"), (HIGH, "high"))
"""Lowest type code of each class of ranks."""
Floats = NDArray[np.float64]


class Strike(NamedTuple):
    """An attack. `result` is a result of `rules/battle.py`."""

    by_first: bool
    """Whether a piece of the first entrant attacked."""
    kind: int
    known: str
    other: str
    """Knowledge of the attacked piece."""
    result: int
    gain: float
    """Gain of the first entrant, in points."""
    expected: Floats | None
    """Expected share of each result, for attacks of the first entrant on hidden pieces."""


def list_strikes(folder: Folder, row: Row) -> Iterator[Strike]:
    """Yield the attacks of a match."""
    record = read_record(folder.read(row))
    game = game_of(record, make)
    first, worth = row.seat, None
    for state, player, action, after in play_record(game, record):
        if not 0 <= action < g.ACT_DEPLOY:
            continue
        worth = find_worth(game, state) if worth is None else worth
        before, then = state[0], after[0]
        begin, end = move_squares(action)
        if not before["board"][end] & g.ANY_SIDE:
            continue
        kind, hidden = int(before["board"][begin] & g.TYPE), not before["marks"][end] & g.SEEN
        fell = then["lost"].astype(np.int64) - before["lost"]
        points = (fell * worth).sum(axis=1)
        results = find_results(game, kind)
        yield Strike(
            player == first,
            kind,
            "known" if before["marks"][begin] & g.SEEN else "hidden",
            "known" if not hidden else "moved" if before["marks"][end] & g.MOVED else "never moved",
            int(results[before["board"][end] & g.TYPE]),
            float(points[1 - first] - points[first]),
            expect(game, state, player, end, results) if player == first and hidden else None,
        )


def find_worth(game: Game, state: State) -> Floats:
    """Return the worth of pieces in points, by side and type."""
    context = zero_rows(CONTEXT)
    context["doubt"] = 1.0
    prepare_context(state, copy_rows(game.rules), context)
    return np.asarray(context[0]["worth"].reshape(2, 16)[:, : g.TYPES])


def find_results(game: Game, kind: int) -> NDArray[np.int64]:
    """Return the result of an attack by a piece of type `kind`, by the type of the attacked piece."""
    results = np.zeros(g.TYPES, np.int64)
    list_results(game.rules, kind, results)
    return results


def expect(game: Game, state: State, player: int, end: int, results: NDArray[np.int64]) -> Floats:
    """Return the likelihood of each result, as the player knows it."""
    rng = np.random.default_rng(int(state[0]["turn"]))
    worlds = game.sample_worlds(game.view(state, player), (), Mind(seconds=1.0), WORLDS, rng)
    return np.bincount(results[worlds["board"][:, end] & g.TYPE], minlength=3) / WORLDS


def print_table(strikes: list[Strike], matches: int) -> None:
    groups: dict[tuple[str, str, str], list[Strike]] = defaultdict(list)
    for strike in strikes:
        groups["first" if strike.by_first else "second", strike.known, strike.other].append(strike)
    print(f"{matches} matches. Battles a match, points for the first entrant, share in which who struck took, fell:")
    for (who, known, other), group in sorted(groups.items()):
        results = np.bincount([strike.result for strike in group], minlength=3) / len(group)
        points = sum(strike.gain for strike in group) / matches
        told = f"{len(group) / matches:5.1f} {points:+7.0f}   {results[0]:.2f} {results[1]:.2f}"
        print(f"  {who:6} {known:6} piece at {other:11} {told}")


def print_expectations(strikes: list[Strike]) -> None:
    groups: dict[tuple[str, str], list[Strike]] = defaultdict(list)
    for strike in strikes:
        if strike.expected is not None:
            rank = [name for least, name in RANKS if strike.kind >= least][-1]
            groups[strike.other, rank].append(strike)
    print("Strikes of the first entrant at hidden pieces: takes, falls, both fall; expected and found:")
    for (other, rank), group in sorted(groups.items()):
        expected = np.mean([strike.expected for strike in group if strike.expected is not None], axis=0)
        found = np.bincount([strike.result for strike in group], minlength=3) / len(group)
        print(f"  {rank:6} rank at {other:11} {len(group):4}   {expected.round(2)} {found.round(2)}")


def main(folders: list[str]) -> None:
    strikes: list[Strike] = []
    matches = 0
    for path in folders:
        folder = read_folder(Path(path))
        for row in folder.rows:
            strikes += list_strikes(folder, row)
            matches += 1
    print_table(strikes, matches)
    print_expectations(strikes)


if __name__ == "__main__":
    main(sys.argv[1:])
