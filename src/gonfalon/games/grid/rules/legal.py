"""The legal actions, and who acts next."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.moves import legal_turns
from gonfalon.games.grid.rules.powers import legal_targets
from gonfalon.games.grid.rules.returns import legal_picks, legal_places
from gonfalon.games.grid.rules.start import is_ready, legal_placements


@helper
def legal_actions(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    """Writes the player's legal actions, ascending. Returns their number."""
    if s.phase == g.DEPLOY:
        return legal_placements(s, r, player, out, 0)
    if s.phase == g.OVER or player != s.actor:
        return 0
    if s.phase == g.TURN:
        return legal_turns(s, r, player, out, 0)
    if s.phase == g.TARGET:
        return legal_targets(s, out, 0)
    if s.phase == g.HEAL or s.phase == g.RESCUE:
        return legal_picks(s, player, out, 0)
    return legal_places(s, r, player, out, 0)


@helper
def chance_weight(_s: StateRow, _r: RulesRow, _action: int) -> int:
    """No draws of chance: these games have none."""
    return 0


@helper
def next_actor(s: StateRow, r: RulesRow) -> int:
    """The player who acts next. While both deploy, red until it is ready."""
    if s.phase == g.DEPLOY:
        return 1 if is_ready(s, r, 0) else 0
    return s.actor
