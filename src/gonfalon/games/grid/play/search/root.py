"""The search of the board games. It tries every turn in worlds that the player considers possible. It then goes deeper
with fewer turns, until the time is over.

docs/decisions has the measurements behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.kernels import Rows
from gonfalon.engine.search import Clock, Mind, Option, rank
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjust.ambush import find_ambush
from gonfalon.games.grid.play.adjust.dares import is_daring
from gonfalon.games.grid.play.adjust.gambles import BOMB_CAUTIONS
from gonfalon.games.grid.play.adjust.patience import find_haste, find_luck, find_price, judge_habits, turns_unknown
from gonfalon.games.grid.play.adjustments import find_switches
from gonfalon.games.grid.play.belief.worlds import sample_worlds
from gonfalon.games.grid.play.evaluate.context import DESK
from gonfalon.games.grid.play.search.alpha_beta import list_results, look, prepare
from gonfalon.games.grid.play.search.flag_guard import Exposure, find_exposure, judge_secrecy
from gonfalon.games.grid.play.search.frame import DEPTH, LEVEL, LEVELS, SURE, WIN
from gonfalon.games.grid.play.search.transposition_table import FOUND, SIZE
from gonfalon.games.grid.rules.battle import WON
from gonfalon.games.grid.text.notation import move_squares

KEPT = (1000, 1000, 1000, 14, 8, 6, 4, 3)
"""Most actions examined at each depth. All are kept until the search has seen the enemy's answers; before that, a
saving move looks no better than others.
"""
NEAR = 0.25
"""Drop actions worse than the best by more than this."""
SPARE = 0.95
"""Share of the time that is used; a search that has begun must still end."""
SPEED = 300_000.0
"""Positions a second on a slow machine. The search begins no more than fit into the rest of the time."""
LEAST_WORLDS, WORLDS = 8, 150.0
"""Least number of worlds in little time, and number of worlds a second: one more turn of depth helps more than a few
more worlds.
"""
POOL = 200
"""Number of worlds that give the probabilities of an attack's results."""
PREPARED = 0.3
"""Share of the time after which no more worlds are prepared, except to reach LEAST_WORLDS."""
FLAG_WON, BOMB_MET = 3, 4
"""Results of an attack beside those of other battles. Taking the Flag is rare, and worth more than all others. Bombs
are more frequent than believed.
"""
MARGIN = 0.7
"""Margin below the best turn of a world, on the scale of a decided match, within which a turn is still
judged exactly.
"""
SURE_VALUE, MOST_VALUE = 0.97, 0.95
"""Expected result where the search has seen the end, and the highest one without."""
SOONEST = WIN / 1e6
"""Bonus of an immediate win over one whose end is seen."""
AMBUSH = 3.0
"""Weight of the risk that the Marshal falls to an unknown Spy."""
LOST, FORCED = -SURE_VALUE, 0.9
"""Result of a match in which the own Flag falls, and the weight of a forced loss: the enemy may miss it, so better
moves still stay better.
"""


def search(
    view: View,
    rules: Rows,
    events: Sequence[Event],
    learned: NDArray[np.float64],
    mind: Mind,
    rng: np.random.Generator,
) -> tuple[Option, ...]:
    """See `Game.search`. `learned`: as returned by `read_learned` for the variant."""
    legal = view.legal
    if len(legal) == 1:
        return (Option((int(legal[0]),), 0.0),)
    clock = Clock(mind, SPARE)
    held = sample_worlds(view, rules, events, mind, POOL, rng)
    daring = is_daring(events, view.observer)
    return _Search(view, rules, learned, held, mind, clock, daring).run(rng)


