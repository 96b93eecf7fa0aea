"""Ratings of the computer player's levels: constants, so that a rating against levels means the same every month.

Level 1 of a game has 1000 points. Each other level has the rating with which the model predicts the share of points
that this level won against the level below. `python -m gonfalon.server.ratings.levels` derives all of them from the
measured shares in `levels.toml`, prints them, and says which ones differ from the file.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from gonfalon.games import variants
from gonfalon.server.ratings.model import Rating, predict, read_shown

FILE = Path(__file__).with_name("levels.toml")
FIRST = 1000
"""Rating of level 1 of each game."""
SIGMA = 2.0
"""Standard deviation of a level's rating, in the model's units."""
FARTHEST = 2000
"""Maximum number of points between two neighbouring levels, for the search."""
_PREFIX = "level-"


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Measured shares of the levels of a game, and the ratings that follow; see `levels.toml`."""

    players: int
    shares: tuple[float, ...]
    ratings: tuple[int, ...]


class Ladders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of `levels.toml`."""

    games: dict[str, Ladder]
    families: dict[str, str]
    """Game whose ladder the other games of a family take."""


@cache
def read_ladders() -> Ladders:
    """Return the content of `levels.toml`."""
    return msgspec.convert(tomllib.loads(FILE.read_text(encoding="utf-8")), Ladders)


def list_ratings(variant: str) -> tuple[int, ...]:
    """Return the shown ratings of the levels of a game, from level 1 on; empty if its family has no ladder."""
    ladders = read_ladders()
    if variant not in ladders.games:
        variant = ladders.families.get(variants().get(variant, ""), "")
    return ladders.games[variant].ratings if variant in ladders.games else ()


def find_rating(variant: str, agent: str) -> Rating | None:
    """Return the rating of a computer player in a game; None if it is no level, or if the game's levels have none."""
    number = agent.removeprefix(_PREFIX)
    if number == agent or not number.isdecimal():
        return None
    ratings = list_ratings(variant)
    return read_shown(ratings[int(number) - 1], SIGMA) if 1 <= int(number) <= len(ratings) else None


def derive_ratings(shares: Sequence[float], players: int) -> tuple[int, ...]:
    """Return the ratings that follow from shares in percent. No level gets fewer points than the level below."""
    found = [float(FIRST)]
    for share in shares:
        found.append(found[-1] + _find_distance(share / 100, players))
    return tuple(round(each) for each in found)


def _find_distance(share: float, players: int) -> float:
    """Return the points between two levels of which the upper one wins `share` against the others, by bisection."""
    low, high = 0.0, float(FARTHEST)
    while high - low > 1e-6:
        middle = (low + high) / 2
        others = [read_shown(FIRST, SIGMA)] * (players - 1)
        if predict([read_shown(FIRST + middle, SIGMA), *others]) < share:
            low = middle
        else:
            high = middle
    return high if high > 1e-5 else 0.0


def main() -> int:
    """Print the ratings that follow from the shares. Return 1 if the file has others."""
    wrong = 0
    for game, ladder in read_ladders().games.items():
        ratings = derive_ratings(ladder.shares, ladder.players)
        differs = ratings != ladder.ratings
        print(f"{game}: {list(ratings)}{'  (differs from levels.toml)' if differs else ''}")
        wrong += differs
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
