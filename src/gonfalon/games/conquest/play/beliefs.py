"""Belief in hidden units: worlds in which they stand in zones that are typical of their type.

`data/patterns.toml` has the typical zones. A unit that has not moved is judged by its zone. A Regroup makes the
likelihoods of its three zones equal. A player with a limited memory has forgotten some of the revealed units.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import NoDealError, sample_deals
from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.rulesets.ruleset import read_toml
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.deployments import borders_of, rank_zones
from gonfalon.games.conquest.ruleset import DATA, TYPES
from gonfalon.games.conquest.sight.dealing import deal
from gonfalon.games.conquest.sight.resample import Unknown, lay_out, list_unknown, make_accepts, write_deal
from gonfalon.games.conquest.text.notation import Names

PATTERNS = DATA / "patterns.toml"
DOUBT = 0.15
"""Weight of a uniform distribution beside the pattern, because not all players follow the pattern."""

Likely = NDArray[np.float64]


def sample_worlds(
    view: View,
    events: Sequence[Event],
    mind: Mind,
    count: int,
    rules: NDArray[np.void],
    names: Names,
    rng: np.random.Generator,
) -> State:
    """See `Game.sample_worlds`; only after the battle has begun. Deals that the belief rates equally are equally
    likely.
    """
    view = forget(view, mind)
    base = lay_out(view)
    unknown = list_unknown(base, view, rules)
    worlds = zero_rows(base.dtype, count)
    worlds.view(np.uint8).reshape(count, -1)[:] = base.view(np.uint8)
    for side in unknown:
        likely = judge(view, events, side, rules, names) ** mind.insight
        accepts = make_accepts(copy_rows(base), view, rules, side)
        for row, kinds in zip(worlds, _deal(side, likely, count, rng), strict=True):
            fitting = kinds if kinds and accepts(kinds) else deal(side.units, side.seats, accepts, rng)
            write_deal(row, view, side, fitting)
    return worlds


def _deal(side: Unknown, likely: Likely, count: int, rng: np.random.Generator) -> list[list[int]]:
    """Return deals of a side's unknown units to its seats; empty deals if no deal fits the likelihoods."""
    kinds = sorted(set(side.units))
    weights = np.zeros((len(side.seats), len(kinds)))
    for k, unit in enumerate(kinds):
        for j, seat in enumerate(side.seats):
            if unit.group in (g.NONE, seat.group) and not seat.barred >> unit.kind & 1:
                weights[j, k] = likely[seat.slot, unit.kind]
    types = np.array([kinds.index(unit) for unit in side.units], np.int64)
    try:
        dealt = sample_deals(weights, types, count, rng)
    except NoDealError:
        return [[] for _ in range(count)]
    return [[kinds[k].kind for k in row] for row in dealt.tolist()]


def forget(view: View, mind: Mind) -> View:
    """Return the view of a player who forgets some revealed units of other players: always the same ones during a
    match.
    """
    if mind.memory >= 1:
        return view
    record = copy_rows(view.record)
    row, viewer = record[0], view.observer
    lots = np.random.default_rng([zlib.crc32(row["owner"].tobytes()), viewer]).random(g.UNITS)
    slots = np.arange(g.UNITS)
    lost = (lots >= mind.memory) & (slots // g.ARMY != viewer) & (row["group"] == g.NONE)
    lost &= np.isin(slots, row["at"])
    # Public knowledge that this Spy Master is on the board is never forgotten.
    lost &= row["kind"] != g.SPY_MASTER
    row["kind"][lost & (row["marks"] == g.SEEN)] = g.HIDDEN
    for name in ("marks", "public", "ruled_out"):
        row[name][lost] = 0
    return View(record, viewer, view.ruleset)


# ---- judging -----------------------------------------------------------------------------------------------------


def judge(view: View, events: Sequence[Event], side: Unknown, rules: NDArray[np.void], names: Names) -> Likely:
    """Return the likelihood of each type by slot, up to a factor for each slot: shape (UNITS, TYPES). Slots without
    evidence have ones.
    """
    likely = np.ones((g.UNITS, g.TYPES))
    if not (view.owner == side.side).any():
        return likely
    zones = _by_zone(view, side.side, rules)
    for event in events:
        if event.code == "regrouped" and event.args.get("side") == g.SIDES[side.side]:
            mixed = [names.zone(space) for space in event.args["spaces"]]
            zones[mixed] = zones[mixed].mean(axis=0)
    for zone in np.flatnonzero(view.at != g.NONE).tolist():
        slot = int(view.at[zone])
        if slot // g.ARMY == side.side and not view.ruled_out[slot] >> g.FLAG & 1:
            likely[slot] = zones[zone]
    return likely


def _by_zone(view: View, player: int, rules: NDArray[np.void]) -> Likely:
    """Return the likelihood of each type in each zone, for a unit that has stood there since the battle began: (ZONES,
    TYPES).
    """
    likely = np.ones((g.ZONES, g.TYPES))
    owner = np.repeat(view.owner, g.IN_TERRITORY)[: int(rules[0]["zones"])]
    order = rank_zones(owner == player, (owner != player) & (owner != g.NONE), borders_of(rules))
    table = _patterns(len(order), PATTERNS)
    if table is not None:
        likely[order] = table
    return likely


@cache
def _patterns(zones: int, path: Path) -> Likely | None:
    """Return the likelihood of each type in a player's zones, the safest zone first: (zones, TYPES). None if the file
    has no table for this number of zones.
    """
    table = read_toml(path).get(f"zones-{zones}")
    if table is None:
        return None
    found = np.ones((zones, g.TYPES))
    for kind, name in enumerate(TYPES):
        if name:
            row = np.array(table[name], float)
            found[:, kind] = (1 - DOUBT) * row / row.mean() + DOUBT
    return found
