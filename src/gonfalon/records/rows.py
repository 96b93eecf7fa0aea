"""Rows of records for learning: one row for each action of a match."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

import gonfalon
from gonfalon.engine.game import CHANCE, Game
from gonfalon.engine.learning.observation import Form, Plane
from gonfalon.engine.records.record import Record
from gonfalon.engine.records.replay import find_outcome, play_record

COLUMNS: dict[str, np.dtype[Any]] = {
    "match": np.dtype(np.int32),
    "ply": np.dtype(np.int32),
    "player": np.dtype(np.int8),
    "action": np.dtype(np.int32),
    "legal": np.dtype(np.int32),
    "result": np.dtype(np.float32),
}
"""Columns of all rows, with their types. `docs/data.md` says what they mean."""
FORM_ACTION = "form_action"
"""Column beside the planes: the action's id in the form of the planes."""
PLANES = "planes"
Columns = dict[str, NDArray[Any]]
"""Columns by name, all of the same length. `planes` has the shape (n, planes, rows, columns)."""


class About(msgspec.Struct, frozen=True):
    """Facts about a file of rows."""

    variant: str
    switches: dict[str, bool | int]
    """House rules that differ from the variant's."""
    ruleset: str
    """Name of the ruleset, as in views."""
    players: int
    actions: int
    """Number of action ids of the game."""
    own_ruleset: str
    """The whole ruleset of a variant of one's own, as in its records; empty for a shipped variant."""
    matches: tuple[str, ...]
    """Name of each match, by its number in the column `match`."""
    planes: tuple[Plane, ...] = ()
    """Planes of an observation; none if the file has no observations."""
    shape: tuple[int, int, int] | None = None
    """Planes, rows and columns of an observation."""
    form_actions: int = 0
    """Number of action ids of the observations' form."""
    gonfalon: str = gonfalon.__version__
    format: int = 1


def make_form(game: Game) -> Form:
    """Return the form of exported observations: bytes, turned so that the player plays upwards, without unused
    planes.
    """
    return game.form(dtype="uint8", canonical=True, compact=True)


def describe(game: Game, matches: tuple[str, ...], form: Form | None, own_ruleset: str = "") -> About:
    """Return the facts about a file with the rows of these matches."""
    info = game.info
    switches = dict(info.ruleset.changed)
    about = About(info.variant, switches, info.ruleset.name, info.players, info.actions, own_ruleset, matches)
    if form is None:
        return about
    return msgspec.structs.replace(about, planes=form.spec.planes, shape=form.spec.shape, form_actions=form.actions)


def list_rows(game: Game, number: int, record: Record, form: Form | None = None) -> Columns:
    """Return the rows of a record, whose match has this number. `form`: of the observations; None for rows without.

    Raises `TextError` with the line of the first step that the rules refuse.
    """
    steps = list(play_record(game, record))
    players = np.array([player for _, player, _, _ in steps], np.int8)
    actions = np.array([action for _, _, action, _ in steps], np.int32)
    columns: Columns = {
        "match": np.full(len(steps), number, np.int32),
        "ply": np.arange(len(steps), dtype=np.int32),
        "player": players,
        "action": actions,
        "legal": np.array([_count_legal(game, before, player) for before, player, _, _ in steps], np.int32),
        "result": _find_results(game, steps, players),
    }
    if form is not None:
        chosen = np.where((players >= 0) & (actions >= 0), form.ids[players, actions], -1)
        columns[FORM_ACTION] = chosen.astype(np.int32)
        columns[PLANES] = form.make_buffer(len(steps))
        for planes, (before, player, _, _) in zip(columns[PLANES], steps, strict=True):
            if player != CHANCE:
                game.encode(game.view(before, player), out=planes, form=form)
    return columns


def _count_legal(game: Game, state: Any, player: int) -> int:
    """Return how many actions the player had; of chance, how many draws were possible."""
    return len(game.legal_actions(state, player) if player != CHANCE else game.chance_outcomes(state)[0])


def _find_results(game: Game, steps: list[Any], players: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the return at the end of the match of who acts; NaN for chance, and if the match was not played to its
    end.
    """
    results = np.full(len(steps), np.nan, np.float32)
    if steps:
        _, player, action, after = steps[-1]
        outcome = find_outcome(game, after, player, action)
        if outcome is not None:
            by_player = players >= 0
            results[by_player] = np.array(outcome.returns, np.float32)[players[by_player]]
    return results
