"""Checks a state record that came from outside. Raises `TextError`.

Without these checks a kernel could write outside its arrays, no player might be able to act, or `resample` might find
no world. A state that passes need not be reachable in a match.

Faults that no text can express (a zone that the map does not have, two units in one zone) are not checked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.bounds import check_bounds
from gonfalon.engine.game import CHANCE, State, TextError
from gonfalon.engine.view import copy_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.text.books import slots_of
from gonfalon.games.conquest.text.notation import LETTERS

BEFORE = (g.STARTING, g.DRAFT, g.DEPLOY)
DRAWN_UNIT = (g.REINFORCEMENTS, g.SURPRISE)
CHANCE_PHASES = (g.STARTING, g.DRAW, g.UNIT)
CARRIED_OUT = (g.AIM, g.ORDER, g.GUESS, g.UNIT)
"""Phases in which a card is being carried out."""


def check_record(state: State, rules: NDArray[np.void]) -> None:
    """Check all parts of a record. Knowledge is not checked: the reader ensures that it never contradicts the units."""
    rules = copy_rows(rules)  # copied, because threads share the rules, and kernels list actions in them
    row, r = state[0], rules[0]
    check_bounds(row, g.STATE_FIELDS)
    _check_phase(row)
    _check_cards(row, r)
    for side in range(int(r["players"])):
        if row["started"]:
            _check_army(row, r, side)
            _check_flag(row, side)
        else:
            _check_side_before(row, r, side)
    _check_holders(row)
    if row["phase"] != g.OVER:
        if row["started"]:
            _check_turn(row, r)
        else:
            _check_start(row)
        _check_counters(row, r)
        _check_draft(state, rules)
        _check_choice(state, rules)
        _check_actors(state, rules)


def _need(holds: object, reason: str) -> None:
    if not holds:
        raise TextError(reason)


# ---- the match ---------------------------------------------------------------------------------------------------


def _check_phase(row: np.void) -> None:
    """Check that deployments and units exist only in their phases: before the battle kernels use deployments,
    afterwards units.
    """
    phase, started = int(row["phase"]), bool(row["started"])
    if phase != g.OVER:
        _need((phase in BEFORE) != started, "phase: once the battle has begun the units of the sides are told")
        # A player who is out chooses no more and has nothing to move.
        _need(phase == g.DEPLOY or not row["out"][row["mover"]], "phase: who is out is not on turn")
    # A skipped player places no units, so the battle would never begin.
    _need(started or (row["out"] != g.SKIPPED).all(), "out: nobody is skipped before the battle")


def _check_holders(row: np.void) -> None:
    """CQ-24, CQ-35: check that enough Flags are left. Players with a Flag share a draw, so at least one must be left
    when a match ends, even after one more resignation.
    """
    flags = [side for side in range(g.PLAYERS) if row["holder"][side] == side]
    _need(len(flags) > (row["phase"] != g.OVER), "flag: with one Flag left the match is over, and one is always left")


def _check_counters(row: np.void, r: np.void) -> None:
    """CQ-26: check the counters, so that they never exceed what the text form can read back. Rounds end a match, and
    each player has one turn per round.
    """
    rounds, start = int(row["rounds"]), int(row["start"])
    seat = (int(row["mover"]) - start) % int(r["players"]) if row["started"] else 0
    _need(rounds < r["max_rounds"], f"turn: {r['max_rounds']} rounds end the match")
    _need(row["quiet"] <= rounds, "turn: no more quiet rounds than rounds")
    _need(row["turn"] <= r["players"] * rounds + seat, "turn: no more than one a player in each round")


def _check_cards(row: np.void, r: np.void) -> None:
    """CQ-5: check that no card is missing or surplus, so that every number fits a byte."""
    for card, count in enumerate(r["deck"].tolist()):
        there = sum(int(row[where][card]) for where in ("pile", "discard", "table"))
        _need(there == count, f"pile: {there} {CARDS[card]} in pile, discard and on the table, the deck has {count}")


# ---- before the battle -------------------------------------------------------------------------------------------


def _check_start(row: np.void) -> None:
    """CQ-4 to CQ-6: check the draw for the start."""
    if row["phase"] != g.STARTING:
        # Seats are counted from the starting player; `_check_draft` repeats the draft from there.
        _need(row["start"] != g.NONE, "start: it is settled before territories are chosen")
        return
    # One of the contenders starts, after at most MOST_TIES draws, and chooses from all territories.
    _need(row["contends"].any() and row["ties"] < g.MOST_TIES, "contends: it is settled who starts")
    unchosen = not row["picks"] and (row["owner"] == g.NONE).all()
    _need(unchosen, "owns: territories are chosen after the lots")


def _check_side_before(row: np.void, r: np.void, side: int) -> None:
    """CQ-7: check that the placed units belong to the army, and that there is room for the rest. Otherwise units would
    be missing in the battle.
    """
    name, placed, gone = g.SIDES[side], int(row["placed"][side]), row["out"][side] == g.RESIGNED
    _need(row["holder"][side] == (g.NONE if gone else side), f"{name} flag: no Flag is taken before the battle")
    share = g.IN_TERRITORY * int((row["owner"] == side).sum())
    if row["phase"] == g.DEPLOY and not gone:
        _need(share >= r["army"].sum(), f"{name} owns: there must be room for the whole army")
    if not placed:
        return
    _need(
        row["phase"] in (g.DEPLOY, g.OVER) and not gone,
        f"{name} lays: units are placed once all territories are chosen",
    )
    _need(placed <= share, f"{name} lays: {placed} zones, {name} has {share}")
    counts = np.bincount(row["laid"][side][:placed], minlength=g.TYPES)
    counts[0] = 0
    for kind in np.flatnonzero(counts > r["army"]).tolist():
        raise TextError(f"{name} lays: {counts[kind]} {TYPES[kind]}, the army has {r['army'][kind]}")
    left = int(r["army"].sum() - counts.sum())
    _need(left <= share - placed, f"{name} lays: there is no room for the rest of the army")


# ---- units -------------------------------------------------------------------------------------------------------


def _check_army(row: np.void, r: np.void, side: int) -> None:
    """CQ-1, CQ-17, CQ-25: check that a side has all units of its army, each in a possible place. A resigned player has
    none, unless the resignation ended the match. Otherwise `resample` would have too few or too many units for the
    places.
    """
    name, slots = g.SIDES[side], slots_of(side)
    kinds, zones = row["kind"][slots], row["zone"][slots]
    if row["out"][side] == g.RESIGNED:
        stayed = row["phase"] == g.OVER and row["over"] == g.BY_RESIGNING
        _need(stayed or not kinds.any(), f"{name}: the units of who resigned are gone")
        if not kinds.any():
            return
    counts = np.bincount(kinds, minlength=g.TYPES)
    counts[0] = 0
    for kind in np.flatnonzero(counts != r["army"]).tolist():
        raise TextError(f"{name}: {counts[kind]} of {LETTERS[kind]} ({TYPES[kind]}), the army has {r['army'][kind]}")
    _need((kinds[zones == g.GONE] == g.FLAG).all(), f"{name}: only a Flag is gone, other units are in the reserve")
    _need((kinds[(zones == g.RESERVE) | (zones == g.IN_HAND)] != g.FLAG).all(), f"{name}: a Flag is never in a reserve")
    there = kinds[zones < g.ZONES]
    _need(not row["master"][side] or g.SPY_MASTER in there, f"master: {name} has no Spy Master on the map")
    # A kernel puts the unit in hand on the map, and a view can show only one.
    in_hand = int((zones == g.IN_HAND).sum())
    drawn = row["phase"] == g.AIM and row["playing"] in DRAWN_UNIT and side == row["mover"]
    broken_off = row["phase"] == g.OVER and side == row["mover"] and in_hand < 2
    _need(in_hand == drawn or broken_off, f"{name}: one unit is in hand, [ ], while its card is carried out")


def _check_flag(row: np.void, side: int) -> None:
    """CQ-21 to CQ-25: check that the Flag is on the map, or held by a player whose own Flag is on the map, or about to
    be put back by a kernel.
    """
    name, holder = g.SIDES[side], int(row["holder"][side])
    slots = slots_of(side)
    on_map = bool(((row["kind"][slots] == g.FLAG) & (row["zone"][slots] < g.ZONES)).any())
    if row["out"][side] == g.RESIGNED:
        _need(holder != side, f"{name} flag: {name} has resigned")
    else:
        raising = row["phase"] == g.RAISE and side == row["mover"]
        broken_off = row["phase"] == g.OVER and side == row["mover"]
        _need(not raising or (holder == side and not on_map), f"{name} flag: it has come back, and is not placed yet")
        _need(not on_map or holder == side, f"{name} flag: it is on the map, and nobody else's")
        _need(on_map or holder != side or raising or broken_off, f"{name} flag: it is not on the map")
        _need(holder != g.NONE, f"{name} flag: somebody holds it")
    _need(
        holder == g.NONE or row["holder"][holder] == holder,
        f"{name} flag: only a side with its own Flag holds another's",
    )


# ---- turns -------------------------------------------------------------------------------------------------------


def _check_turn(row: np.void, r: np.void) -> None:
    """CQ-10, CQ-13: check the numbers that count down during a turn."""
    phase, due, moves, made = (int(row[name]) for name in ("phase", "due", "moves", "made"))
    # Rounds end with the starting player's turn, and rounds end matches.
    _need(row["start"] != g.NONE, "start: it is settled before the battle")
    _need(due or phase != g.DRAW, "due: cards are drawn first")
    # A Blitz! adds two moves, and the field `moves` must have room for all.
    most = 1 + int(r["city"].sum()) + (2 if phase in (g.MOVE, g.RAISE) else 0)
    _need(moves + made <= most, "moves: one, one for each city, two for a Blitz")
    _need(moves or (phase == g.RAISE and row["playing"] == g.NONE), "moves: none is left")


# ---- what the rules say ------------------------------------------------------------------------------------------


def _check_draft(state: State, rules: NDArray[np.void]) -> None:
    """CQ-6: check the draft by repeating it: first the chosen territories, in turn, then any free ones to the end of
    the draft. This ensures that each player's share has room for the whole army.
    """
    row = state[0]
    if row["phase"] not in (g.DRAFT, g.DEPLOY):
        return
    again = copy_rows(state)
    before, start = again[0], int(row["start"])
    before["phase"], before["mover"], before["start"] = g.STARTING, start, g.NONE
    before["owner"], before["picks"], before["contends"], before["lot"] = g.NONE, 0, 0, 0
    before["contends"][start] = 1
    kernels.legal(again, 0, rules, CHANCE)
    kernels.step(again, 0, rules, CHANCE, int(rules["ids"][0, 0]))
    chosen = [np.flatnonzero(row["owner"] == side).tolist() for side in range(g.PLAYERS)]
    while before["phase"] == g.DRAFT and chosen[before["mover"]]:
        territory = chosen[before["mover"]].pop()
        kernels.step(again, 0, rules, int(before["mover"]), g.ACT_PICK + territory)
    left = [side for side in range(g.PLAYERS) if chosen[side] and not row["out"][side]]
    alike = all(before[name] == row[name] for name in ("phase", "picks", "mover"))
    _need(alike and not left, "owns: territories are chosen in turn, here one side has too many or too few")
    before["owner"] = row["owner"]
    while before["phase"] == g.DRAFT:
        _need(kernels.legal(again, 0, rules, int(before["mover"])), "owns: too few territories are left")
        kernels.step(again, 0, rules, int(before["mover"]), int(rules["ids"][0, 0]))


def _check_choice(state: State, rules: NDArray[np.void]) -> None:
    """Check an open choice by letting the rules play the card again. They store zones and types in arrays of three, and
    rely on the requirements of the card.
    """
    row = state[0]
    card, phase = int(row["playing"]), int(row["phase"])
    if phase == g.RAISE and card != g.NONE:
        return  # The Traitor's choices; all are dropped when the Flag is raised.
    _need(
        (card == g.NONE) == (phase not in CARRIED_OUT), "playing: a card goes with `aim`, `order`, `guess` and `unit`"
    )
    if card == g.NONE:
        _need(not row["n_chosen"] and not row["n_ordered"], "aim, order: no card is carried out")
        return
    if phase == g.AIM and card in DRAWN_UNIT:
        return  # The unit has already left the reserve, so the rules could not play the card again.
    again = copy_rows(state)
    before = again[0]
    before["phase"], before["playing"], before["n_chosen"], before["n_ordered"] = g.CARD, g.NONE, 0, 0
    before["chosen"], before["ordered"] = g.NONE, 0
    _act(again, rules, g.ACT_CARD + card, f"playing: {CARDS[card]} cannot be played")
    for zone in row["chosen"][: row["n_chosen"]]:
        _act(again, rules, g.ACT_ZONE + int(zone), "aim: one of these zones cannot be named")
    for kind in row["ordered"][: row["n_ordered"]]:
        _act(again, rules, g.ACT_PLACE + int(kind), f"order: {LETTERS[kind]} cannot be put back there")
    before["log"], before["n_log"] = 0, 0
    _need(again.tobytes() == state.tobytes(), "phase: it does not go with the card and the zones")


def _act(state: State, rules: NDArray[np.void], action: int, reason: str) -> None:
    mover = int(state["mover"][0])
    _need(kernels.step(state, 0, rules, mover, action), reason)


def _check_actors(state: State, rules: NDArray[np.void]) -> None:
    """Check that the player to act can do something."""
    row = state[0]
    actors = [CHANCE] if row["phase"] in CHANCE_PHASES else [int(row["mover"])]
    if row["phase"] == g.DEPLOY:
        share = [g.IN_TERRITORY * int((row["owner"] == side).sum()) for side in range(g.PLAYERS)]
        actors = [side for side in range(g.PLAYERS) if not row["out"][side] and row["placed"][side] < share[side]]
        _need(actors, "lays: once all have placed their units the battle begins")
    for actor in actors:
        who = "chance" if actor == CHANCE else g.SIDES[actor]
        count = kernels.legal(state, 0, rules, actor)
        _need(count, f"phase: there is nothing that {who} can do")
        _need(row["phase"] != g.MOVE or rules["ids"][0, count - 1] >= g.ACT_MOVE, f"phase: {who} has no move")
