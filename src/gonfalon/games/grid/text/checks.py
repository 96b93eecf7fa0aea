"""Checks a state record that came from outside: a malformed one could crash a kernel. Raises `TextError` for what cannot be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State, TextError
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.text.notation import square_name

PICKS = {g.HEAL: g.SCOUT, g.HEAL_PLACE: g.SCOUT, g.RESCUE: g.SPY, g.RESCUE_PLACE: g.SPY}
"""Phases in which something may come back, with the least type that may."""
WON = (g.BY_FLAG, g.BY_NO_MOVES, g.BY_RESIGNING)
MARKS = g.MOVED | g.SEEN | g.SPENT
IMMOBILE = (1 << g.BOMB) | (1 << g.FLAG)


def check_record(state: State, rules: NDArray[np.void]) -> None:
    """All that the kernels rely on beyond what a diagram can say; pieces, numbers and past are the reader's own."""
    row, r = state[0], rules[0]
    _check_end(row)
    if (row["placed"] < r["own_squares"]).any():
        _check_deployment(row)
        return
    _check_counters(row, r)
    _check_pieces(row, r)
    _check_turn(row)
    _check_fight(row, r)
    _check_return(row, r)


def _need(holds: object, reason: str) -> None:
    if not holds:
        raise TextError(reason)


def _check_end(row: np.void) -> None:
    over = int(row["over"])
    _need((over == g.RUNNING) == (row["phase"] != g.OVER), "over: a match that has ended needs its reason")
    if over != g.RUNNING:
        _need((over in WON) == (row["winner"] != g.NONE), f"over: {g.OVER_REASONS[over]} does not go with this winner")


def _check_deployment(row: np.void) -> None:
    """Before play there is nothing but placements; only resigning can have ended it."""
    _need(row["over"] in (g.RUNNING, g.BY_RESIGNING), "placed: before play only resigning ends a match")
    _need(row["phase"] in (g.DEPLOY, g.OVER), "placed: there are no turns before play")
    for name in ("turn", "quiet", "chase", "apple_used", "rescues", "heal", "marks", "ruled_out", "fight"):
        _need(not row[name].any(), f"placed: no {name} before play")


def _check_counters(row: np.void, r: np.void) -> None:
    _need(row["over"] != g.RUNNING or row["turn"] < r["max_turns"], "turn: this many end the match")
    _need(row["over"] != g.RUNNING or row["quiet"] < r["max_quiet_turns"], "quiet: this many end the match")
    _need(max(row["chase"]) <= (row["turn"] if r["chase_rule"] else 0), "chase: no chase can be this long")
    _need(max(row["rescues"]) <= (2 if r["rescue"] else 0), "rescues: two a side, where there are any")
    _need(max(row["apple_used"]) <= r["powers"], "apple_used: once a side, where there are powers")
    _need(max(row["heal"]) <= r["powers"], "heal: 0 or 1, where there are powers")
    for side in range(2):
        _need(not row["heal"][side] or row["lost"][side, g.SPY], "heal: no Spy of this side has left")


def _check_pieces(row: np.void, r: np.void) -> None:
    for square in range(g.SQUARES):
        piece, marks, ruled_out = (int(row[name][square]) for name in ("board", "marks", "ruled_out"))
        known = IMMOBILE if marks & g.MOVED else 0
        if not piece & g.ANY_SIDE:
            _need(not ruled_out, f"ruled_out: no piece on {square_name(square)}")
            continue
        _need(r["rescue"] or not marks & g.SPENT, f"{square_name(square)}: there are no Rescues here")
        _need(ruled_out < 1 << g.TYPES, f"ruled_out: {ruled_out} is no set of types")
        _need(not ruled_out & 1 << (piece & g.TYPE), f"ruled_out: {square_name(square)} is what it is said not to be")
        _need(ruled_out & known == known, f"ruled_out: who has moved on {square_name(square)} is no Bomb or Flag")
        _need(ruled_out == known or r["silent_defence"], "ruled_out: every fight shows both pieces here")


