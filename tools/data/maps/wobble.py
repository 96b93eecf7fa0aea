"""Makes edges look cut by hand: shared lines get bends, coasts get bays and headlands."""

from __future__ import annotations

import numpy as np
from cells import Points


def fractal(parts: int, roughness: float, rng: np.random.Generator) -> Points:
    """Return the heights of a random line over `parts` equal parts, 0 at both ends. Each octave has `roughness` times
    the height of the previous one.
    """
    at = np.linspace(0, 1, parts + 1)
    heights = np.zeros(parts + 1)
    knots, share = 2, 1.0
    while knots <= parts:
        values = np.concatenate([[0], rng.uniform(-1, 1, knots - 1), [0]])
        heights += share * np.interp(at, np.linspace(0, 1, knots + 1), values)
        knots, share = knots * 2, share * roughness
    return heights


def bent(line: Points, swing: float, roughness: float, rng: np.random.Generator) -> Points:
    """Return `line` (evenly spaced points) with its inner points moved sideways by up to about `swing` map units."""
    way = np.gradient(line, axis=0)
    across = np.stack([-way[:, 1], way[:, 0]], axis=1) / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    return line + across * (swing * fractal(len(line) - 1, roughness, rng))[:, None]


def straight(a: Points, b: Points, parts: int) -> Points:
    return a + (b - a) * np.linspace(0, 1, parts + 1)[:, None]


def rounded(line: Points) -> Points:
    """Return the line with rounded corners (Chaikin's method). Its ends stay."""
    first, second = 0.75 * line[:-1] + 0.25 * line[1:], 0.25 * line[:-1] + 0.75 * line[1:]
    inner = np.stack([first, second], axis=1).reshape(-1, 2)
    return np.concatenate([line[:1], inner[1:-1], line[-1:]])
