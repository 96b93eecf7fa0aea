"""Chooses territories, places units and puts them back: at random, or as a person might."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Actions
from gonfalon.engine.screens.scene import Arrange
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.view import own_zones

Numbers = NDArray[np.float64]
"""Numbers by zone or by place."""
Draw = Callable[[np.random.Generator], Actions]
"""Function that draws a deployment of one player."""

FORWARD = {
    g.SCOUT: 0.75,
    g.KING: 0.7,
    9: 0.75,
    8: 0.75,
    7: 0.7,
    6: 0.6,
    5: 0.55,
    4: 0.45,
    g.SORCERESS: 0.6,
    g.SPY_MASTER: 0.35,
}
"""Best place of a movable unit, by type: 1 at a front, 0 far behind."""
SPREAD = 0.22
"""Random distance of a unit from its best place, so that enemies cannot predict it."""
SAFE, GUARDED = 0.5, 0.35
"""For the Flag: worth of one step more between it and other players, and of an own unit beside it."""
VARIED = 0.4
"""Random difference from the safest zone for the Flag, in the same points, so that enemies cannot predict it."""
CURSED_BY_FLAG = 0.75
"""Share of Cursed Lands that stand beside the Flag; the others stand at a front."""


SHELTERED = (g.FLAG, g.KING)
"""Units that stand beside no zone of another player if another place is free: the Flag first, then the King, which a
Spy Master could attack with its first move.
"""


class Taste(NamedTuple):
    """Weights with which a player values a territory in the draft."""

    city: float
    beside: float
    """Added per border with the player's own territories."""
    inner: float
    """Added per own territory that the territory touches, so that they make a block."""
    strange: float
    """Subtracted per border with other players' territories."""
    touched: float
    """Subtracted per territory of other players beside the territory."""
    open: float
    """Subtracted per standard deviation by which the territory's number of borders exceeds the mean of all
    territories.
    """
    varied: float
    """Random difference of the choice from the best one."""


SENSIBLE = Taste(city=1.2, beside=0.45, inner=0.5, strange=0.12, touched=0.0, open=0.0, varied=0.35)
TRIED = Taste(city=3.0, beside=0.2, inner=2.0, strange=0.12, touched=0.5, open=2.0, varied=0.4)
"""Weights that won most when the rollout policy played on from the draft (docs/search.md)."""


def random_deployment(view: View, arrange: Arrange | None, rng: np.random.Generator) -> Actions:
    """Return a random deployment, or a random order of a Regroup, all equally likely. In the draft, return any
    territory.
    """
    if arrange is None:
        return _one(view.legal, rng) if view.phase == g.DRAFT else np.zeros(0, np.int32)
    return rng.permutation(_pieces(arrange))


def sensible_deployment(
    view: View, arrange: Arrange | None, rules: NDArray[np.void], rng: np.random.Generator
) -> Actions:
    """Return a deployment with the Flag far from opponents and among own units, and with strong units and Scouts at the
    fronts. In the draft, choose territories that make a block.
    """
    if view.phase == g.DRAFT and len(view.legal):
        return choose_territory(view, SENSIBLE, rules, rng)
    if arrange is None or view.phase != g.DEPLOY:
        return random_deployment(view, arrange, rng)
    return Placing(view, arrange, rules).draw(rng)


def _pieces(arrange: Arrange) -> Actions:
    return np.array([piece.action for piece in arrange.pieces for _ in range(piece.count)], np.int32)


def _one(legal: Actions, rng: np.random.Generator) -> Actions:
    return rng.choice(legal, min(1, len(legal)))


# ---- the map -----------------------------------------------------------------------------------------------------


def borders_of(rules: NDArray[np.void]) -> NDArray[np.bool_]:
    """Return which zones border each other. Booleans (zones, zones)."""
    row = rules[0]
    count = int(row["zones"])
    found = np.zeros((count, count), bool)
    for zone in range(count):
        found[zone, row["near"][zone][: row["n_near"][zone]]] = True
    return found


