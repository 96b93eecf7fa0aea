"""`gonfalon bench belief`: quality of a level's knowledge of hidden pieces, and of its expected chances of winning."""

from __future__ import annotations

import numpy as np

from gonfalon.ai.arena.studies import judge_belief, judge_chances, watch_match
from gonfalon.games import make

LEVEL, SECONDS, SEED = 8, 0.03, 0


def run(variant: str, matches: int) -> None:
    """Play matches of level 8 against itself and print the statistics."""
    game, rng = make(variant), np.random.default_rng(SEED)
    played = [watch_match(game, LEVEL, SECONDS, rng) for _ in range(matches)]
    belief = judge_belief(game, [moment for moments, _ in played for moment in moments], rng)
    print(f"{variant}, {matches} matches of level {LEVEL} against itself, {SECONDS * 1000:.0f} ms a decision")
    print(f"hidden types, {belief.pieces} predictions, cross-entropy in nats:")
    gain = 1 - belief.weighted / belief.uniform
    print(f"  all that fits as likely {belief.uniform:.3f}; weighted {belief.weighted:.3f} ({gain:.1%} less)")
    print("chance of winning, expected and found:")
    for each in judge_chances(game, played):
        print(f"  {each.expected:4.0%} expected, {each.found:4.0%} found, in {each.decisions} decisions")
