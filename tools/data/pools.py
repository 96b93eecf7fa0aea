"""Breeds deployments by play: `python tools/data/pools.py VARIANT MINUTES > .../games/grid/data/pools/VARIANT.txt`.

The first generation is the variant's pool and library, and draws from the table of habits, usually with the Flag behind
Bombs. In each round all play with a quick search: against one another (such opponents go where people put the Flag) and
against `greedy`, which goes anywhere. The worse half is replaced by changed copies of the better half and by new draws.
The result goes to standard output, one deployment per line, the best first, without similar ones.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gonfalon.ai.agent import Question
from gonfalon.ai.greedy import GreedyAgent
from gonfalon.engine.compiled.belief import sample_deals
from gonfalon.engine.game import Game
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View
from gonfalon.games import make
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.belief.placement import find_size, read_habits
from gonfalon.games.grid.play.deployments import covers_flag, load, load_pool

SIZE, KEPT, ALIKE = 64, 32, 6
"""Number of deployments in a round; maximum number in the result; number of squares on which two deployments must
differ, so that they do not count as similar.
"""
MIND = Mind(seconds=0.02, depth=2, worlds=5, processor_time=True)
Player = Callable[[View], Sequence[int]]
"""Function that decides for a player of a match."""
GUARDED = 0.85
"""Share of new draws that have Bombs on all sides of the Flag."""


class Breeding:
    """The deployments of one variant, as rows of type codes, and their results."""

    def __init__(self, variant: str, rng: np.random.Generator) -> None:
        self.game: Game = make(variant)
        self.rng = rng
        army = self.game.rules[0]["army"].astype(int)
        self.types = np.repeat(np.arange(g.TYPES), army)
        self.rows, self.columns = find_size(self.game.rules)
        self.likely = read_habits(bool(army[0]), self.rows, self.columns).copy()
        self.likely[:, 0] = self.likely.sum(axis=1).mean() / g.TYPES
        texts = [*load_pool(self.game.info.ruleset), *load(self.game.info.ruleset).values()][: SIZE // 2]
        ready = [self.game.parse_deployment(text, 0) - g.ACT_DEPLOY for text in texts]
        self.found = [*ready, *(self.make_sound(self.draw) for _ in range(SIZE - len(ready)))]
        self.points, self.played = np.zeros(SIZE), np.zeros(SIZE)

    def draw(self) -> NDArray[np.int64]:
        """Return a new deployment that looks like those of people."""
        types, likely = self.types.copy(), self.likely.copy()
        if self.rng.random() < GUARDED:
            flag = int(self.rng.choice(len(likely), p=likely[:, g.FLAG] / likely[:, g.FLAG].sum()))
            likely[:, g.FLAG], likely[flag] = 0, 0
            likely[flag, g.FLAG] = 1
            beside = self.list_beside(flag)
            if len(beside) <= (types == g.BOMB).sum():
                likely[beside] = 0
                likely[beside, g.BOMB] = 1
        deal: NDArray[np.int64] = sample_deals(likely, types, 1, self.rng)[0]
        return deal

    def list_beside(self, place: int) -> list[int]:
        """Return the player's squares beside `place`."""
        y, x = divmod(place, self.columns)
        around = [(y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x)]
        return [b * self.columns + a for b, a in around if 0 <= b < self.rows and 0 <= a < self.columns]

    def change(self, one: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a copy with a few pieces exchanged, sometimes also mirrored."""
        child = one.copy()
        for _ in range(int(self.rng.integers(1, 5))):
            i, k = self.rng.integers(len(child), size=2)
            child[i], child[k] = child[k], child[i]
        return child.reshape(-1, self.columns)[:, ::-1].reshape(-1).copy() if self.rng.random() < 0.3 else child

    def make_sound(self, make: Callable[[], NDArray[np.int64]]) -> NDArray[np.int64]:
        """Call `make` until it returns a sound deployment; return this one."""
        while not self.is_sound(one := make()):
            pass
        return one

    def is_sound(self, one: NDArray[np.int64]) -> bool:
        """Return whether the Flag stands in the back row with a piece in front of it. An open Flag loses to a Scout
        that attacks unknown pieces, but quick play does not find this.
        """
        flag = int(np.flatnonzero(one == g.FLAG)[0])
        return flag < self.columns and covers_flag(one.reshape(-1, self.columns))

    def play_round(self) -> None:
        """Let each deployment play two matches against other ones, once from each side, and two against `greedy`."""
        order = self.rng.permutation(SIZE)
        for one, other in zip(order, np.roll(order, 1), strict=True):
            pair = (self.found[one], self.found[other])
            result = self.play(pair, (self.search, self.search))
            self.points[[one, other]] += np.array([result, -result])
            self.points[one] += self.play(pair, (self.search, self.ask_greedy))
            self.points[other] -= self.play(pair, (self.ask_greedy, self.search))
            self.played[[one, other]] += 2

    def play(self, deployments: Sequence[NDArray[np.int64]], players: Sequence[Player]) -> float:
        """Play one match. Return red's result."""
        game, state = self.game, self.game.initial_state()
        for player, deployment in enumerate(deployments):
            for kind in deployment:
                state = game.apply(state, player, int(g.ACT_DEPLOY + kind))
        while actors := game.to_act(state):
            for action in players[actors[0]](game.view(state, actors[0])):
                state = game.apply(state, actors[0], action)
        outcome = game.outcome(state)
        assert outcome is not None
        return outcome.returns[0]

    def search(self, view: View) -> Sequence[int]:
        """Return the decision of a quick search."""
        return self.game.search(view, (), MIND, self.rng)[0].actions

    def ask_greedy(self, view: View) -> Sequence[int]:
        """Return the decision of `greedy`."""
        return GreedyAgent().act(self.game, Question(view, (), MIND.seconds), self.rng)

    def renew(self) -> None:
        """Replace the worse half."""
        order = np.argsort(-self.strength())
        for k in order[SIZE // 2 :]:
            parent = self.found[order[int(self.rng.integers(SIZE // 4))]]
            make = partial(self.change, parent) if self.rng.random() < 0.7 else self.draw
            self.found[k] = self.make_sound(make)
            self.points[k], self.played[k] = 0, 0

    def strength(self) -> NDArray[np.int64]:
        """Return the mean result of each deployment, shrunk towards 0 if it has played little."""
        return np.asarray(self.points / (self.played + 4))

    def list_best(self) -> list[str]:
        """Return the best deployments as texts, without similar ones."""
        kept: list[NDArray[np.int64]] = []
        for k in np.argsort(-self.strength()):
            one = self.found[k]
            if self.is_sound(one) and all((one != other).sum() >= ALIKE for other in kept):
                kept.append(one)
        return [self.game.deployment_text((g.ACT_DEPLOY + one).tolist()) for one in kept[:KEPT]]


def main(variant: str, minutes: float) -> None:
    breeding, begin, rounds = Breeding(variant, np.random.default_rng(0)), time.monotonic(), 0
    while time.monotonic() - begin < minutes * 60:
        breeding.play_round()
        rounds += 1
        print(f"{rounds} rounds, best {breeding.strength().max():.2f}", file=sys.stderr)
        if rounds % 3 == 0:
            breeding.renew()
    print("\n".join(breeding.list_best()))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