class _Search:
    """One decision: the worlds and the results in them."""

    def __init__(
        self,
        view: View,
        rules: Rows,
        learned: NDArray[np.float64],
        pool: State,
        mind: Mind,
        clock: Clock,
        daring: bool,
    ) -> None:
        """`pool`: many worlds. The first different ones are searched; all of them count for the risk of the own Flag
        and for attacks on unknown pieces.
        """
        self.view, self.mind, self.clock = view, mind, clock
        most = max(LEAST_WORLDS, int(clock.seconds * WORLDS))
        self.possible, self.shares = find_distinct(pool)
        few = min(mind.worlds, most)
        self.worlds, self.weights = self.possible[:few], self.shares[:few]
        self.player: int = view.observer
        self.actions: list[int] = view.legal.tolist()
        self.rules = copy_rows(rules)  # kernels write their lists into it
        self.desks = zero_rows(DESK, len(self.worlds))
        self.rows, self.levels = zero_rows(g.STATE, LEVELS), zero_rows(LEVEL, LEVELS)
        self.memo = zero_rows(FOUND, SIZE)
        self.desks["flag_share"] = _find_flags(pool, self.player)
        self.desks["held"] = _find_held(pool, self.player)
        self.desks["learned"] = learned
        self.desks["world"] = np.arange(len(self.worlds))
        self.desks["off"] = find_switches(mind)
        self.desks["haste"] = find_haste(view) if mind.uses("haste") else 0.0
        self.desks["daring"] = daring
        judge_secrecy(view, rules, self.desks)
        self.desks["bluff"] = float(mind.bluffs)
        count = prepare_worlds(self.worlds, self.rules, self.player, self.desks, self.clock)
        self.worlds, self.desks, self.weights = self.worlds[:count], self.desks[:count], self.weights[:count]
        self.values = np.zeros((len(self.worlds), len(self.actions)))
        """Expected result of each action in each world."""
        scale = float(np.average(self.desks["scale"], weights=self.weights))
        self.bias = judge_habits(view, rules, scale) if mind.uses("repetition") else np.zeros(len(self.actions))
        if mind.depth > 1 and mind.uses("ambush"):
            self.bias -= AMBUSH * self._find_risk(g.MARSHAL) * find_ambush(view, rules, pool)
        self.exposure = np.zeros(len(self.actions))
        """Return the probability that each action loses the own Flag soon."""
        self.turned = np.array([turns_unknown(view, action) for action in self.actions])
        """Whether each action is an Apple on an unknown piece."""
        self.price = find_price(view, rules) if mind.uses("apple-price") else 0.0
        self.gambled = np.zeros(len(self.actions), np.bool_)
        self.gambles = {k: gamble for k in range(len(self.actions)) if (gamble := self._find_gamble(k, pool))}

    def run(self, rng: np.random.Generator) -> tuple[Option, ...]:
        kept = np.arange(len(self.actions))
        if self.mind.depth > 2 and self.mind.uses("flag-guard"):
            self._find_exposure()
        for depth in range(1, min(self.mind.depth, DEPTH - 2) + 1):
            if depth > 1:
                kept = self._keep_best(kept, KEPT[min(depth, len(KEPT) - 1)])
            if len(kept) < 2 or not self._deepen(kept, depth):
                break
        return rank([(self.actions[k],) for k in kept], self._judge(kept), rng)

    def _find_exposure(self) -> None:
        actions, desk = np.array(self.actions, np.int64), self.desks[:1].copy()
        found = find_exposure(self.possible, self.shares, self.rules, self.player, actions, desk, self.memo, self.clock)
        self.exposure = found.average()
        for k, gamble in self.gambles.items() if self.mind.uses("guess-danger") else ():
            self.exposure[k] = gamble.find_exposure(found, k)

    def _judge(self, kept: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the expected result of each of the actions `kept`, over all worlds."""
        means = np.average(self.values, axis=0, weights=self.weights)
        sure = kept[~(self.gambled | self.turned)[kept]]
        best = max(sure if len(sure) else kept, key=lambda k: means[k])
        for k in kept if self.mind.uses("sampled-results") else ():
            if gamble := self.gambles.get(int(k)):
                gains = self.values[:, k] - self.values[:, best]
                means[k] = means[best] + gamble.judge(gains, self.weights, float(means[best]))
        means[self.turned] -= self.price
        if self.mind.uses("apple-luck"):
            means[self.turned] -= find_luck(self.values[:, self.turned] - self.values[:, [best]])
        means += FORCED * self.exposure * (LOST - means)
        undecided = np.abs(means) < SURE_VALUE  # a move that ends the match is not delayed for habits
        return np.asarray((means + self.bias * undecided)[kept])

    def _keep_best(self, kept: NDArray[np.int64], most: int) -> NDArray[np.int64]:
        means = self._judge(kept)
        order = np.argsort(-means, kind="stable")[:most]
        return np.asarray(kept[order[means[order] >= means[order[0]] - NEAR]])

    def _deepen(self, kept: NDArray[np.int64], depth: int) -> bool:
        """Searches every world to that depth. Returns False if the time is over before. A world counts only when all of
        `kept` are searched in it, so that all actions are compared in the same worlds.
        """
        for world in range(len(self.worlds)):
            found: list[float] = []
            for k in kept:
                points = self._look(world, int(k), depth, self._find_low(world, found))
                if points is None:
                    return False
                found.append(points)
            self.values[world, kept] = [self._value(points, world) for points in found]
        return True

    def _find_low(self, world: int, found: list[float]) -> float:
        """Return the points below which it no longer matters how bad an action is in this world."""
        scale = float(self.desks[world]["scale"])
        return min(max(found, default=-WIN), scale) - MARGIN * scale

    def _look(self, world: int, k: int, depth: int, low: float) -> float | None:
        """Return the points of an action, at least `low`; None if the time is over."""
        left = 1 - self.clock.spent
        if left <= 0 and (depth > 1 or world > 0):
            return None
        self.desks[world]["nodes"] = max(500, int(left * self.clock.seconds * SPEED))
        args = (self.worlds, world, self.rules, self.player, self.desks, self.rows, self.levels, self.memo)
        points = look(*args, self.actions[k], depth, low, 2 * WIN)
        return max(points, low) if self.desks[world]["nodes"] >= 0 else None

    def _value(self, points: float, world: int) -> float:
        if abs(points) > SURE:
            return float(np.sign(points) * (SURE_VALUE + SOONEST * abs(points) / WIN))
        return float(MOST_VALUE * np.tanh(points / self.desks[world]["scale"]))

    def _find_gamble(self, k: int, pool: State) -> _Gamble | None:
        """Return the action as a gamble; None if it is none."""
        if self.actions[k] >= g.ACT_DEPLOY:
            return None
        begin, end = move_squares(self.actions[k])
        if self.view.board[end] & g.TYPE != g.HIDDEN:
            return None
        self.gambled[k] = True
        kind, results = int(self.view.board[begin] & g.TYPE), np.zeros(g.TYPES, np.int64)
        list_results(self.rules, kind, results)
        results[g.FLAG] = FLAG_WON
        if results[g.BOMB] != WON:
            results[g.BOMB] = BOMB_MET
        met = results[pool["board"][:, end] & g.TYPE]
        shares = np.bincount(met, minlength=BOMB_MET + 1) / len(met)
        return _Gamble(
            results[self.possible["board"][:, end] & g.TYPE],
            shares,
            self._find_risk(kind),
            float(self.desks[0]["caution"]),
            BOMB_CAUTIONS[kind] if self.mind.uses("bomb-caution") else float(self.desks[0]["caution"]),
        )

    def _find_risk(self, kind: int) -> float:
        """Return the cost of losing an own piece, as a share of a decided match."""
        desk = self.desks[0]
        return float(desk["worth"][self.player * 16 + kind] / desk["scale"])


def _find_flags(pool: State, player: int) -> NDArray[np.float64]:
    """Return the share of worlds in which the enemy's Flag stands on each square."""
    shares: NDArray[np.float64] = (pool["board"] == g.FLAG + (g.RED << (1 - player))).mean(axis=0)
    return shares


def _find_held(pool: State, player: int) -> NDArray[np.float64]:
    """Return the likelihood of each type for each hidden enemy piece, by piece number and type, shape (PIECES *
    TYPES,).
    """
    one, held = pool[0], np.zeros((g.PIECES, g.TYPES))
    hidden = (one["board"] & (g.RED << (1 - player)) != 0) & (one["marks"] & g.SEEN == 0)
    for square in np.flatnonzero(hidden).tolist():
        types = pool["board"][:, square] & g.TYPE
        held[int(one["number"][square])] = np.bincount(types, minlength=g.TYPES) / len(pool)
    return held.reshape(-1)


def prepare_worlds(worlds: State, rules: Rows, player: int, desks: Rows, clock: Clock) -> int:
    """Makes the tables of the worlds in `desks`, as far as the time allows. Returns their number."""
    for world in range(len(worlds)):
        if world >= LEAST_WORLDS and clock.spent > PREPARED:
            return world
        prepare(worlds, world, rules, player, desks)
    return len(worlds)


def find_distinct(pool: State) -> tuple[State, NDArray[np.float64]]:
    """Return the different worlds of a pool, in their order, and the number of times that each occurs. Late in a match
    few are left, which leaves time for a deeper search.
    """
    alike: dict[bytes, list[int]] = {}
    for k, board in enumerate(pool["board"]):
        alike.setdefault(board.tobytes(), []).append(k)
    return pool[[same[0] for same in alike.values()]], np.array([len(same) for same in alike.values()], np.float64)


class _Gamble:
    """An attack on an unknown piece. With few worlds the maximum favours lucky attacks (optimizer's curse). So each
    result counts with its share in a large pool of worlds.
    """

    def __init__(
        self, results: NDArray[np.int64], shares: NDArray[np.float64], risk: float, caution: float, bomb_caution: float
    ) -> None:
        """`results`: by searched world. `shares`: of each result in the pool. `risk`: cost of a lost battle. `caution`:
        weight of losses; `bomb_caution`: weight of a loss to a Bomb.
        """
        self._results, self._shares, self._risk = results, shares, risk
        self._cautions = np.full(len(shares), caution)
        self._cautions[[WON, BOMB_MET]] = 1.0, bomb_caution

    def find_exposure(self, found: Exposure, k: int) -> float:
        """Return the probability that action `k` loses the own Flag, unless it takes the enemy's. Worlds in which `k`
        takes the Flag do not count: in a few worlds the enemy's Flag may stand there every time by chance.
        """
        others = self._results[found.worlds] != FLAG_WON
        return float(1 - self._shares[FLAG_WON]) * found.average_in(others, k)

    def judge(self, gains: NDArray[np.float64], weights: NDArray[np.float64], base: float) -> float:
        """Return the gain over another action of value `base`, from the gains in the sampled worlds."""
        total = 0.0
        for result, share in enumerate(self._shares):
            there = self._results[: len(gains)] == result
            found = np.average(gains[there], weights=weights[there]) if there.any() else self._guess(result, base)
            total += share * found * (self._cautions[result] if found < 0 else 1.0)
        return float(total)

    def _guess(self, result: int, base: float) -> float:
        """Return the estimated gain of an outcome that no sampled world produced."""
        if result == WON:
            return 0.0
        if result == FLAG_WON:
            return SURE_VALUE + SOONEST - base
        points = np.arctanh(np.clip(base / MOST_VALUE, -0.999, 0.999))
        return float(MOST_VALUE * np.tanh(points - self._risk) - base)
