"""A second, slow reading of GR-31 to GR-37 and GR-40, healing apart: the board after a Sword on two
pieces or an Apple.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gonfalon.games.grid.tests.oracle import STEPS, Piece, Square, beats

Pieces = dict[Square, Piece]
Choose = Callable[[set[Square]], Square]
"""Picks the next of several targets that are equal in the order."""
ORDER = "BS23456789MF"
"""Bombs first, then ascending rank, the Flag last."""


@dataclass(frozen=True)
class Rules:
    ties: bool
    bombs_go: bool
    apple_bomb_stays: bool


def around(square: Square, side: int, pieces: Pieces) -> set[Square]:
    """Squares next to one where a side's pieces stand."""
    near = {(square[0] + x, square[1] + y) for x, y in STEPS}
    return {place for place in near if place in pieces and pieces[place][0] == side}


def in_order(targets: set[Square], pieces: Pieces, choose: Choose) -> Square:
    first = min(ORDER.index(pieces[target][1]) for target in targets)
    equal = {target for target in targets if ORDER.index(pieces[target][1]) == first}
    return equal.pop() if len(equal) == 1 else choose(equal)


def strike(captain: Square, targets: set[Square], pieces: Pieces, rules: Rules, choose: Choose) -> set[Square]:
    """GR-31, GR-32: changes `pieces`; returns what is revealed."""
    revealed = targets | {captain}
    letters = [pieces[target][1] for target in targets]
    if letters == ["6", "6"] and not rules.ties:
        for square in revealed:
            del pieces[square]
        return revealed
    left = set(targets)
    while left and captain in pieces:
        target = in_order(left, pieces, choose)
        left.remove(target)
        fight(captain, target, pieces, rules.ties, rules.bombs_go)
    return revealed


def control(chosen: Square, pieces: Pieces, rules: Rules, choose: Choose) -> set[Square]:
    """GR-34 to GR-37: changes `pieces`; returns what is revealed, the user's Flag apart."""
    side, letter, _ = pieces[chosen]
    if letter in "BF":
        return {chosen}
    left = around(chosen, side, pieces)
    revealed = left | {chosen}
    while left and chosen in pieces:
        target = in_order(left, pieces, choose)
        left.remove(target)
        if pieces[target][1] == "F":
            break
        fight(chosen, target, pieces, rules.ties, rules.bombs_go or not rules.apple_bomb_stays)
    return revealed


def fight(begin: Square, end: Square, pieces: Pieces, ties: bool, bombs_go: bool) -> None:
    """One battle of a piece that stays where it is."""
    stays, other_stays = beats(pieces[begin][1], pieces[end][1], ties)
    if not other_stays or (bombs_go and pieces[end][1] == "B"):
        del pieces[end]
    if not stays:
        del pieces[begin]