def count_steps_from(begin: NDArray[np.bool_], near: NDArray[np.bool_]) -> Numbers:
    """Return the number of steps from each zone to the nearest zone of `begin`; the number of zones if there is no
    way.
    """
    steps = np.where(begin, 0.0, float(len(begin)))
    for _ in range(len(begin)):
        nearer = np.minimum(steps, np.where(near, steps, np.inf).min(axis=1, initial=np.inf) + 1)
        if (nearer == steps).all():
            break
        steps = nearer
    return steps


def rank_zones(own: NDArray[np.bool_], strange: NDArray[np.bool_], near: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return a player's zones, the safest for the Flag first. `strange`: zones of other players, as booleans by
    zone.
    """
    worth = _flag_worth(own, strange, near, count_steps_from(strange, near))
    zones = np.flatnonzero(own)
    return zones[np.argsort(-worth[zones], kind="stable")]


def _flag_worth(own: NDArray[np.bool_], strange: NDArray[np.bool_], near: NDArray[np.bool_], steps: Numbers) -> Numbers:
    """Return the safety of a Flag in each zone."""
    inside: Numbers = (near & own).sum(axis=1)
    beside: Numbers = near[:, strange].sum(axis=1)
    worth: Numbers = SAFE * np.minimum(steps, 4.0) + GUARDED * inside - 0.6 * beside
    return worth


def choose_territory(view: View, taste: Taste, rules: NDArray[np.void], rng: np.random.Generator) -> Actions:
    """CQ-6: choose one of the better territories."""
    count, legal = int(rules[0]["territories"]), view.legal
    zones = borders_of(rules).reshape(count, g.IN_TERRITORY, count, g.IN_TERRITORY)
    between = zones.sum(axis=(1, 3)) * (1 - np.eye(count))
    owner = view.owner[:count]
    own, strange = owner == view.observer, (owner != view.observer) & (owner != g.NONE)
    worth = taste.city * rules[0]["city"][:count] + taste.beside * between[:, own].sum(axis=1)
    worth = worth + taste.inner * (between[:, own] > 0).sum(axis=1) - taste.strange * between[:, strange].sum(axis=1)
    borders = between.sum(axis=1)
    worth -= taste.touched * (between[:, strange] > 0).sum(axis=1)
    worth -= taste.open * (borders - borders.mean()) / max(borders.std(), 1e-9)
    worth = worth[legal - g.ACT_PICK] + taste.varied * rng.gumbel(size=len(legal))
    return legal[[int(np.argmax(worth))]]


# ---- units -------------------------------------------------------------------------------------------------------


class Placing:
    """Completes a deployment, any number of times. First it decides which open zones stay empty, then where the Flag
    stands, then the other units.
    """

    def __init__(self, view: View, arrange: Arrange, rules: NDArray[np.void]) -> None:
        side = view.observer
        zones = own_zones(view, side)
        self._near = borders_of(rules)
        self._open = zones[len(zones) - len(arrange.places) :]
        own = np.zeros(len(self._near), bool)
        own[zones] = True
        strange = np.array([view.owner[zone // g.IN_TERRITORY] not in (side, g.NONE) for zone in range(len(own))])
        steps = count_steps_from(strange, self._near)
        self._safety = _flag_worth(own, strange, self._near, steps)
        """Safety of a Flag in each zone."""
        self._exposed = steps == 1
        """Zones that border a zone of another player."""
        self._front = 1 / np.maximum(steps, 1) ** 0.7
        self._pieces = [int(action) - g.ACT_PLACE for action in _pieces(arrange) if action != g.ACT_PLACE]
        laid = view.laid[side].tolist()
        self._taken = {zone: laid[place] for place, zone in enumerate(zones[: len(zones) - len(self._open)])}
        """Zones that are already decided, with their units."""

    def draw(self, rng: np.random.Generator) -> Actions:
        flag = self._flag_zone(rng)
        left = [zone for zone in self._occupied(flag, rng) if zone != flag]
        placed = {flag: g.FLAG} if g.FLAG in self._pieces else {}
        units = [kind for kind in self._pieces if kind != g.FLAG]
        for _ in range(units.count(g.CURSED_LAND)):
            zone = self._cursed_zone(left, flag, rng)
            placed[zone] = g.CURSED_LAND
            left.remove(zone)
        placed |= self._moving(left, [kind for kind in units if kind != g.CURSED_LAND], rng)
        actions = np.array([g.ACT_PLACE + placed.get(zone, 0) for zone in self._open], np.int32)
        return self.settle(actions, (), rng)

    def _flag_zone(self, rng: np.random.Generator) -> int:
        """Return the zone where the Flag stands or will stand; if possible, a zone that does not border those of other
        players.
        """
        if g.FLAG not in self._pieces:
            return next(zone for zone, kind in self._taken.items() if kind == g.FLAG)
        worth = self._safety + VARIED * rng.gumbel(size=len(self._safety))
        inner = [zone for zone in self._open if not self._exposed[zone]] or self._open
        return max(inner, key=worth.tolist().__getitem__)

    def _occupied(self, flag: int, rng: np.random.Generator) -> list[int]:
        """Return the open zones that get a unit: one in each territory, to control it (CQ-9), then zones beside the
        Flag and at fronts.
        """
        worth = (self._front + 0.8 * self._near[flag] + 0.25 * rng.gumbel(size=len(self._near))).tolist()
        held = {zone // g.IN_TERRITORY for zone, kind in self._taken.items() if kind}
        chosen = [flag] if flag in self._open else []
        held |= {zone // g.IN_TERRITORY for zone in chosen}
        order = sorted((zone for zone in self._open if zone != flag), key=worth.__getitem__, reverse=True)
        for zone in order:
            if zone // g.IN_TERRITORY not in held:
                held.add(zone // g.IN_TERRITORY)
                chosen.append(zone)
        chosen += [zone for zone in order if zone not in chosen]
        return chosen[: len(self._pieces)]

    def _cursed_zone(self, left: list[int], flag: int, rng: np.random.Generator) -> int:
        """Return a zone beside the Flag, on the side towards opponents; sometimes a zone at a front instead, where a
        Cursed Land also stops them.
        """
        by_flag = rng.random() < CURSED_BY_FLAG
        beside = self._near[flag].astype(float) if by_flag else np.zeros(len(self._near))
        worth = 3 * beside + self._front + 0.25 * rng.gumbel(size=len(self._near))
        return max(left, key=worth.tolist().__getitem__)

    def settle(self, actions: Actions, fixed: Container[int], rng: np.random.Generator) -> Actions:
        """Exchange a Flag or a King that borders another player's zone with what an inner zone has. `fixed`: indices of
        the open zones whose units must stay.
        """
        kinds = (actions - g.ACT_PLACE).tolist()
        free = [index for index in range(len(kinds)) if index not in fixed]
        for sheltered in SHELTERED:
            inner = [i for i in free if not self._exposed[self._open[i]] and kinds[i] not in SHELTERED]
            # An empty zone comes last, because the exchange would empty the other one, perhaps the only one of a city.
            inner = sorted(rng.permutation(inner).tolist(), key=lambda i: (not kinds[i], kinds[i] == g.CURSED_LAND))
            exposed = [i for i in free if kinds[i] == sheltered and self._exposed[self._open[i]]]
            for index, other in zip(exposed, inner, strict=False):
                kinds[index], kinds[other] = kinds[other], kinds[index]
        return np.array(kinds, np.int32) + np.int32(g.ACT_PLACE)

    def _moving(self, left: list[int], units: list[int], rng: np.random.Generator) -> dict[int, int]:
        """Give zones to the movable units. Units that belong at a front get the zones nearest to one."""
        keen = np.array([FORWARD[kind] for kind in units]) + SPREAD * rng.normal(size=len(units))
        near = self._front[left] + 0.1 * rng.normal(size=len(left))
        order = np.argsort(near, kind="stable").tolist()
        ranked = np.argsort(keen, kind="stable").tolist()
        return {left[i]: units[j] for i, j in zip(order, ranked, strict=True)}
