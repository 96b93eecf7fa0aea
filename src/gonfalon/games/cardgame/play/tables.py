"""The numbers of `data/play.toml`: statistics of how players of this game decide."""

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
    """Likelihood of each type on a hidden place, relative to the pile, up to a factor."""

    first: tuple[float, ...]
    """By type: in a line that was laid as a whole."""
    filled: tuple[float, ...]
    """On a place that was filled later."""
    hand: tuple[float, ...]
    stays: tuple[tuple[float, ...], ...]
    """Probability that a hidden card of a type, by type, does not act in a turn; by the value of `Story.context`."""

    def of_place(self, k: int, story: Story) -> NDArray[np.float64]:
        """By type, for the k-th place of a side: of its line or, from `LINE`, of its hand."""
        if k >= g.LINE:
            return np.array(self.hand)
        laid = np.array(self.first if story.first[k] else self.filled)
        stayed: NDArray[np.float64] = np.prod(np.array(self.stays) ** story.stayed[k][:, None], axis=0)
        return laid * stayed


@cache
def habits() -> Habits:
    """The habits of `data/play.toml`."""
    text = (DATA / "play.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["habits"], Habits)


@cache
def weights() -> NDArray[np.float64]:
    """All weights in the order of `weights.py`."""
    text = (DATA / "play.toml").read_text(encoding="utf-8")
    return np.array([x for part in tomllib.loads(text)["weights"].values() for x in part])
