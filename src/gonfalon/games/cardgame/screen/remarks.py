"""What is unusual in how cards are laid, said to their owner before he is ready. Codes name no card."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.engine.scene import Line
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.screen.scene import line_place


def remarks_of(view: View, actions: Sequence[int]) -> tuple[Line, ...]:
    """What is unusual in the viewer's line once `actions` fill its gaps. Without a card that attacks he loses at his
    next turn (CG-13).
    """
    side = view.observer
    line = view.kind[line_place(side, 0) : line_place(side, g.LINE)].tolist()
    laid = (*view.laid[side].tolist(), *(action - g.ACT_LAY for action in actions))
    return () if any(g.SPY <= kind <= g.MARSHAL for kind in (*line, *laid)) else (Line("none-attacks"),)
