"""The rules CQ-1 to CQ-36 as plain functions over records. `kernels.py` uses what is imported here."""

from gonfalon.games.conquest.rules.ends import agree_draw, resign
from gonfalon.games.conquest.rules.legal import chance_weight, legal_actions, next_actor
from gonfalon.games.conquest.rules.start import set_up
from gonfalon.games.conquest.rules.turn import act

__all__ = ["act", "agree_draw", "chance_weight", "legal_actions", "next_actor", "resign", "set_up"]