def _check_turn(row: np.void) -> None:
    """A finished turn holds nothing open; resigning and agreeing break a turn off as it is."""
    if row["phase"] == g.TURN or row["over"] not in (g.RUNNING, g.BY_RESIGNING, g.BY_AGREEMENT):
        _need(not row["heal"].any(), "heal: only while a turn is unfinished")
        _need(row["fight"] == g.NO_FIGHT, "fight: only while a turn is unfinished")
        _need(row["arrived"] == g.NONE, "arrived: only while a turn is unfinished")
        _need(not row["chosen"], "a piece is picked only while a turn is unfinished")
    if row["phase"] in (g.TARGET, g.RESCUE, g.RESCUE_PLACE):
        _need(row["actor"] == row["mover"], "phase: it is the other side's turn")
    if row["arrived"] != g.NONE:
        piece = int(row["board"][row["arrived"]])
        _need(piece & (g.RED << int(row["mover"])), "arrived: no piece of the side to move stands there")
        _need(row["fight"] == g.NO_FIGHT, "arrived: in a Sword or an Apple nobody moves")


def _check_fight(row: np.void, r: np.void) -> None:
    """GR-31, GR-35: the fighter beside its targets, all shown, on the right sides."""
    targets = [int(target) for target in row["targets"] if target != g.NONE]
    if row["fight"] == g.NO_FIGHT:
        _need(row["phase"] != g.TARGET, "phase: there is no fight")
        return
    _need(r["powers"], "fight: there are no powers here")
    mover, sword = int(row["mover"]), row["fight"] == g.SWORD
    square = int(row["where"][row["fighter"]])
    own, enemy = g.RED << mover, g.RED << (1 - mover)
    kind = int(row["board"][square]) & g.TYPE
    _need(row["board"][square] & (own if sword else enemy), "fight: the fighter is of the wrong side")
    _need(kind == g.CAPTAIN if sword else kind < g.BOMB, "fight: this piece cannot fight so")
    _need(len(set(targets)) == len(targets) <= (2 if sword else 4), "fight: too many targets, or one twice")
    for place in (int(row["where"][target]) for target in targets):
        _need(place in r["near"][square], f"fight: {square_name(place)} is not beside the fighter")
        _need(row["board"][place] & enemy, f"fight: {square_name(place)} is of the wrong side")
    shown = [square, *(int(row["where"][target]) for target in targets)]
    _need(all(row["marks"][place] & g.SEEN for place in shown), "fight: all who fight have been shown")
    _need(row["phase"] != g.TARGET or _is_choice(row, targets), "phase: there is no choice of targets")


def _is_choice(row: np.void, targets: list[int]) -> bool:
    """Whether several targets stand equal at the head of the order."""
    kinds = [int(row["board"][row["where"][target]]) & g.TYPE for target in targets]
    order = sorted(0 if kind == g.BOMB else kind for kind in kinds)
    return len(order) > 1 and order[0] == order[1]


def _check_return(row: np.void, r: np.void) -> None:
    """GR-22, GR-30: who may bring something back, what, and where."""
    phase, actor, chosen = int(row["phase"]), int(row["actor"]), int(row["chosen"])
    _need((chosen != 0) == (phase in (g.HEAL_PLACE, g.RESCUE_PLACE)), "phase: a piece is picked, then placed")
    if phase not in PICKS:
        return
    lost = [kind for kind in range(PICKS[phase], g.BOMB) if row["lost"][actor, kind]]
    _need(lost, "phase: nothing can come back")
    _need(not chosen or chosen in lost, f"phase: no {TYPES[chosen]} can come back")
    if phase in (g.HEAL, g.HEAL_PLACE):
        _need(row["heal"][actor], "phase: no Shroud of this side is open")
        return
    _need(r["rescue"] and row["rescues"][actor] < 2, "phase: there is no Rescue left")
    _need(not row["heal"].any() and row["fight"] == g.NO_FIGHT, "phase: a Rescue comes last")
    arrived = int(row["arrived"])
    _need(arrived != g.NONE, "phase: no piece has arrived")
    far = int(r["rows"]) - 1 if actor == 0 else 0
    kind = int(row["board"][arrived]) & g.TYPE
    _need(arrived // g.COLUMNS == far and kind != g.SCOUT, "arrived: no Rescue comes of this")
    half = int(r["rows"]) // 2 * g.COLUMNS
    rows = slice(0, half) if actor == 0 else slice(int(r["squares"]) - half, int(r["squares"]))
    _need((row["board"][rows] == g.EMPTY).any(), "phase: there is no room for a Rescue")
