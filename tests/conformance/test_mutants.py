"""The scramble test works: it notices a filter that leaks one secret."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import SMALLEST, cases_of, game_of
from conformance.secrecy import LeakError, check
from conformance.worlds import family_of

LEAKS = [(variant, name) for variant in SMALLEST for name in family_of(game_of(cases_of(variant)[0])).MUTANTS]
MOST = 3000


@pytest.mark.parametrize(("variant", "name"), LEAKS)
def test_a_leak_is_noticed(monkeypatch: pytest.MonkeyPatch, variant: str, name: str) -> None:
    """The leak is noticed. All flags are changed from their defaults, because then there are most secrets."""
    case = cases_of(variant)[-1]
    family_of(game_of(case)).MUTANTS[name](monkeypatch)
    with pytest.raises(LeakError):
        check(case, MOST, np.random.default_rng(21))
