"""The decisions of the levels: cards, the zones named for them, and moves. The search compares plans in worlds that fit
the player's knowledge. `beam.py` makes the plans and plays on from them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State
from gonfalon.engine.search import Clock, Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.beam import Beam, Path, Plan
from gonfalon.games.conquest.play.cards import list_cards, list_rests

USED = 0.8
"""Share of the thinking time that a search uses."""
GROWING = 0.6
"""Share of the used time for making plans; rollouts get the remaining share."""
FINALISTS = 14
"""Number of plans that get rollouts."""
PLAIN = 0.5
"""Weight of the worth at a plan's end; its rollouts have the remaining weight."""
MOST_PATHS = 6
"""Number of zones for a unit, or for a Flag, that the search compares by the plans after them."""
PROBED = 2
"""Number of worlds used to measure how long the paths take."""
FEW = 4
"""Number of plans for each card, and breadth of their beam."""


def find_options(
    view: View, worlds: State, rules: NDArray[np.void], mind: Mind, clock: Clock, rng: np.random.Generator
) -> tuple[Option, ...]:
    """Return the viewer's options, the best first. The viewer must be able to act, and the battle must have begun."""
    paths = list_cards(view, worlds, rules, rng) if view.phase == g.CARD else list_rests(view, worlds, rules)
    beam = Beam(worlds, max(len(paths), MOST_PATHS), rules, view.observer, mind, rng)
    if view.phase == g.MOVE:
        found = beam.grow(0, clock, USED * (GROWING if beam.turns else 1), beam.width)
        return _rank([plan.path[:1] for plan in found], found, beam, clock)
    if not paths:
        paths = [plan.path for plan in beam.look(0)[:MOST_PATHS]]
    return _compare(beam, paths, clock)


def _compare(beam: Beam, paths: Sequence[Path], clock: Clock) -> tuple[Option, ...]:
    """Compare first choices by the plans that are possible after each."""
    _leave_out_worlds(beam, paths, clock)
    starts: list[Path] = []
    chosen: list[Plan] = []
    for k, path in enumerate(paths):
        beam.plant(k + 1, path)
        beam.settle(k + 1)
        share = clock.spent + max(USED * GROWING - clock.spent, 0) / (len(paths) - k)
        found = beam.grow(k + 1, clock, share, min(FEW, beam.width))[:FEW] or [beam.stay(k + 1)]
        chosen += found
        starts += [path] * len(found)
    return _rank(starts, chosen, beam, clock)


def _leave_out_worlds(beam: Beam, paths: Sequence[Path], clock: Clock) -> None:
    """Reduce the number of worlds until the time allows one step after each path. All paths get the same worlds: with
    fewer worlds, one path might look best by luck (optimizer's curse).
    """
    begin, beam.used = clock.spent, min(beam.count, PROBED)
    beam.plant(1, paths[0])
    beam.settle(1)
    beam.stay(1)
    taken = (clock.spent - begin) / beam.used * len(paths)
    left = max(USED * GROWING - clock.spent, 0)
    beam.used = max(beam.used, min(beam.count, int(left / max(taken, 1e-9))))


def _rank(starts: Sequence[Path], found: Sequence[Plan], beam: Beam, clock: Clock) -> tuple[Option, ...]:
    """Return the first choices as options, each with the value of the best plan that begins with it."""
    best: dict[Path, float] = {}
    for start, plan in zip(starts, found, strict=True):
        best[start] = max(best.get(start, -1.0), plan.value)
    if beam.turns:
        order = sorted(range(len(found)), key=lambda k: -found[k].value)
        values = beam.play_on([found[k] for k in order[:FINALISTS]], clock, USED)
        best = {}
        for k, value in zip(order, values.tolist(), strict=False):
            mixed = PLAIN * found[k].value + (1 - PLAIN) * value
            best[starts[k]] = max(best.get(starts[k], -1.0), mixed)
    ranked = sorted(best, key=lambda start: -best[start])
    # The weights of the worlds may add up to a little more than 1.
    return tuple(Option(start, min(best[start], 1.0)) for start in ranked)
