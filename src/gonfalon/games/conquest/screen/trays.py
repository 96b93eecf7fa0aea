"""The trays beside the map (reserves, Flags, units in hand, cards), and the known groups of units."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gonfalon.engine.game import EVERYTHING
from gonfalon.engine.screens.scene import Group, Tray, TrayItem
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.text.notation import Names

BY_RANK = (g.KING, *range(g.KING - 1, 0, -1), g.CURSED_LAND, g.FLAG)
"""Types in the order in which trays and groups show them."""


def is_own(view: View, side: int) -> bool:
    return view.observer in (side, EVERYTHING)


def trays_of(view: View, players: int, shown: bool) -> tuple[Tray, ...]:
    mover = int(view.mover)
    reserves = view.reserve
    if not shown:
        reserves = reserves.copy()
        reserves[[not is_own(view, side) for side in range(g.PLAYERS)]] = 0
    numbers = (view.n_reserve, reserves, view.holder, view.discard, view.table)
    drawn = g.SIDES[mover] if mover < players else ""
    counts = tuple(part.tobytes() for part in numbers)
    return _all_trays(players, _in_hand(view, shown), drawn, int(view.pile.sum()), counts)


@lru_cache(1 << 12)
def _all_trays(
    players: int,
    hand: tuple[int, int],
    drawn: str,
    pile: int,
    counts: tuple[bytes, ...],
) -> tuple[Tray, ...]:
    """Return the trays: each player's reserve, held Flags and unit in hand, then the cards. Cached, since few steps
    change a tray.

    `counts`: the view's `n_reserve`, known units of the reserves, `holder`, `discard` and `table`.
    """
    sizes, reserves, holder, discard, table = counts
    trays: list[Tray] = []
    for side in range(players):
        known = reserves[g.TYPES * side : g.TYPES * side + g.TYPES]
        trays += (
            _reserve(side, sizes[side] - sum(known), known),
            _flags(side, holder),
            _hand(side, hand[1] if hand[0] == side else 0),
        )
    hidden = (TrayItem("pile.hidden", "", pile),) if pile else ()
    return (*trays, Tray("pile", "", hidden), _cards("discard", "", discard), _cards("cards", drawn, table))


def _reserve(side: int, hidden: int, known: bytes) -> Tray:
    name = f"reserve.{g.SIDES[side]}"
    items = [TrayItem(f"{name}.{TYPES[kind]}", TYPES[kind], known[kind]) for kind in BY_RANK if known[kind]]
    if hidden > 0:
        items.append(TrayItem(f"{name}.hidden", "", hidden))
    return Tray("reserve", g.SIDES[side], tuple(items))


def _flags(side: int, holder: bytes) -> Tray:
    """CQ-21: return the Flags of other players that a side holds. Each shows its owner."""
    name = g.SIDES[side]
    held = [g.SIDES[other] for other, by in enumerate(holder) if by == side and other != side]
    return Tray("flags", name, tuple(TrayItem(f"flags.{name}.{of}", TYPES[g.FLAG], 1, of) for of in held))


def _hand(side: int, kind: int) -> Tray:
    name = g.SIDES[side]
    if not kind:
        return Tray("hand", name, ())
    face = "" if kind == g.HIDDEN else TYPES[kind]
    return Tray("hand", name, (TrayItem(f"hand.{name}.{face or 'hidden'}", face),))


def _in_hand(view: View, shown: bool) -> tuple[int, int]:
    """Return the player who has to put a unit on the map, and its type; NONE and 0 if there is none."""
    if view.phase == g.RAISE:
        return int(view.mover), g.FLAG
    slot = int(view.hand)
    if slot == g.NONE:
        return g.NONE, 0
    side = slot // g.ARMY
    return side, int(view.kind[slot]) if shown or is_own(view, side) else g.HIDDEN


def _cards(kind: str, side: str, counts: bytes) -> Tray:
    """Return a tray of cards. Players choose drawn cards, so their ids are short and equal for all players."""
    name = "card" if kind == "cards" else kind
    items = [TrayItem(f"{name}.{CARDS[card]}", CARDS[card], count) for card, count in enumerate(counts) if count]
    return Tray(kind, side, tuple(items))


def groups_of(view: View, names: Names, players: int) -> tuple[Group, ...]:
    """Return the viewer's knowledge of hidden units as groups (CQ-36). The viewer's own units need none: their marks
    say enough.
    """
    labels = view.group
    if (labels == g.NONE).all():
        return ()
    groups, zones = [], {slot: zone for zone, slot in enumerate(view.at.tolist()) if slot != g.NONE}
    for side, name in enumerate(g.SIDES[:players]):
        own = labels[g.ARMY * side : g.ARMY * side + g.ARMY]
        if is_own(view, side) or (own == g.NONE).all():
            continue
        for label in np.unique(own[own != g.NONE]).tolist():
            members = (g.ARMY * side + np.flatnonzero(own == label)).tolist()
            spaces = [names.zones[zones[slot]] for slot in members if slot in zones]
            hand = [f"hand.{name}"] if len(spaces) < len(members) else []
            inside = int(view.in_reserve[label])
            reserve = [f"reserve.{name}"] if inside else []
            among = view.among[label].tolist()
            if not any(among):
                continue
            faces = tuple(TYPES[kind] for kind in BY_RANK for _ in range(among[kind]))
            groups.append(Group(name, (*spaces, *hand, *reserve), faces, len(members) + inside))
    return tuple(groups)
