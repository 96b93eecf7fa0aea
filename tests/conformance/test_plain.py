"""The same rules compiled, uncompiled and with bounds checked: the same states, legal lists and views."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import VARIANTS, Case, cases_of, deployed, game_of, play
from conformance.replaying import Job, trace, trace_elsewhere, trace_within_bounds

MATCHES = 2
TURNS = 80


def job_of(case: Case, seed: int) -> Job:
    """A match with fast deployments; all but the last placements are not looked at."""
    game, rng = game_of(case), np.random.default_rng([61, seed])
    steps = list(deployed(game, rng))
    start = len(steps) - 2
    steps += play(game, rng, TURNS, lively=0.5, state=steps[-1].after)
    actions = tuple((step.player, step.action) for step in steps)
    return Job(case.variant, dict(case.switches), actions, start)


@pytest.mark.parametrize("variant", VARIANTS)
def test_compiled_is_uncompiled(variant: str) -> None:
    cases = cases_of(variant)
    jobs = [job_of(case, seed) for case in (cases[0], cases[-1]) for seed in range(MATCHES)]
    assert trace_elsewhere(jobs, GONFALON_PLAIN="1") == [trace(job) for job in jobs]


def test_bounds() -> None:
    """No kernel reads or writes outside its arrays in a match; in strange positions: `test_texts.py`."""
    jobs = [job_of(cases_of(variant)[-1], 7) for variant in VARIANTS]
    assert trace_within_bounds(jobs) == [trace(job) for job in jobs]
