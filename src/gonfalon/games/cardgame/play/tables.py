"""The numbers of `data/play.toml`: statistics on the decisions of players of this game."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.story import Story
from gonfalon.games.cardgame.ruleset import DATA


class Habits(msgspec.Struct, frozen=True):
    """Likelihood of each type on a hidden place, relative to the pile, up to a constant factor."""

    first: tuple[float, ...]
    """By type: in a line that was laid as a whole."""
    filled: tuple[float, ...]
    """By type: on a place that was filled later."""
    hand: tuple[float, ...]
    stays: tuple[tuple[float, ...], ...]
    """Probability that a hidden card does not act in a turn, by the value of `Story.context` and by the card's type."""

    def of_place(self, k: int, story: Story) -> NDArray[np.float64]:
        """Return the likelihoods by type for the k-th place of a side: of the line, or from `LINE` on, of the hand."""
        if k >= g.LINE:
            return np.array(self.hand)
        laid = np.array(self.first if story.first[k] else self.filled)
        stayed: NDArray[np.float64] = np.prod(np.array(self.stays) ** story.stayed[k][:, None], axis=0)
        return laid * stayed


@cache
def habits() -> Habits:
    """Return the habits of `data/play.toml`."""
    text = (DATA / "play.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["habits"], Habits)


@cache
def weights() -> NDArray[np.float64]:
    """Return all weights in the order of `weights.py`."""
    text = (DATA / "play.toml").read_text(encoding="utf-8")
    return np.array([x for part in tomllib.loads(text)["weights"].values() for x in part])
