"""Ways to choose territories, to place units and to put them back: any, or as a person might."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Actions
from gonfalon.engine.scene import Arrange
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.view import own_zones

Numbers = NDArray[np.float64]
"""By zone or by place."""

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
"""Where a unit that moves likes to stand: 1 at a front, 0 far behind."""
SPREAD = 0.22
"""How far a unit may stand from there, so that nobody can count on it."""
SAFE, GUARDED = 0.5, 0.35
"""What the Flag is worth a step farther away from others, and a neighbour of the own side that stands by it."""
CURSED_BY_FLAG = 0.75
"""How often a Cursed Land stands by the Flag; otherwise at a front."""
CITY, BESIDE, INNER, STRANGE = 1.2, 0.45, 0.5, 0.12
"""What a territory to choose is worth: with a city, for each border with own ones, with each own one that it touches (so that
they make a block); less for each border with others' territories."""


def random_deployment(view: View, arrange: Arrange | None, rng: np.random.Generator) -> Actions:
    """Which units where, or in which order, each way as likely as any other; or any territory."""
    if arrange is None:
        return _one(view.legal, rng) if view.phase == g.DRAFT else np.zeros(0, np.int32)
    return rng.permutation(_pieces(arrange))


def sensible_deployment(
    view: View, arrange: Arrange | None, rules: NDArray[np.void], rng: np.random.Generator
) -> Actions:
    """The Flag far from others and among own units, strong ones and Scouts at the fronts; territories that make a block."""
    if view.phase == g.DRAFT and len(view.legal):
        return _territory(view, rules, rng)
    if arrange is None or view.phase != g.DEPLOY:
        return random_deployment(view, arrange, rng)
    return _Placing(view, arrange, rules, rng).actions()


def _pieces(arrange: Arrange) -> Actions:
    return np.array([piece.action for piece in arrange.pieces for _ in range(piece.count)], np.int32)


def _one(legal: Actions, rng: np.random.Generator) -> Actions:
    return rng.choice(legal, min(1, len(legal)))


# ---- the map -----------------------------------------------------------------------------------------------------


def borders_of(rules: NDArray[np.void]) -> NDArray[np.bool_]:
    """Which zones border which. (zones, zones)"""
    row = rules[0]
    count = int(row["zones"])
    found = np.zeros((count, count), bool)
    for zone in range(count):
        found[zone, row["near"][zone][: row["n_near"][zone]]] = True
    return found


def count_steps_from(begin: NDArray[np.bool_], near: NDArray[np.bool_]) -> Numbers:
    """How many steps each zone is away from the nearest of some zones; as many as there are zones if none is reached."""
    steps = np.where(begin, 0.0, float(len(begin)))
    for _ in range(len(begin)):
        nearer = np.minimum(steps, np.where(near, steps, np.inf).min(axis=1, initial=np.inf) + 1)
        if (nearer == steps).all():
            break
        steps = nearer
    return steps


def _territory(view: View, rules: NDArray[np.void], rng: np.random.Generator) -> Actions:
    """CQ-6: one of the better ones."""
    count, legal = int(rules[0]["territories"]), view.legal
    zones = borders_of(rules).reshape(count, g.IN_TERRITORY, count, g.IN_TERRITORY)
    between = zones.sum(axis=(1, 3)) * (1 - np.eye(count))
    owner = view.owner[:count]
    own, strange = owner == view.observer, (owner != view.observer) & (owner != g.NONE)
    worth = CITY * rules[0]["city"][:count] + BESIDE * between[:, own].sum(axis=1)
    worth = worth + INNER * (between[:, own] > 0).sum(axis=1) - STRANGE * between[:, strange].sum(axis=1)
    worth = worth[legal - g.ACT_PICK] + 0.35 * rng.gumbel(size=len(legal))
    return legal[[int(np.argmax(worth))]]


# ---- units -------------------------------------------------------------------------------------------------------


