"""Perft: the number of action sequences from known positions, counted in several ways."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import VARIANTS, play
from conformance.replaying import Job, trace, trace_elsewhere
from gonfalon.engine.learning.counting import perft
from perft import Position, count_by_interface, tables

POSITIONS = tables()
FAST = 300_000
"""Number of sequences that the compiled rules count in a moment."""
SLOW = 1_200
"""Number of sequences that Python counts in a moment."""
TURNS = 8
"""Number of turns from a position that are compared with uncompiled rules."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_positions(variant: str) -> None:
    assert sum(position.variant == variant for position in POSITIONS) >= 2


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: f"{p.variant}-{p.name}")
def test_compiled(position: Position) -> None:
    game = position.game
    state = game.parse_state(position.text)
    for depth, counted in enumerate(position.counts, 1):
        if counted <= FAST:
            assert perft(game, state, depth) == counted
        if counted <= SLOW:
            assert count_by_interface(game, state, depth) == counted
    assert position.source


def job_of(position: Position) -> Job:
    """Return a position and a few turns from there."""
    game, rng = position.game, np.random.default_rng(91)
    steps = play(game, rng, TURNS, lively=0.5, state=game.parse_state(position.text))
    actions = tuple((step.player, step.action) for step in steps)
    return Job(position.variant, position.switches, position=position.text, actions=actions)


def test_positions_are_the_same_uncompiled() -> None:
    """Lists and views of every position and of the turns after it are equal. When the tables were written, the counts
    at small depths were confirmed with uncompiled rules.
    """
    jobs = [job_of(position) for position in POSITIONS]
    assert trace_elsewhere(jobs, GONFALON_PLAIN="1") == [trace(job) for job in jobs]
