"""The rules CG-1 to CG-14 as plain functions over records. `kernels.py` uses what is imported here."""

from gonfalon.games.cardgame.rules.ends import agree_draw, resign
from gonfalon.games.cardgame.rules.legal import chance_weight, legal_actions, next_actor
from gonfalon.games.cardgame.rules.start import set_up
from gonfalon.games.cardgame.rules.turn import act

__all__ = ["act", "agree_draw", "chance_weight", "legal_actions", "next_actor", "resign", "set_up"]
