"""States made by hand, for tests of views: units on a ring of zones, and what observers know of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine import base
from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.game import CHANCE, State
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g

LETTERS = ".MSC456789KXF"
UNITS = "KFX98765" + "4CCCSSSSMX"
"""The army of CQ-1, in the order of slots: for example King 0, Flag 1, Cursed Lands 2 and 17, Spy Master 16."""
RED, BLUE, GREEN, OCHRE = range(4)
ALL = (*range(4), g.THE_PUBLIC)


def ring_rules(players: int = 4) -> NDArray[np.void]:
    """Return the rules of a map whose zones form a ring: each borders two."""
    rules = zero_rows(g.RULES)
    row = rules[0]
    row["players"], row["zones"], row["territories"] = players, g.ZONES, g.TERRITORIES
    for zone in range(g.ZONES):
        row["near"][zone, :2] = sorted(((zone - 1) % g.ZONES, (zone + 1) % g.ZONES))
    row["n_near"] = 2
    for letter, count in Counter(UNITS).items():
        row["army"][LETTERS.index(letter)] = count
    row["deck"] = (6, 13, 4, 11, 5, 1, 2)
    row["scout_attacks_after_run"] = row["prove_spy_master"] = 1
    row["max_quiet_rounds"], row["max_rounds"] = 50, 400
    return rules


def blank(players: int = 4) -> State:
    """Return the state before the first action."""
    state = zero_rows(g.STATE)
    row = state[0]
    row["group"] = np.arange(g.UNITS)
    row["zone"] = g.GONE
    for name in ("start", "owner", "control", "at", "playing", "chosen", "winner"):
        row[name] = g.NONE
    row["last"] = (g.NO_ACT, g.NONE, g.NONE, g.NONE)
    row["holder"] = [p if p < players else g.NONE for p in range(g.PLAYERS)]
    row["pile"] = ring_rules()[0]["deck"]
    row["traitor_last"] = 1
    return state


def drafted(players: int = 4) -> State:
    """Return a state in which all territories are chosen: first red's, then blue's, and so on."""
    state = blank(players)
    row = state[0]
    row["owner"] = np.arange(g.TERRITORIES) * players // g.TERRITORIES
    row["phase"], row["start"], row["picks"] = g.DEPLOY, RED, g.TERRITORIES
    return state


def battle(players: int = 4, phase: int = g.MOVE) -> State:
    """Return a state of the battle. Each player's units stand in the first of the player's own zones, in the order of
    `UNITS`. Red is on turn.
    """
    state = drafted(players)
    row = state[0]
    row["started"], row["phase"], row["moves"] = 1, phase, 1
    row["control"] = row["owner"]
    for side in range(players):
        for j in range(g.ARMY):
            _put(row, slot(side, j), side * g.ZONES // players + j)
            row["kind"][slot(side, j)] = LETTERS.index(UNITS[j])
    return state


def slot(side: int, unit: int | str) -> int:
    """Return the slot of a unit: by its place in `UNITS`, or the first one of a type."""
    return side * g.ARMY + (UNITS.index(unit) if isinstance(unit, str) else unit)


def _put(row: np.void, unit: int, zone: int) -> None:
    row["zone"][unit] = zone
    if zone < g.ZONES:
        row["at"][zone] = unit


def leave(state: State, unit: int, where: int = g.RESERVE) -> None:
    """Take a unit off the board. All observers see its type."""
    row = state[0]
    if row["zone"][unit] < g.ZONES:
        row["at"][row["zone"][unit]] = g.NONE
    row["n_reserve"][unit // g.ARMY] += int(where == g.RESERVE) - int(row["zone"][unit] == g.RESERVE)
    _put(row, unit, where)
    if where == g.GONE:
        row["holder"][unit // g.ARMY] = g.NONE
    for observer in ALL:
        if observer != unit // g.ARMY:
            see(state, observer, unit)


def see(state: State, observer: int, unit: int) -> None:
    state[0]["known"][observer, unit] = 1
    state[0]["ruled_out"][observer, unit] = 0


def rule_out(state: State, observer: int, unit: int, letters: str) -> None:
    state[0]["ruled_out"][observer, unit] = sum(1 << LETTERS.index(letter) for letter in letters)


def join(state: State, observer: int, units: list[int], marked: list[int]) -> None:
    """Make the observer unable to tell these units apart; the observer knows the types of the marked ones."""
    state[0]["group"][observer, units] = min(units)
    state[0]["known"][observer, units] = [unit in marked for unit in units]


def put_drawn(state: State, side: int, unit: int, zone: int = g.IN_HAND) -> None:
    """Draw a unit from the reserve, to the hand or to a zone. Other observers cannot tell it from the rest of the
    reserve (CQ-28).
    """
    row = state[0]
    units = [u for u in range(side * g.ARMY, (side + 1) * g.ARMY) if row["zone"][u] == g.RESERVE]
    _put(row, unit, zone)
    row["n_reserve"][side] -= 1
    for observer in ALL:
        if observer != side and len(units) > 1:
            join(state, observer, units, units)


def faces(view: View, side: int) -> str:
    """Return the slots of a side as a view shows them: letters, `?` for a hidden unit, `.` for an empty slot."""
    kinds = view.kind[side * g.ARMY : (side + 1) * g.ARMY].tolist()
    return "".join("?" if kind == g.HIDDEN else LETTERS[kind] for kind in kinds)


def letters(counts: NDArray[np.uint8]) -> str:
    return "".join(LETTERS[kind] * int(count) for kind, count in enumerate(counts))


def field(phase: int = g.MOVE, players: int = 2, moves: int = 1, **sides: str) -> State:
    """Return a state with units given as zone and letter, such as red="5K 6S". The rest of each army is in its reserve,
    where all observers saw it fall.
    """
    state = battle(players, phase)
    row = state[0]
    row["at"], row["moves"] = g.NONE, moves
    for side, name in enumerate(g.SIDES[:players]):
        free = [slot(side, j) for j in range(g.ARMY)]
        for part in sides[name].split():
            unit = next(u for u in free if UNITS[u % g.ARMY] == part[-1])
            free.remove(unit)
            _put(row, unit, int(part[:-1]))
        for unit in free:
            row["zone"][unit] = g.NONE
            leave(state, unit, g.GONE if UNITS[unit % g.ARMY] == "F" else g.RESERVE)
    return state


def with_card(state: State, card: int) -> State:
    """Return the state, changed so that the player on turn has drawn this card."""
    row = state[0]
    row["phase"], row["pile"][card] = g.CARD, row["pile"][card] - 1
    row["table"][card] = 1
    if card == g.TRAITOR:
        row["traitor_last"] = 0
    return state


def play(state: State, *steps: tuple[int, int], players: int = 2) -> State:
    """Return the state after these (player, action) steps. Cards that are drawn before a move are not played."""
    state, rules = copy_rows(state), ring_rules(players)
    for player, action in steps:
        while state[0]["phase"] == g.DRAW:
            kernels.step(state, 0, rules, CHANCE, legal(state, CHANCE, players)[0])
        if state[0]["phase"] == g.CARD and action > g.ACT_NO_CARD:
            kernels.step(state, 0, rules, player, g.ACT_NO_CARD)
        assert kernels.step(state, 0, rules, player, action), (player, action, legal(state, player, players))
    return state


def legal(state: State, player: int, players: int = 2) -> list[int]:
    rules = ring_rules(players)
    actions: list[int] = rules["ids"][0, : kernels.legal(state, 0, rules, player)].tolist()
    return actions


def view_of(state: State, rules: Rows, observer: int) -> View:
    return base.view_of(g, kernels, state, rules, observer)


def move(begin: int, finish: int) -> int:
    return g.ACT_MOVE + begin * g.ZONES + finish


def at(state: State, zone: int) -> int:
    return int(state[0]["at"][zone])
