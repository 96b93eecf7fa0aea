"""Points of a decided match, and the expected result that points stand for, from -1 to 1."""

from __future__ import annotations

import numpy as np

WIN = 10000.0
"""Points of a match that is won."""
SURE = 5000.0
"""Points above which a match counts as decided."""
SOONER = 10.0
"""Bonus for a win one decision earlier, in points."""
SURE_VALUE, MOST_VALUE = 0.97, 0.95
"""Expected result where the search has seen the end, and the highest one without."""
SOONEST = WIN / 1e6
"""Bonus of an immediate win over one whose end is seen."""


def find_value(points: float, scale: float) -> float:
    """Return the expected result. `scale`: points that make a match nearly decided."""
    if abs(points) > SURE:
        return float(np.sign(points) * (SURE_VALUE + SOONEST * abs(points) / WIN))
    return float(MOST_VALUE * np.tanh(points / scale))


def lower_value(value: float, loss: float) -> float:
    """Return an undecided expected result after a loss of points, as a share of the scale."""
    points = np.arctanh(np.clip(value / MOST_VALUE, -0.999, 0.999))
    return float(MOST_VALUE * np.tanh(points - loss))
