"""Random positions and matches, played by the compiled rules and by the oracle side by side."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, TextError
from gonfalon.games.conquest.maps import find_borders
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.tests import oracle
from gonfalon.games.conquest.tests.diagrams import ARMY, Position, begin, make, position
from gonfalon.games.conquest.tests.oracle import Table, Unit
from gonfalon.games.conquest.tests.turns import holders
from gonfalon.games.conquest.text.notation import LETTERS

VARIANTS = ("narrows", "two", "three", "conquest")


@cache
def near_of(variant: str) -> dict[str, tuple[str, ...]]:
    """Return the borders of a variant's map, by name."""
    land: Any = make(variant)
    names = land.map.zone_ids
    return {names[z]: tuple(names[k] for k in near) for z, near in enumerate(find_borders(land.map).near)}


def units_of(at: Position) -> dict[str, Unit]:
    return {t.place: (t.side, LETTERS[TYPES.index(t.face)]) for t in at.scene(EVERYTHING).tokens}


# ---- positions


def scattered(variant: str, rng: np.random.Generator, most: int = 18, **switches: Any) -> Position:
    """Return a position with a random part of each army on random zones; every side has its Flag and a unit that can
    move. The mover is also the starting side.
    """
    game = make(variant)
    zones = list(rng.permutation(list(near_of(variant))))
    most = min(len(zones) // game.info.players - 2, most)
    sides = []
    for side in game.info.sides:
        letters = ["F", "S", *rng.permutation(list(ARMY[:-1].replace("S", "", 1)))[: rng.integers(most)]]
        sides.append(f"{side}: {' '.join(zones.pop() + letter for letter in letters)}")
    mover = str(rng.choice(game.info.sides))
    return position(variant, "; ".join(sides), mover=mover, start=mover, **switches)


@pytest.mark.parametrize("runs_attack", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_moves_of_random_positions(variant: str, runs_attack: bool) -> None:
    rng, seen = np.random.default_rng([len(variant), runs_attack]), Counter[str]()
    for _ in range(60):
        try:
            at = scattered(variant, rng, scout_attacks_after_run=runs_attack)
        except TextError:  # no unit there can move
            continue
        near, units = near_of(variant), units_of(at)
        side = at.phase.split()[1]
        legal = at.legal()
        assert legal == oracle.moves(near, units, side, runs_attack)
        ways = [(text, units[text.replace("x", "-", 1).split("-")[0]]) for text in legal if "-" in text]
        seen["runs"] += any(text.split("-")[1] not in near[text.split("-")[0]] for text, _ in ways)
        seen["attacks"] += len(ways) < len(legal)
        seen["positions"] += 1
    assert min(seen.values()) > 20, seen


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_random_moves_do(variant: str) -> None:
    """After each legal move of random positions, the compiled rules and the oracle have the same units."""
    rng, done = np.random.default_rng(len(variant)), 0
    while done < 8:
        try:
            at = scattered(variant, rng, moves=3)
        except TextError:
            continue
        done += 1
        for text in sorted(at.legal())[::5]:
            table = table_of(at)
            table.mover, table.left = at.phase.split()[1], 3
            table.play(text)
            after = at.play(text)
            assert units_of(after) == table.units, text
            assert (after.ended, holders(after).split()) == (table.ended, [table.holder[side] for side in table.sides])


def table_of(at: Position, **limits: Any) -> Table:
    """Return the oracle's table for a position before the first turn of the mover."""
    info, land = at.game.info, at.game.map
    cities = {territory.id for territory in land.territories if territory.city}
    start = at.game.info.sides[at.row["start"]]
    return Table(near_of(info.variant), cities, info.sides, units_of(at), start, **limits)


# ---- matches


def begun(variant: str, rng: np.random.Generator, **switches: Any) -> Position:
    """Return a match at its first turn; all choices before were random."""
    at = begin(variant, **switches)
    while not at.row["started"]:
        at = _random(at, rng)
    return at


def _random(at: Position, rng: np.random.Generator) -> Position:
    player = int(rng.choice(at.game.to_act(at.state)))
    if player == CHANCE:
        actions, odds = at.game.chance_outcomes(at.state)
        action = int(rng.choice(actions, p=odds))
    else:
        action = int(rng.choice(at.game.legal_actions(at.state, player)))
    return Position(at.game, at.game.apply(at.state, player, action), (at.state, player, action))


def same(at: Position, table: Table) -> None:
    """Compare the end, the units, the counts and the legal actions of the position and the oracle's table."""
    assert at.ended == table.ended
    assert units_of(at) == table.units
    row, sides = at.row, table.sides
    assert (row["rounds"], row["quiet"]) == (table.rounds, table.quiet)
    assert holders(at).split() == [table.holder[side] for side in sides]
    for number, side in enumerate(sides):
        assert Counter(at.tray("reserve", number)) == table.reserve[side]
        assert bool(row["out"][number]) == (side in table.out)
    if table.ended:
        return
    assert sides[row["mover"]] == table.mover
    assert {t: side for n, side in enumerate(sides) for t in at.controls(n)} == table.control
    assert (row["moves"], row["made"]) == (table.left, table.made)
    if not table.cards:
        assert at.legal() == table.legal()


def turn_of_cards(at: Position, table: Table, rng: np.random.Generator) -> Position:
    """Make the draws that are due, then play a Blitz! or no card."""
    assert at.row["due"] == table.cards
    while at.actor == CHANCE:
        at = _random(at, rng)
    plays = "+blitz" in at.legal() and rng.random() < 0.7
    table.left += 2 * plays
    table.begin_moves()
    return at.play("+blitz" if plays else "+none")


def chosen(table: Table, patience: float, rng: np.random.Generator) -> str:
    """Return a move. The higher `patience` is, the fewer attacks are chosen, so that there are many runs."""
    options = sorted(table.legal())
    others = [text for text in options if text != "stop" and not oracle.is_attack(text, table.near)]
    return str(rng.choice(others if others and rng.random() < patience else options))


@pytest.mark.parametrize(("patience", "runs_attack"), [(0.0, True), (0.5, False), (0.9, True)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_matches_are_the_same(variant: str, patience: float, runs_attack: bool) -> None:
    limits = {"max_quiet_rounds": 6, "max_rounds": 40}
    rng = np.random.default_rng([len(variant), round(10 * patience)])
    at = begun(variant, rng, scout_attacks_after_run=runs_attack, **limits)
    table = table_of(at, runs_attack=runs_attack, most_quiet=6, most_rounds=40)
    play_on(at, table, patience, rng)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("variant", ["three", "conquest"])
def test_matches_of_few_units_are_the_same(variant: str, seed: int) -> None:
    """Flags fall soon, and some players are out while the rest play on."""
    rng = np.random.default_rng(seed)
    at = scattered(variant, rng, 6, moves=3, rounds=0, max_quiet_rounds=20)
    table = table_of(at, most_quiet=20)
    table.cards, table.left = 0, 3
    table.reserve = {side: Counter(at.tray("reserve", number)) for number, side in enumerate(table.sides)}
    play_on(at, table, 0.0, rng)


def play_on(at: Position, table: Table, patience: float, rng: np.random.Generator) -> None:
    """Play to the end and compare everything after each step."""
    same(at, table)
    while not table.ended:
        if table.cards:
            at = turn_of_cards(at, table, rng)
        else:
            text = chosen(table, patience, rng)
            table.play(text)
            at = at.play(text)
        same(at, table)


def test_every_end_and_every_kind_of_position_comes_up() -> None:
    """The matches of these tests cover every end and every kind of position."""
    ends, seen = set(), Counter[str]()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = _played(("narrows", "three")[seed % 2], rng, (seed % 3) * 0.45, seen)
        ends.add(table.ended.split()[1])
        seen["skipped"] += bool(table.out)
        seen["flags given"] += len(set(table.holder.values())) < len(table.holder) - 1
    assert ends == {"flags", "quiet", "rounds"}
    assert {"raised", "no move", "skipped", "flags given"} <= set(+seen), seen


def _played(variant: str, rng: np.random.Generator, patience: float, seen: Counter[str]) -> Table:
    """Play a match by the oracle alone, with units on random zones."""
    land: Any = make(variant)
    zones = list(rng.permutation(list(near_of(variant))))
    letters = ARMY if rng.random() < 0.5 else "FX56C"
    units = {str(zones.pop()): (side, letter) for side in land.info.sides for letter in letters}
    cities = {territory.id for territory in land.map.territories if territory.city}
    table = Table(near_of(variant), cities, land.info.sides, units, "red", most_quiet=5, most_rounds=60)
    while not table.ended:
        seen["raised"] += table.is_raising
        if table.cards:
            mover, turns = table.mover, table.rounds
            table.begin_moves()
            seen["no move"] += (table.mover, table.rounds) != (mover, turns)
        else:
            table.play(chosen(table, patience, rng))
    return table
