"""Checks a state record that came from outside. Raises `TextError`.

Without these checks a kernel could write outside its arrays, no player might be able to act, or `resample` might find
no world. A state that passes need not be reachable in a match.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.bounds import check_bounds
from gonfalon.engine.game import State, TextError
from gonfalon.games.cardgame import state as g


def check_record(state: State, rules: NDArray[np.void], is_open: bool) -> None:
    """Check all parts of a record. The reader itself checks that the cards belong to the decks.

    `is_open`: a choice has begun. The reader carries it out by the rules after this check.
    """
    row = state[0]
    check_bounds(row, g.STATE_FIELDS)
    _need(not is_open or row["phase"] in (g.LAY, g.OVER), "line: nobody is laying cards")
    if not row["started"]:
        _check_before_play(row, is_open)
    elif row["phase"] != g.OVER:
        _check_counters(row, int(rules[0]["max_quiet_turns"]))
        _check_turn(row)


def _need(holds: object, reason: str) -> None:
    if not holds:
        raise TextError(reason)


def _cards_in_line(row: np.void, side: int) -> list[int]:
    kinds: list[int] = row["kind"][side * g.SIDE_PLACES :][: g.LINE].tolist()
    return [kind for kind in kinds if kind]


def _check_before_play(row: np.void, is_open: bool) -> None:
    """CG-2: check that before play there are only hands and piles."""
    # Red begins and moves after an even number of turns, and all counts begin with play.
    _need(not row["turn"] and not row["quiet"], "turn: there are no turns before play")
    # Without this, a pile could run out before all cards are dealt.
    _need(not row["lost"].any(), "pile: no card leaves before play, some are missing")
    # A line is final when LINE gaps are decided, and `resample` takes its cards from a full hand.
    _need(not any(_cards_in_line(row, side) for side in range(2)), "line: before play cards are only laid, in ( )")
    dealt = min(row["n_hand"]) == g.DEALT
    _need(dealt or not (is_open or row["phase"] == g.LAY), "phase: lines are laid once all are dealt")
    if row["phase"] == g.DRAW:
        _check_draw(row, g.DEALT)


def _check_counters(row: np.void, most: int) -> None:
    """CG-14: check the counters, so that they never exceed what the text form can read back. At least one card leaves
    in every `most` turns.
    """
    turn, quiet = int(row["turn"]), int(row["quiet"])
    has_acted = bool(row["anew"] or row["phase"] == g.LAY)
    _need(quiet < most + has_acted, "quiet: this many end the match")
    _need(turn <= (most + 1) * int(row["lost"].sum()) + quiet, "turn: too many without a card that left")


def _check_turn(row: np.void) -> None:
    mover, phase = int(row["mover"]), int(row["phase"])
    name, line, hand = g.SIDES[mover], _cards_in_line(row, mover), int(row["n_hand"][mover])
    # A side with the Flag always has a legal act: when pile and hand are empty, the Flag lies in the line.
    for side in range(2):
        _need(not row["lost"][side, g.FLAG], f"{g.SIDES[side]} has no Flag in line, hand or pile")
    # A full hand draws no cards, and with a full line there would be nothing to lay.
    _need(not row["anew"] or not line, f"{name} line: it is laid anew, in ( )")
    wanted = g.DEALT if row["anew"] else g.HAND
    if phase == g.DRAW:
        _check_draw(row, wanted)
    else:
        # Otherwise the mover's last card could fall without a replacement, and the other side would have no target.
        _need(hand >= wanted or not row["n_pile"][mover], "phase: cards are to be drawn first")
    if phase == g.LAY:
        _need(hand and len(line) < g.LINE, "phase: there is no gap, or no card to lay")
    elif not row["anew"]:
        _need(_cards_in_line(row, 1 - mover), f"{g.SIDES[1 - mover]} line: it has no card")
    # `resample` deals the mover a card that may attack.
    _need(
        phase != g.ACT or min(line, default=g.FLAG) < g.BOMB,
        "phase: no card of the line may attack, so the match is over",
    )


def _check_draw(row: np.void, wanted: int) -> None:
    """Check that chance has a card to draw, and that the hand has room for it."""
    hand, pile = row["n_hand"][row["mover"]], row["n_pile"][row["mover"]]
    _need(hand < wanted and pile, "phase: no card is to be drawn")
