"""Reasons why an action is not possible, as codes with arguments that reveal only what the player knows.

This module decides nothing: `rules/` decides what is legal. It only finds the reason why an action is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Refusal
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import Borders, Map, find_borders
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.screen.scene import FROM_HAND, NO_CARD, STOP, guess_id
from gonfalon.games.conquest.sight.view import chosen_zones
from gonfalon.games.conquest.text.notation import names_of

_PHASES = (
    (g.ACT_PICK, (g.DEPLOY, g.ORDER)),
    (g.ACT_CARD, (g.DRAFT,)),
    (g.ACT_ZONE, (g.CARD,)),
    (g.ACT_GUESS, (g.AIM, g.RAISE)),
    (g.ACT_STOP, (g.GUESS,)),
    (g.ACT_START, (g.MOVE,)),
)
"""Phases in which actions are possible. Each row is for the actions below its number."""
_FIRST = {
    g.DRAFT: "draft-first",
    g.DEPLOY: "deploy-first",
    g.CARD: "card-first",
    g.ORDER: "order-first",
    g.GUESS: "guess-first",
    g.RAISE: "raise-first",
}
"""Code of the action that the player must take first, by phase."""


@cache
def _borders(land: Map) -> Borders:
    return find_borders(land)


def explain_action(view: View, action: int, land: Map, rules: NDArray[np.void]) -> Refusal | None:
    """Return why the viewer may not do this; None exactly for the legal actions."""
    if action in view.legal:
        return None
    if not _exists(action, land):
        return Refusal("unknown-action")
    if view.phase == g.OVER:
        return Refusal("over")
    if action >= g.ACT_START:
        return Refusal("drawn-by-chance")
    return _not_on_turn(view) or _not_now(view, action) or _Reasons(view, land, rules).of(action)


def _exists(action: int, land: Map) -> bool:
    """Return whether the number is an action. On a small map many numbers are not."""
    if not 0 <= action < g.ACTIONS or action in (g.ACT_GUESS, g.ACT_START, g.ACT_UNIT):
        return False
    if g.ACT_PICK <= action < g.ACT_CARD:
        return action - g.ACT_PICK < len(land.territories)
    if g.ACT_ZONE <= action < g.ACT_GUESS:
        return action - g.ACT_ZONE < len(land.zones)
    if g.ACT_MOVE <= action < g.ACT_START:
        return max(divmod(action - g.ACT_MOVE, g.ZONES)) < len(land.zones)
    return True


def _not_on_turn(view: View) -> Refusal | None:
    """Return why the viewer cannot do anything now."""
    own = view.observer
    if view.phase == g.OVER:
        return Refusal("over")
    if own < 0:
        return Refusal("not-your-turn")
    if view.out[own]:
        return Refusal("out")
    if view.phase == g.DEPLOY:
        return Refusal("already-placed") if view.ready[own] else None
    return Refusal("not-your-turn") if own != view.mover or not view.n_legal else None


def _not_now(view: View, action: int) -> Refusal | None:
    """Return why the viewer, who may act, cannot do this kind of action now."""
    phases = next(phases for below, phases in _PHASES if action < below)
    if view.phase in phases:
        return None
    if view.phase == g.MOVE:
        return Refusal("cards-over" if g.ACT_CARD <= action < g.ACT_ZONE else "not-now")
    if view.phase == g.AIM:
        return Refusal("enter-first" if view.playing in FROM_HAND else "aim-first", {"card": CARDS[view.playing]})
    return Refusal(_FIRST[int(view.phase)])


class _Reasons:
    """Reasons why the viewer cannot do exactly this, although actions of this kind are possible."""

    def __init__(self, view: View, land: Map, rules: NDArray[np.void]) -> None:
        self.view, self.names, self.rules = view, names_of(land), rules
        self.near, self.ridged = _borders(land).near, _borders(land).ridged
        self.side, self.at = view.observer, view.at.tolist()

    def of(self, action: int) -> Refusal:
        if action < g.ACT_PICK:
            return self.place(action - g.ACT_PLACE)
        if action < g.ACT_CARD:
            return self.pick(action - g.ACT_PICK)
        if action < g.ACT_NO_CARD:
            return self.card(action - g.ACT_CARD)
        if g.ACT_ZONE <= action < g.ACT_GUESS:
            return self.zone(action - g.ACT_ZONE)
        if action == g.ACT_STOP:
            return Refusal("must-move")
        return self.move(*divmod(action - g.ACT_MOVE, g.ZONES)) if action >= g.ACT_MOVE else Refusal("not-now")

    # ---- what stands where

    def owner(self, zone: int) -> int:
        """Return the owner of the unit in a zone; NONE if the zone is empty."""
        slot: int = self.at[zone]
        return slot if slot == g.NONE else slot // g.ARMY

    def refusal(self, code: str, zone: int, other: int | None = None) -> Refusal:
        if other is None:
            return Refusal(code, {"space": self.names.zones[zone]})
        return Refusal(code, {"from": self.names.zones[zone], "to": self.names.zones[other]})

    def units(self, side: int) -> list[int]:
        """Return the zones with units of a side."""
        return [zone for zone in range(len(self.near)) if self.owner(zone) == side]

    def is_full(self) -> bool:
        return g.NONE not in self.at[: len(self.near)]

    # ---- before the battle

    def place(self, kind: int) -> Refusal:
        """CQ-7, CQ-27: all units must be placed, and no others."""
        if self.view.phase == g.ORDER:
            return Refusal("not-regrouped", {"face": TYPES[kind]}) if kind else Refusal("must-put-back")
        return Refusal("none-left", {"face": TYPES[kind]}) if kind else Refusal("must-fill")

    def pick(self, territory: int) -> Refusal:
        """CQ-6: return why a territory cannot be chosen."""
        owner = g.SIDES[self.view.owner[territory]]
        return Refusal("taken", {"territory": self.names.territories[territory], "side": owner})

    # ---- cards

    def card(self, card: int) -> Refusal:
        """CQ-34: return why a card cannot be played."""
        code = self.card_code(card) if self.view.table[card] else "card-not-drawn"
        return Refusal(code, {"card": CARDS[card]})

    def card_code(self, card: int) -> str:
        if card == g.REGROUP:
            return "too-few-units"
        if card == g.TRAITOR:
            return "no-enemy-unit"
        if card == g.SECRET:
            return "no-pair" if self.has_master() else "no-master-on-board"
        if card == g.NEW_MASTER and not self.view.reserve[self.side][g.SPY_MASTER]:
            return "no-master-in-reserve"
        if not self.view.n_reserve[self.side]:
            return "no-reserve"
        return "no-empty-zone" if self.is_full() or card != g.REINFORCEMENTS else "no-empty-zone-near"

    def has_master(self) -> bool:
        return any(self.view.kind[self.at[zone]] == g.SPY_MASTER for zone in self.units(self.side))

    def zone(self, zone: int) -> Refusal:
        """Return why a zone cannot be named for a card, or why a unit or a Flag cannot be put there."""
        card, empty = int(self.view.playing), self.at[zone] == g.NONE
        if self.view.phase != g.RAISE and zone in chosen_zones(self.view):
            return self.refusal("already-chosen", zone)
        if self.view.phase == g.RAISE or card in (*FROM_HAND, g.NEW_MASTER):
            return self.refusal("not-near-own" if empty else "occupied", zone)
        if card == g.REGROUP:
            return self.refusal("no-own-unit", zone)
        if empty:
            return self.refusal("no-unit", zone)
        return self.refusal("own-unit", zone) if card == g.TRAITOR else self.pair(zone)

    def pair(self, zone: int) -> Refusal:
        """CQ-31: return why the zone cannot be one of two bordering zones with units."""
        chosen = chosen_zones(self.view)
        if not chosen:
            return self.refusal("no-neighbour", zone)
        return self.refusal("ridge-between" if self.is_ridged(zone, chosen[0]) else "not-bordering", chosen[0], zone)

    # ---- moves

    def is_ridged(self, zone: int, other: int) -> bool:
        """Return whether a ridge separates two zones that touch."""
        return (min(zone, other), max(zone, other)) in self.ridged

    def unit(self, zone: int) -> Refusal | None:
        """Return why no unit can move from this zone at all (CQ-14)."""
        if self.owner(zone) != self.side:
            return self.refusal("no-own-unit", zone)
        kind = int(self.view.kind[self.at[zone]])
        return Refusal("never-moves", {"face": TYPES[kind]}) if g.IMMOBILE >> kind & 1 else None

    def move(self, zone: int, other: int) -> Refusal:
        """CQ-14, CQ-15: return why a unit cannot move there."""
        refusal = self.unit(zone)
        if refusal is not None:
            return refusal
        if zone == other:
            return self.refusal("same-zone", zone)
        if self.owner(other) == self.side:
            return self.refusal("own-unit-there", other)
        if self.is_ridged(zone, other):
            return self.refusal("ridge-between", zone, other)
        if self.view.kind[self.at[zone]] != g.SCOUT:
            return self.refusal("not-bordering", zone, other)
        may_attack = self.rules[0]["scout_attacks_after_run"] or self.at[other] == g.NONE
        return self.refusal("no-way" if may_attack else "run-then-attack", zone, other)


# ---- paths -------------------------------------------------------------------------------------------------------


def explain_path(view: View, path: Sequence[str], land: Map, rules: NDArray[np.void]) -> Refusal:
    """Return why the viewer cannot choose the path; `unknown-action` for a path of unknown form."""
    names = names_of(land)
    zones = [names.zone_numbers[name] for name in path if name in names.zone_numbers]
    if zones and len(zones) == len(path) <= 2:
        return _not_on_turn(view) or _zones(view, zones, land, rules)
    action = _FIXED.get(path[0]) if len(path) == 1 else None
    if action is None:
        return Refusal("unknown-action")
    return explain_action(view, action, land, rules) or Refusal("not-now")


_FIXED = {
    NO_CARD: g.ACT_NO_CARD,
    STOP: g.ACT_STOP,
    **{f"card.{name}": g.ACT_CARD + card for card, name in enumerate(CARDS)},
    **{guess_id(g.ACT_GUESS + kind): g.ACT_GUESS + kind for kind in range(1, g.TYPES)},
}
"""The actions of buttons and cards, by id."""


def _zones(view: View, zones: list[int], land: Map, rules: NDArray[np.void]) -> Refusal:
    """Return the reason for a path of one or two zones. It depends on what naming a zone means now."""
    if len(zones) == 1 and view.phase == g.DRAFT:
        action = g.ACT_PICK + zones[0] // g.IN_TERRITORY
    elif len(zones) == 1 and view.phase in (g.AIM, g.RAISE):
        action = g.ACT_ZONE + zones[0]
    elif len(zones) == 1 and view.phase == g.MOVE:
        return _from(view, zones[0], land, rules)
    else:
        action = g.ACT_MOVE + zones[0] * g.ZONES + zones[-1]
    return explain_action(view, action, land, rules) or Refusal("not-now")


def _from(view: View, zone: int, land: Map, rules: NDArray[np.void]) -> Refusal:
    """Return why a path of one zone is refused in the phase of moves, where a move needs two."""
    reasons = _Reasons(view, land, rules)
    moves = view.legal - g.ACT_MOVE
    goes = bool((moves[moves >= 0] // g.ZONES == zone).any())
    return reasons.unit(zone) or reasons.refusal("say-where" if goes else "no-move-from", zone)
