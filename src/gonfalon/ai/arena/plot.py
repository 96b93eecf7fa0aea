"""Plots of an arena's results. Only this module imports matplotlib, which is an extra (`pip install
gonfalon[plot]`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gonfalon.ai.arena.report import Pairing


def draw(pairings: Sequence[Pairing], title: str, path: Path) -> None:
    """Draw the shares of the points with their intervals, one line per pairing. The suffix of the file decides the
    format. Raises ModuleNotFoundError without matplotlib, ValueError for an unknown format, OSError.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 1.5 + 0.4 * len(pairings)), layout="constrained")
    axes = figure.subplots()
    places = range(len(pairings))
    shares = [pairing.share for pairing in pairings]
    below = [pairing.share - pairing.interval[0] for pairing in pairings]
    above = [pairing.interval[1] - pairing.share for pairing in pairings]
    axes.errorbar(shares, places, xerr=[below, above], fmt="o", capsize=4, color="black")
    axes.axvline(pairings[0].even, color="gray", linestyle=":")
    axes.set_yticks(places, [f"{pairing.first} - {pairing.second}\n{pairing.matches} matches" for pairing in pairings])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points, with 95 % interval (dotted: even)")
    axes.set_title(title)
    figure.savefig(path)
