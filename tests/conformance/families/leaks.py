"""Makes a filter leak; used by the mutants of all families."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gonfalon.engine.game import State

Leak = Callable[[np.void, np.void, int], None]
"""Function that adds a secret to the row of a view: `leak(state row, view row, observer)`."""
Mutant = Callable[[pytest.MonkeyPatch], None]


def leaking_view(kernels: Any, leak: Leak) -> Mutant:
    """Return a function that patches the filter in these kernels."""

    def patch(patcher: pytest.MonkeyPatch) -> None:
        true = kernels.view

        def view(batch: State, i: int, rules: Any, observer: int, views: Any, j: int) -> None:
            true(batch, i, rules, observer, views, j)
            leak(batch[i], views[j], observer)

        patcher.setattr(kernels, "view", view)

    return patch