class _Placing:
    """A deployment that is finished: which of the open zones stay empty, where the Flag stands, and then the others."""

    def __init__(self, view: View, arrange: Arrange, rules: NDArray[np.void], rng: np.random.Generator) -> None:
        side = view.observer
        zones = own_zones(view, side)
        self.rng, self.near = rng, borders_of(rules)
        self.all, self.open = zones, zones[len(zones) - len(arrange.places) :]
        own = np.zeros(len(self.near), bool)
        own[zones] = True
        strange = np.array([view.owner[zone // g.IN_TERRITORY] not in (side, g.NONE) for zone in range(len(own))])
        self.strange = self.near[:, strange].sum(axis=1)
        steps = count_steps_from(strange, self.near)
        self.safety = np.minimum(steps, 4.0)
        """Steps to the nearest zone of others."""
        self.front = 1 / np.maximum(steps, 1) ** 0.7
        self.own = own
        self.pieces = [int(action) - g.ACT_PLACE for action in _pieces(arrange) if action != g.ACT_PLACE]
        laid = view.laid[side].tolist()
        self.taken = {zone: laid[place] for place, zone in enumerate(zones[: len(zones) - len(self.open)])}
        """Zones dealt with and what stands there."""

    def actions(self) -> Actions:
        flag = self.flag_zone()
        left = [zone for zone in self.occupied(flag) if zone != flag]
        placed = {flag: g.FLAG} if g.FLAG in self.pieces else {}
        units = [kind for kind in self.pieces if kind != g.FLAG]
        for _ in range(units.count(g.CURSED_LAND)):
            zone = self.cursed_zone(left, flag)
            placed[zone] = g.CURSED_LAND
            left.remove(zone)
        placed |= self.moving(left, [kind for kind in units if kind != g.CURSED_LAND])
        return np.array([g.ACT_PLACE + placed.get(zone, 0) for zone in self.open], np.int32)

    def flag_zone(self) -> int:
        """Where the Flag stands or is to stand."""
        if g.FLAG not in self.pieces:
            return next(zone for zone, kind in self.taken.items() if kind == g.FLAG)
        inside = (self.near & self.own).sum(axis=1)
        worth = SAFE * self.safety + GUARDED * inside - 0.6 * self.strange
        noise = 0.3 * self.rng.gumbel(size=len(worth))
        return max(self.open, key=lambda zone: float(worth[zone] + noise[zone]))

    def occupied(self, flag: int) -> list[int]:
        """Open zones that get a unit: one in each territory first, to control it (CQ-9); then by the Flag and at fronts."""
        worth = self.front + 0.8 * self.near[flag] + 0.25 * self.rng.gumbel(size=len(self.near))
        held = {zone // g.IN_TERRITORY for zone, kind in self.taken.items() if kind}
        chosen = [flag] if flag in self.open else []
        held |= {zone // g.IN_TERRITORY for zone in chosen}
        order = sorted((zone for zone in self.open if zone != flag), key=lambda zone: -float(worth[zone]))
        for zone in order:
            if zone // g.IN_TERRITORY not in held:
                held.add(zone // g.IN_TERRITORY)
                chosen.append(zone)
        chosen += [zone for zone in order if zone not in chosen]
        return chosen[: len(self.pieces)]

    def cursed_zone(self, left: list[int], flag: int) -> int:
        """By the Flag, on the side where others come from; at times at a front, where it stops them as well."""
        by_flag = self.rng.random() < CURSED_BY_FLAG
        beside = self.near[flag].astype(float) if by_flag else np.zeros(len(self.near))
        worth = 3 * beside + self.front + 0.25 * self.rng.gumbel(size=len(self.near))
        return max(left, key=lambda zone: float(worth[zone]))

    def moving(self, left: list[int], units: list[int]) -> dict[int, int]:
        """The units that like it best at the fronts stand nearest to them."""
        keen = [FORWARD[kind] + SPREAD * self.rng.normal() for kind in units]
        near = [float(self.front[zone]) + 0.1 * self.rng.normal() for zone in left]
        order = np.argsort(near, kind="stable").tolist()
        ranked = np.argsort(keen, kind="stable").tolist()
        return {left[i]: units[j] for i, j in zip(order, ranked, strict=True)}
