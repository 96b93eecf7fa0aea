"""The rules GR-1 to GR-40 as plain functions over records. `kernels.py` uses what is imported here."""

from gonfalon.games.grid.rules.ends import agree_draw, resign
from gonfalon.games.grid.rules.legal import chance_weight, legal_actions, next_actor
from gonfalon.games.grid.rules.start import set_up
from gonfalon.games.grid.rules.turn import act

__all__ = ["act", "agree_draw", "chance_weight", "legal_actions", "next_actor", "resign", "set_up"]
