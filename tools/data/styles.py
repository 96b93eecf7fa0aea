"""Finds styles in which people deploy their pieces:

    python tools/data/styles.py FOLDER src/gonfalon/games/grid/data/styles

FOLDER holds `human-original.txt` and `human-barrage.txt`, see `tools/data/habits.py`. For each style the result has the
share of each type on each square, and the share of deployments with that style. Within a style, squares are
independent. So a style is one component of a mixture, fitted by expectation maximisation (Dempster, Laird and Rubin,
Maximum Likelihood from Incomplete Data via the EM Algorithm, 1977). The fit takes some minutes and 4 GB.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from habits import LETTERS, SQUARES, read
from numpy.typing import NDArray

from gonfalon.games.grid.play.belief.placement import STEPS

SOURCES = {"full": ("human-original.txt", 1024), "sparse": ("human-barrage.txt", 16)}
"""File and number of styles by kind of army. More styles do not describe deployments outside the fit better."""
ROUNDS, SEED = 60, 1
DOUBT = 6.5
"""Number of average deployments (of all people) that are added to the deployments of each style."""
BEGIN_SURE = 0.3
"""Weight of one random deployment in the beginning of a style; the rest is the average of all deployments."""
BATCH = 20_000


def fit(deployments: NDArray[np.int64], styles: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the likelihood of each style, shape (styles,), and the share of each type on each square in it, shape
    (styles, SQUARES, types).
    """
    types = len(LETTERS)
    told = np.eye(types, dtype=np.float32)[deployments].reshape(len(deployments), -1)
    mean = told.mean(axis=0)
    begin = told[np.random.default_rng(SEED).permutation(len(told))[:styles]]
    shares = BEGIN_SURE * begin + (1 - BEGIN_SURE) * mean + np.float32(1e-4)
    chosen = np.ones(styles, np.float32)
    for _ in range(ROUNDS):
        logs, weights = np.log(shares), np.log(chosen / chosen.sum())
        chosen, counts = np.ones(styles, np.float32), np.zeros_like(shares)
        for first in range(0, len(told), BATCH):
            batch = told[first : first + BATCH]
            likely = batch @ logs.T + weights
            likely = np.exp(likely - likely.max(axis=1, keepdims=True))
            likely /= likely.sum(axis=1, keepdims=True)
            chosen += likely.sum(axis=0)
            counts += likely.T @ batch
        shares = (counts + DOUBT * np.maximum(mean, 1e-3)).reshape(styles, SQUARES, types)
        shares = (shares / shares.sum(axis=2, keepdims=True)).reshape(styles, -1)
    return chosen / chosen.sum(), shares.reshape(styles, SQUARES, types)


def main(folder: str, target: str) -> None:
    """Write one file for each kind of army."""
    for name, (source, styles) in SOURCES.items():
        texts = read(Path(folder) / source, front_first=True)
        chosen, shares = fit(np.array([[LETTERS.index(letter) for letter in text] for text in texts]), styles)
        stored = np.rint(-STEPS * np.log(shares)).clip(0, 255).astype(np.uint8)
        np.savez_compressed(Path(target) / f"{name}.npz", chosen=chosen, shares=stored)


if __name__ == "__main__":
    main(*sys.argv[1:])
