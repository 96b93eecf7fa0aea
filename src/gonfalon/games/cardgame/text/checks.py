"""Checks a state record that came from outside: a malformed one could crash a kernel. Raises `TextError` for what cannot be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State, TextError
from gonfalon.games.cardgame import state as g

WON = (g.BY_FLAG, g.BY_NO_ATTACKERS, g.BY_RESIGNING)
BROKEN_OFF = (g.BY_RESIGNING, g.BY_AGREEMENT)
"""Ends at any point of a turn."""


def check_record(state: State, rules: NDArray[np.void], is_open: bool) -> None:
    """All that the kernels rely on beyond what the lines of a text can say each for itself.

    `is_open`: a choice has begun, which the reader makes by the rules once this has passed.
    """
    row, r = state[0], rules[0]
    _check_end(row)
    _need(not is_open or _may_be_laying(row), "line: nobody is laying cards")
    if not row["started"]:
        _check_before_play(row)
        _need(not is_open or min(row["n_hand"]) == g.DEALT, "line: nothing is laid before all are dealt")
        return
    _check_counters(row, r)
    _check_hands(row, is_open)
    _check_other(row)
    _check_anew(row)
    _check_last(row)


def _need(holds: object, reason: str) -> None:
    if not holds:
        raise TextError(reason)


def _cards_in_line(row: np.void, side: int) -> list[int]:
    kinds: list[int] = row["kind"][side * g.SIDE_PLACES :][: g.LINE].tolist()
    return [kind for kind in kinds if kind]


def _may_be_laying(row: np.void) -> bool:
    return bool(row["phase"] == g.LAY or row["over"] in BROKEN_OFF)


def _has_acted(row: np.void) -> bool:
    """Whether the mover may have done the second step of the turn."""
    return bool(row["anew"] or (row["started"] and _may_be_laying(row)))


def _check_end(row: np.void) -> None:
    """CG-13, CG-14: reason, winner, and where the Flags are."""
    over, winner = int(row["over"]), int(row["winner"])
    _need((over == g.RUNNING) == (row["phase"] != g.OVER), "over: a match that has ended needs its reason")
    if over != g.RUNNING:
        _need((over in WON) == (winner != g.NONE), f"over: {g.OVER_REASONS[over]} does not go with this winner")
    for side in range(2):
        fallen = over == g.BY_FLAG and winner != side
        name = g.SIDES[side]
        reason = f"over: the Flag of {name} has not fallen" if fallen else f"{name} has no Flag in line, hand or pile"
        _need(fallen == row["lost"][side, g.FLAG], reason)
    attackers = [kind for kind in _cards_in_line(row, int(row["mover"])) if kind < g.BOMB]
    if over == g.BY_FLAG:
        _need(winner == row["mover"], "over: it was not the winner's turn")
    elif over == g.BY_NO_ATTACKERS:
        _need(winner != row["mover"] and not attackers, "over: it is for the mover that no card may attack")
    elif row["phase"] == g.ACT:
        _need(attackers, "phase: no card of the line may attack, so the match is over")


def _check_before_play(row: np.void) -> None:
    """CG-2: there are only hands and piles; only resigning can have ended it."""
    _need(row["over"] in (g.RUNNING, g.BY_RESIGNING), "over: before play only resigning ends a match")
    _need(not row["anew"], "over: nothing is laid anew before play")
    _need(not row["turn"] and not row["quiet"], "turn: there are no turns before play")
    _need(row["last"][0] == g.NO_ACT, "last: there are no acts before play")
    _need(not row["lost"].any(), "pile: no card leaves before play, some are missing")
    _need(not row["known"].any() and not row["ruled_out"].any(), "nothing is known before play")
    _need(not any(_cards_in_line(row, side) for side in range(2)), "line: before play cards are only laid, in ( )")
    red, blue = row["n_hand"].tolist()
    _need(red == g.DEALT or not blue, "hand: red is dealt first")
    if row["phase"] != g.OVER:
        _need((red == blue == g.DEALT) == (row["phase"] == g.LAY), "phase: lines are laid once all are dealt")


def _check_counters(row: np.void, r: np.void) -> None:
    """CG-14. Each attack takes at least one card off the table, and one of a side at most."""
    turn, quiet, most = int(row["turn"]), int(row["quiet"]), int(r["max_quiet_turns"])
    acts = turn + _has_acted(row)
    over = int(row["over"])
    _need(quiet <= acts, "quiet: more than turns")
    _need(quiet <= most, f"quiet: {most} end the match")
    _need(quiet < most or over == g.BY_QUIET or _has_acted(row), "quiet: this many end the match")
    _need(quiet == most or over != g.BY_QUIET, f"quiet: {most} are needed for this end")
    _need(not quiet or over != g.BY_FLAG, "quiet: a card has just left")
    _need(max(row["lost"].sum(axis=1)) <= acts - quiet, "turn: too few for the cards that are missing")
    _need(turn <= most * int(row["lost"].sum()) + quiet, "turn: too many without a card that left")
    _need(acts or not (row["known"].any() or row["ruled_out"].any()), "turn: nothing is known before the first act")


def _check_hands(row: np.void, is_open: bool) -> None:
    """CG-4, CG-5, CG-10: as many cards as are due, and drawn when they are."""
    mover, phase = int(row["mover"]), int(row["phase"])
    hand, pile = int(row["n_hand"][mover]), int(row["n_pile"][mover])
    wanted = g.DEALT if row["anew"] else g.HAND
    _need(hand <= wanted, f"{g.SIDES[mover]} hand: more than {wanted} cards")
    _need(row["n_hand"][1 - mover] <= g.HAND, f"{g.SIDES[1 - mover]} hand: more than {g.HAND} cards")
    due = hand < wanted and pile > 0
    if phase == g.DRAW:
        _need(due, "phase: no card is to be drawn")
    if phase in (g.LAY, g.ACT) or row["over"] == g.BY_NO_ATTACKERS or is_open:
        _need(not due, "phase: cards are to be drawn first")
    if phase == g.LAY or is_open:
        _need(hand and len(_cards_in_line(row, mover)) < g.LINE, "phase: there is no gap, or no card to lay")


def _check_other(row: np.void) -> None:
    """CG-4: who is not on turn has filled his gaps as far as his hand reached; one attack can have made a new one."""
    other = 1 - int(row["mover"])
    gaps = g.LINE - len(_cards_in_line(row, other))
    attacked = row["phase"] == g.LAY and not row["anew"]
    if row["phase"] != g.OVER:
        _need(
            gaps <= attacked or not row["n_hand"][other], f"{g.SIDES[other]} line: gaps, though there are cards in hand"
        )
        _need(gaps < g.LINE or attacked, f"{g.SIDES[other]} line: it has no card")


def _check_anew(row: np.void) -> None:
    """CG-10: after the Flag trick the line is empty and nothing is known of its cards."""
    mover = int(row["mover"])
    if not row["anew"]:
        return
    _need(row["over"] in (g.RUNNING, *BROKEN_OFF), "over: anew does not go with this end")
    _need(not _cards_in_line(row, mover), f"{g.SIDES[mover]} line: it is laid anew, in ( )")
    own = slice(mover * g.SIDE_PLACES, (mover + 1) * g.SIDE_PLACES)
    _need(not row["known"][:, own].any(), f"{g.SIDES[mover]}: nothing is known of shuffled cards")
    _need(row["quiet"], "quiet: no card left by the Flag trick")


def _check_last(row: np.void) -> None:
    """Whose act it was. A position need not tell it."""
    kind, place = int(row["last"][0]), int(row["last"][1])
    if kind == g.NO_ACT or row["over"] in BROKEN_OFF:
        return
    own = place // g.SIDE_PLACES == row["mover"]
    expected = row["phase"] == g.LAY or row["anew"] or row["over"] == g.BY_FLAG
    _need(own == bool(expected), "last: it was not this side's turn")
    _need(own or row["turn"], "last: nobody has acted yet")
    _need(not own or (kind == g.TRICKED) == row["anew"], "last: this act does not go with the phase")
    _need(row["over"] != g.BY_FLAG or kind == g.ATTACKED, "last: the Flag falls by an attack")
