"""No kernel reads or writes outside its arrays. All such tests are in one file, because the first one compiles
everything with bounds checks.
"""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import VARIANTS, cases_of
from conformance.replaying import Job, job_of, trace, trace_within_bounds
from conformance.strange import extremes, mutate, valid_texts

STRANGE = 200
"""Number of strange texts per variant and set of house rules."""


def test_matches() -> None:
    """States, legal lists and views are equal with bounds checks."""
    jobs = [job_of(cases_of(variant)[-1], 7) for variant in VARIANTS]
    assert trace_within_bounds(jobs) == [trace(job) for job in jobs]


@pytest.mark.parametrize("variant", VARIANTS)
def test_strange_positions(variant: str) -> None:
    """An accepted text is a position that can be shown, written and played to its end without leaving an array."""
    jobs = []
    for case in extremes(variant):
        rng = np.random.default_rng(56)
        texts = valid_texts(case, rng, 600)
        strange = tuple(mutate(texts, rng) for _ in range(STRANGE))
        jobs.append(Job(case.variant, dict(case.switches), texts=(*texts[::20], *strange)))
    for job, told in zip(jobs, trace_within_bounds(jobs), strict=True):
        assert told[:-STRANGE] == ["read"] * (len(job.texts) - STRANGE)
        assert set(told[-STRANGE:]) == {"read", "refused"}
