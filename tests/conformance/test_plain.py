"""The same rules compiled, uncompiled and with bounds checked: the same states, legal lists and views."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest

from conformance.cases import VARIANTS, Case, cases_of, deployed, game_of, play, positions
from conformance.replaying import Job, trace, trace_elsewhere

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


def broken_texts(case: Case, rng: np.random.Generator) -> tuple[str, ...]:
    """Texts of positions, each with one line of another one's, or without one of its lines, or as it was."""
    game = game_of(case)
    texts = [game.state_text(s.before) for match in positions(game, rng, 200, 0.6) for s in match[::9]]
    broken = []
    for text in texts:
        lines, other = text.splitlines(), str(rng.choice(texts)).splitlines()
        at = int(rng.integers(1, len(lines)))
        lines[at : at + int(rng.integers(2))] = [str(rng.choice(other))] if rng.random() < 0.7 else []
        broken.append("\n".join(lines))
    return (*texts, *broken)


def test_bounds() -> None:
    """No kernel reads or writes outside its arrays, whatever text a position came from."""
    rng = np.random.default_rng(62)
    jobs = [job_of(cases_of(variant)[-1], 7) for variant in VARIANTS]
    jobs += [Job(c.variant, dict(c.switches), texts=broken_texts(c, rng)) for c in (cases_of(v)[-1] for v in VARIANTS)]
    # Numba's cache does not tell code with bounds checks from code without: these get a cache of their own.
    cache = Path(tempfile.gettempdir()) / f"gonfalon-bounds-{os.getuid()}"
    assert trace_elsewhere(jobs, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(cache)) == [trace(job) for job in jobs]
