"""Ways to play a card that the search compares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.deployments import borders_of
from gonfalon.games.conquest.play.worth import WORTH
from gonfalon.games.conquest.sight.view import chosen_zones

GUESSES, LOOKS = 3, 2
"""Number of guesses for a Traitor, and of pairs to look at, that the search tries."""
FLAG_WORTH = 150.0
"""Worth of guessing a Flag right, in the points of `worth`."""

Path = tuple[int, ...]


def list_cards(view: View, worlds: State, rules: NDArray[np.void], rng: np.random.Generator) -> list[Path]:
    """Return the ways to play each possible card, and to play none. A Blitz is never declined, because its moves need
    not be used.
    """
    legal = view.legal.tolist()
    blitz = g.ACT_CARD + g.BLITZ in legal
    paths: list[Path] = []
    for action in legal:
        card = action - g.ACT_CARD
        if card == g.REGROUP:
            paths += [(action, *zones) for zones in _regroups(view, rng)]
        elif card == g.TRAITOR:
            paths += [(action, *named) for named in _guesses(view, worlds)]
        elif card == g.SECRET:
            paths += [(action, *zones) for zones in _looks(view, worlds, rules)]
        elif action != g.ACT_NO_CARD or not blitz:
            paths.append((action,))
    return paths


def list_rests(view: View, worlds: State, rules: NDArray[np.void]) -> list[Path]:
    """Return, for the present card, the remaining actions of the ways to play it that fit the zones named so far. Empty
    if the viewer has named other zones, and for cards for which the search compares single actions.
    """
    whole: list[Path] = []
    if view.playing == g.TRAITOR:
        whole = _guesses(view, worlds)
    elif view.playing == g.SECRET:
        whole = _looks(view, worlds, rules)
    done = {g.ACT_ZONE + zone for zone in chosen_zones(view)}
    return [tuple(action for action in path if action not in done) for path in whole]


def _regroups(view: View, rng: np.random.Generator) -> Iterator[Path]:
    """Yield a Regroup of the Flag and two units that opponents do not know. Only if opponents know the Flag, or suspect
    it among a few units.
    """
    at = view.at.tolist()
    own = [zone for zone, slot in enumerate(at) if slot != g.NONE and slot // g.ARMY == view.observer]
    flags = [zone for zone in own if view.kind[at[zone]] == g.FLAG]
    hidden = [zone for zone in own if zone not in flags and view.marks[at[zone]] == g.UNKNOWN]
    still = [zone for zone in hidden if not view.ruled_out[at[zone]] >> g.FLAG & 1]
    others = still if len(still) > 1 else hidden
    if flags and view.marks[at[flags[0]]] != g.UNKNOWN and len(others) > 1:
        yield tuple(g.ACT_ZONE + int(zone) for zone in (flags[0], *rng.choice(others, 2, replace=False)))


def _enemies(view: View) -> list[int]:
    """Return the zones of opponents' units that the viewer does not know."""
    slots = enumerate(view.at.tolist())
    return [zone for zone, slot in slots if slot != g.NONE and view.kind[slot] == g.HIDDEN]


def _guesses(view: View, worlds: State) -> list[Path]:
    """Return the most valuable guesses; if a zone is already named, only for this zone."""
    found, named = [], chosen_zones(view)
    for zone in np.flatnonzero(view.at != g.NONE).tolist():
        slot = int(view.at[zone])
        if slot // g.ARMY == view.observer or (named and zone not in named):
            continue
        shares = np.bincount(worlds["kind"][:, slot], minlength=g.TYPES) / len(worlds)
        for kind in np.flatnonzero(shares).tolist():
            worth = FLAG_WORTH if kind == g.FLAG else WORTH[kind]
            found.append((-worth * shares[kind], g.ACT_ZONE + zone, g.ACT_GUESS + kind))
    return [(zone, kind) for _, zone, kind in sorted(found)[:GUESSES]]


def _looks(view: View, worlds: State, rules: NDArray[np.void]) -> list[Path]:
    """Return the pairs of unknown units that most likely include a Flag. If units are already named, only pairs with
    them.
    """
    shares = {zone: float((worlds["kind"][:, int(view.at[zone])] == g.FLAG).mean()) for zone in _enemies(view)}
    near, named = borders_of(rules), chosen_zones(view)
    pairs = [(one, other) for one in shares for other in shares if one < other and near[one, other]]
    pairs = [pair for pair in pairs if set(pair).issuperset(named)]
    pairs.sort(key=lambda pair: -shares[pair[0]] - shares[pair[1]])
    return [(g.ACT_ZONE + one, g.ACT_ZONE + other) for one, other in pairs[:LOOKS]]
