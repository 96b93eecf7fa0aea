"""Counts the places of units in Conquest at the beginning of play, for `games/conquest/data/patterns.toml`.

    python tools/data/conquest_patterns.py [--matches N]

The deployments are the computer's own (`Game.sensible_deployment`) in all variants. A player's zones are ranked, the
safest one for a Flag first. For each type and rank the table says how much likelier this type stands there than a unit
of any type.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.games import make, variants
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.beliefs import PATTERNS
from gonfalon.games.conquest.play.deployments import borders_of, rank_zones
from gonfalon.games.conquest.ruleset import TYPES

HEAD = """\
# Places of units when a battle begins: by number of zones of a player, and by type, how much likelier than a unit of
# any type it stands in their zones, from the safest for a Flag on. Made by `python tools/data/conquest_patterns.py`
# from the computer's own deployments; beliefs are dealt by it.
"""


def deployed(game: Game, rng: np.random.Generator) -> State:
    """Return a match at its first turn."""
    state = game.initial_state()
    while not state["started"][0]:
        player = game.to_act(state)[0]
        if player == CHANCE:
            state = game.apply(state, CHANCE, draw(game, state, rng))
            continue
        for action in game.sensible_deployment(game.view(state, player), rng):
            state = game.apply(state, player, int(action))
    return state


def count(game: Game, state: State, counts: dict[int, NDArray[np.float64]]) -> None:
    """Add the units of a match at its first turn to `counts`."""
    row, near = state[0], borders_of(game.rules)
    owner = np.repeat(row["owner"], g.IN_TERRITORY)[: len(near)]
    for player in range(game.info.players):
        order = rank_zones(owner == player, owner != player, near)
        table = counts.setdefault(len(order), np.zeros((len(order), g.TYPES)))
        for rank, zone in enumerate(order.tolist()):
            if row["at"][zone] != g.NONE:
                table[rank, row["kind"][row["at"][zone]]] += 1


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="of each variant (default: 2000)")
    matches = parser.parse_args().matches
    counts: dict[int, NDArray[np.float64]] = {}
    rng = np.random.default_rng(0)
    for variant in variants():
        if make(variant).info.family == "conquest":
            game = make(variant)
            for _ in range(matches):
                count(game, deployed(game, rng), counts)
    lines = [HEAD]
    for zones, table in sorted(counts.items()):
        smooth = table + 0.5
        shares = smooth / smooth.sum(axis=0) / (smooth.sum(axis=1, keepdims=True) / smooth.sum())
        lines.append(f"[zones-{zones}]")
        lines += [f"{name} = [{', '.join(f'{x:.2f}' for x in shares[:, k])}]" for k, name in enumerate(TYPES) if name]
        lines.append("")
    PATTERNS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
