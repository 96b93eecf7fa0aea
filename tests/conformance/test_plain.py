"""Rules compiled and uncompiled agree: states, legal lists and views."""

from __future__ import annotations

import pytest

from conformance.cases import VARIANTS, cases_of
from conformance.replaying import job_of, trace, trace_elsewhere

MATCHES = 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_compiled_is_uncompiled(variant: str) -> None:
    cases = cases_of(variant)
    jobs = [job_of(case, seed) for case in (cases[0], cases[-1]) for seed in range(MATCHES)]
    assert trace_elsewhere(jobs, GONFALON_PLAIN="1") == [trace(job) for job in jobs]
