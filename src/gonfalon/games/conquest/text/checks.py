"""Checks a state record that came from outside: a malformed one could crash a kernel. Raises `TextError` for what cannot be.

What a line of a text cannot say at all (a zone that the map does not have, two units in one zone) is not looked at here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import CHANCE, State, TextError
from gonfalon.engine.view import copy_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.text.books import kept_from, slot_name, slots_of
from gonfalon.games.conquest.text.notation import LETTERS, Names

BEFORE = (g.STARTING, g.DRAFT, g.DEPLOY)
WON = (g.BY_FLAGS, g.BY_RESIGNING)
DRAWN_UNIT = (g.REINFORCEMENTS, g.SURPRISE)
CHANCE_PHASES = (g.STARTING, g.DRAW, g.UNIT)
CARRIED_OUT = (g.AIM, g.ORDER, g.GUESS, g.UNIT)
"""Phases in which a card is being carried out."""


def check_record(state: State, names: Names, rules: NDArray[np.void]) -> None:
    """All that the kernels rely on, and that the rules can bring about."""
    row, r = state[0], rules[0]
    _check_phase(row, r)
    _check_counters(row, r)
    _check_cards(row, r)
    if row["started"]:
        for side in range(int(r["players"])):
            _check_army(row, r, side)
            _check_flag(row, side)
            _check_control(row, side)
        _check_turn(row, r)
        _check_books(row, int(r["players"]), names)
    else:
        _check_before(row, r)
    _check_winner(row)
    if row["phase"] != g.OVER:
        _check_draft(state, rules)
        _check_choice(state, rules)
        _check_actors(state, rules)


def _need(holds: object, reason: str) -> None:
    if not holds:
        raise TextError(reason)


# ---- the match ---------------------------------------------------------------------------------------------------


def _check_phase(row: np.void, r: np.void) -> None:
    """CQ-24 to CQ-26: how far the match is, and whether it is over."""
    phase, over, winner = int(row["phase"]), int(row["over"]), int(row["winner"])
    started = bool(row["started"])
    if phase != g.OVER:
        _need((phase in BEFORE) != started, "phase: once the battle has begun the units of the sides are told")
        _need(phase == g.DEPLOY or not row["out"][row["mover"]], "phase: who is out is not on turn")
    else:
        _need((over in WON) == (winner != g.NONE), "phase: this end does not go with this winner")
        _need(started or over == g.BY_RESIGNING, "phase: before the battle only resigning ends a match")
    _need(started or (row["out"] != g.SKIPPED).all(), "out: nobody is skipped before the battle")
    _need(row["turn"] <= r["players"] * (row["rounds"] + 1), "turn: no more than one a player in each round")


def _check_winner(row: np.void) -> None:
    """CQ-24: who has his Flag, on the map or on its way back to it."""
    flags, over = [side for side in range(g.PLAYERS) if row["holder"][side] == side], int(row["over"])
    _need(len(flags) > 1 or over in WON, "flag: with one Flag left the match is over")
    _need(over not in WON or flags == [row["winner"]], "phase: the winner has the only Flag left")


def _check_counters(row: np.void, r: np.void) -> None:
    """CQ-26."""
    rounds, quiet, over = int(row["rounds"]), int(row["quiet"]), int(row["over"])
    most, most_quiet = int(r["max_rounds"]), int(r["max_quiet_rounds"])
    _need(rounds <= most, f"turn: {most} rounds end the match")
    _need(quiet <= min(rounds, most_quiet), f"turn: no more than {most_quiet} quiet rounds, nor than rounds")
    _need(rounds < most or over != g.RUNNING, f"turn: {rounds} rounds end the match")
    _need(quiet < most_quiet or over != g.RUNNING, f"turn: {quiet} quiet rounds end the match")
    _need(rounds == most or over != g.BY_ROUNDS, f"phase: {most} rounds are needed for this end")
    _need(quiet == most_quiet or over != g.BY_QUIET, f"phase: {most_quiet} quiet rounds are needed for this end")


def _check_cards(row: np.void, r: np.void) -> None:
    """CQ-5, CQ-12: all cards are somewhere, and the Traitor does not stay in the discard."""
    for card, count in enumerate(r["deck"].tolist()):
        there = sum(int(row[where][card]) for where in ("pile", "discard", "table"))
        _need(there == count, f"pile: {there} {CARDS[card]} in pile, discard and on the table, the deck has {count}")
    others = row["pile"].sum() - row["pile"][g.TRAITOR]
    last = bool(row["traitor_last"])
    _need(not last or r["deck"][g.TRAITOR], "pile: there is no Traitor")
    _need(not last or not row["table"][g.TRAITOR] or not others, "pile: the Traitor was not the last card of it")
    _need(not row["discard"][g.TRAITOR], "discard: the Traitor is shuffled into the pile at once")


# ---- before the battle -------------------------------------------------------------------------------------------


def _check_before(row: np.void, r: np.void) -> None:
    """CQ-4 to CQ-7: nothing has moved, no card is drawn, all who play have their Flag."""
    for name in (
        "turn",
        "rounds",
        "quiet",
        "stirred",
        "moves",
        "made",
        "due",
        "discard",
        "table",
        "master",
        "n_chosen",
    ):
        _need(not row[name].any(), f"{name}: there is nothing to tell before the battle")
    _need(row["last"][0] == g.NO_ACT and not row["n_ordered"], "last: there are no acts before the battle")
    _need(row["playing"] == g.NONE, "playing: no card is played before the battle")
    _need((row["control"] == g.NONE).all(), "controls: nothing is controlled before the battle")
    _need(row["picks"] <= r["territories"], f"picks: there are {r['territories']} territories")
    _check_lots(row)
    for side in range(int(r["players"])):
        name, gone = g.SIDES[side], row["out"][side] == g.RESIGNED
        _need(row["holder"][side] == (g.NONE if gone else side), f"{name} flag: no Flag is taken before the battle")
        _check_laid(row, r, side)


def _check_lots(row: np.void) -> None:
    """CQ-4."""
    mover, drawing = int(row["mover"]), row["phase"] == g.STARTING
    _need(not (row["contends"] & row["out"]).any(), "contends: who resigned draws no lot")
    if drawing:
        _need(row["contends"][mover] and not row["lot"][mover], "phase: who draws contends and has not drawn yet")
        _need(row["contends"].sum() > 1 and row["ties"] < g.MOST_TIES, "contends: it is settled who starts")
        _need(row["start"] == g.NONE, "start: lots are still drawn")
    elif row["phase"] != g.OVER:
        _need(row["start"] != g.NONE, "start: it is settled before territories are chosen")
        _need(not row["contends"].any(), "contends: the lots have been drawn")
    unchosen = not row["picks"] and (row["owner"] == g.NONE).all()
    _need(row["start"] != g.NONE or unchosen, "owns: territories are chosen after the lots")


def _check_laid(row: np.void, r: np.void, side: int) -> None:
    """CQ-7: what is placed is of the army, and what is left finds a place."""
    name, placed = g.SIDES[side], int(row["placed"][side])
    share = g.IN_TERRITORY * int((row["owner"] == side).sum())
    if row["phase"] == g.DEPLOY and row["out"][side] == g.IN:
        _need(share >= r["army"].sum(), f"{name} owns: there must be room for the whole army")
    if not placed:
        return
    _need(
        row["phase"] in (g.DEPLOY, g.OVER) and not row["out"][side],
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
    """CQ-1, CQ-17, CQ-25: all units are somewhere; who resigned has none."""
    name, slots = g.SIDES[side], slots_of(side)
    kinds, zones = row["kind"][slots], row["zone"][slots]
    if row["out"][side] == g.RESIGNED:
        _need(not kinds.any(), f"{name}: the units of who resigned are gone")
        return
    counts = np.bincount(kinds, minlength=g.TYPES)
    counts[0] = 0
    for kind in np.flatnonzero(counts != r["army"]).tolist():
        raise TextError(f"{name}: {counts[kind]} of {LETTERS[kind]} ({TYPES[kind]}), the army has {r['army'][kind]}")
    _need((kinds[zones == g.GONE] == g.FLAG).all(), f"{name}: only a Flag is gone, other units are in the reserve")
    _need((kinds[(zones == g.RESERVE) | (zones == g.IN_HAND)] != g.FLAG).all(), f"{name}: a Flag is never in a reserve")
    there = kinds[zones < g.ZONES]
    _need(not row["master"][side] or g.SPY_MASTER in there, f"master: {name} has no Spy Master on the map")
    if row["out"][side] == g.SKIPPED:
        moves = [kind for kind in there.tolist() if not g.IMMOBILE >> kind & 1]
        _need(not moves and row["holder"][side] != side, f"{name} out: skipped is who has no Flag and nobody who moves")
    in_hand = int((zones == g.IN_HAND).sum())
    drawn = row["phase"] == g.AIM and row["playing"] in DRAWN_UNIT and side == row["mover"]
    broken_off = row["phase"] == g.OVER and side == row["mover"] and in_hand < 2
    _need(in_hand == drawn or broken_off, f"{name}: one unit is in hand, [ ], while its card is carried out")


def _check_flag(row: np.void, side: int) -> None:
    """CQ-21 to CQ-25: it is on the map, or held by one whose own is, or on its way back to the map."""
    name, holder = g.SIDES[side], int(row["holder"][side])
    slots = slots_of(side)
    on_map = bool(((row["kind"][slots] == g.FLAG) & (row["zone"][slots] < g.ZONES)).any())
    if row["out"][side] == g.RESIGNED:
        _need(holder != side, f"{name} flag: {name} has resigned")
        _need(not row["master"][side], f"master: {name} has resigned")
    else:
        raising = row["phase"] == g.RAISE and side == row["mover"]
        broken_off = row["phase"] == g.OVER and side == row["mover"]
        _need(not raising or (holder == side and not on_map), f"{name} flag: it has come back, and is not placed yet")
        _need(not on_map or holder == side, f"{name} flag: it is on the map, and nobody else's")
        _need(on_map or holder != side or raising or broken_off, f"{name} flag: it is not on the map")
        _need(holder != g.NONE, f"{name} flag: somebody holds it")
    _need(holder == g.NONE or row["holder"][holder] == holder, f"{name} flag: only who has his own holds another's")


def _check_control(row: np.void, side: int) -> None:
    """CQ-25. Control may be of an earlier moment (CQ-9), so that nothing else follows from where the units are now."""
    resigned = row["out"][side] == g.RESIGNED
    _need(not resigned or (row["control"] != side).all(), f"{g.SIDES[side]} controls: {g.SIDES[side]} has resigned")


# ---- turns -------------------------------------------------------------------------------------------------------


def _check_turn(row: np.void, r: np.void) -> None:
    """CQ-6, CQ-7, CQ-10, CQ-13."""
    phase, table = int(row["phase"]), int(row["table"].sum())
    _need(row["start"] != g.NONE, "start: it is settled before the battle")
    _need(row["picks"] == r["territories"], "picks: all territories are chosen before the battle")
    _need(not row["placed"].any(), "lays: all units have been placed")
    _need(not row["contends"].any(), "contends: the lots have been drawn")
    if phase == g.OVER:
        return
    due, moves, made = (int(row[name]) for name in ("due", "moves", "made"))
    _need(due + table <= int(r["territories"]) // 2, "due: no more cards than one for two territories")
    _need((due > 0) == (phase == g.DRAW), "due: cards are drawn first")
    _need(table or phase not in (g.CARD, *CARRIED_OUT), "phase: no card lies on the table")
    _need(not table or phase != g.MOVE, "table: cards are put away before the first move")
    _need(moves + made <= 1 + int(r["city"].sum()) + 2, "moves: one, one for each city, two for a Blitz")
    _need(moves or phase == g.RAISE, "moves: none is left")
    _need(not made or phase in (g.MOVE, g.RAISE), "made: cards come before moves")
    if phase == g.RAISE:
        _check_raise(row)


def _check_raise(row: np.void) -> None:
    """CQ-22: a Flag was captured by a move, or by the Traitor."""
    betrayed = row["playing"] == g.TRAITOR
    _need(betrayed or row["playing"] == g.NONE, "playing: a Flag is captured by a move or by the Traitor")
    _need(bool(row["made"]) != betrayed, "made: a Flag is captured by a move or by the Traitor")
    _need(
        not betrayed or (row["moves"] and row["table"][g.TRAITOR]),
        "playing: the Traitor lies on the table, moves follow",
    )
    _need(betrayed or not row["table"].any(), "table: cards are put away before the first move")
    _need(row["n_chosen"] == betrayed and not row["n_ordered"], "aim: the unit that the Traitor was about is meant")


def _check_books(row: np.void, players: int, names: Names) -> None:
    """CQ-36: what all know, each player knows; units that are gone are no puzzle."""
    for side in range(players):
        for slot in slots_of(side):
            if row["zone"][slot] == g.GONE:
                grouped = [
                    (row["group"][book] == row["group"][book, slot]).sum() > 1 for book in kept_from(side, players)
                ]
                _need(not any(grouped), f"among: {slot_name(row, slot, names)} is gone, not mistaken for another")
            elif _is_seen(row, g.THE_PUBLIC, slot):
                books = [book for book in kept_from(side, players) if book != g.THE_PUBLIC]
                known = all(_is_seen(row, book, slot) for book in books)
                _need(known, f"seen: what the public knows of {slot_name(row, slot, names)}, all know")


def _is_seen(row: np.void, observer: int, slot: int) -> bool:
    alone = (row["group"][observer] == row["group"][observer, slot]).sum() == 1
    return bool(alone and row["known"][observer, slot])


# ---- what the rules say ------------------------------------------------------------------------------------------


def _check_draft(state: State, rules: NDArray[np.void]) -> None:
    """CQ-6: all who are not out choose once more, in turn, what they have chosen."""
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


def _check_choice(state: State, rules: NDArray[np.void]) -> None:
    """A card that is being carried out is played and aimed once more, by the rules."""
    row = state[0]
    card, phase = int(row["playing"]), int(row["phase"])
    if phase == g.RAISE:
        return
    _need(
        (card == g.NONE) == (phase not in CARRIED_OUT), "playing: a card goes with `aim`, `order`, `guess` and `unit`"
    )
    if card == g.NONE:
        _need(not row["n_chosen"] and not row["n_ordered"], "aim, order: no card is carried out")
        return
    if phase == g.AIM and card in DRAWN_UNIT:
        _need(row["table"][card], f"table: the card {CARDS[card]} does not lie there")
        _need(not row["n_chosen"] and not row["n_ordered"], "aim: the unit goes to the zone that is named")
        return
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
    """Who is to act can do something."""
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
