"""Remarks on unusual lines of cards, for their owner before the cards are laid. Codes name no card."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.engine.screens.scene import Line
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.screen.scene import line_place


def remarks_of(view: View, actions: Sequence[int]) -> tuple[Line, ...]:
    """Return remarks on the viewer's line, as if `actions` filled its gaps. A player whose line has no card that can
    attack loses in their own next turn (CG-13).
    """
    side = view.observer
    line = view.kind[line_place(side, 0) : line_place(side, g.LINE)].tolist()
    laid = (*view.laid[side].tolist(), *(action - g.ACT_LAY for action in actions))
    return () if any(g.SPY <= kind <= g.MARSHAL for kind in (*line, *laid)) else (Line("none-attacks"),)
