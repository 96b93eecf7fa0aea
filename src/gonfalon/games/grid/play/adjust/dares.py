"""Attacks that the enemy would not dare. In a sampled world the enemy knows everything, but in the match a piece that
never moved may be a Bomb to the enemy. Without this, the search flees from attacks that never come, and shows that
its pieces are no Bombs.
"""

from collections.abc import Sequence
from typing import Any

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper, index
from gonfalon.engine.events import Event
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import adjustments as a
from gonfalon.games.grid.play.evaluate.pieces import is_fresh, is_full
from gonfalon.games.grid.play.tunables import CAUTION, STRIKES
from gonfalon.games.grid.rules.battle import LOST, WON, result_of
from gonfalon.games.grid.rules.moves import move_end
from gonfalon.games.grid.ruleset import TYPES

DARING = frozenset(TYPES[g.MINER + 1 : g.BOMB])
"""Types whose attacks count. Scouts are sent to look, and Miners fear no Bomb."""


def is_daring(events: Sequence[Event], player: int) -> bool:
    """Whether the enemy of `player` attacks pieces that never moved without fear of Bombs, by the events that `player`
    has seen. False if the events do not go back to the beginning of play.
    """
    side, fresh, strikes = g.SIDES[player], set[str](), 0
    for event in events:
        args = event.args
        if event.code == "start":
            fresh = {space for space, owner in args["spaces"].items() if owner == side}
        elif event.code in ("moved", "ran", "attacked") and args["side"] == side:
            fresh.discard(args["from"])
        elif event.code == "revealed" and args["side"] == side:
            fresh.discard(args["space"])
        elif event.code == "apple" and args["side"] == side:
            fresh.discard(args["flag_space"])
        elif event.code.startswith("battle-") and args["space"] in fresh:
            strikes += args["attacker_face"] in DARING
            fresh.discard(args["space"])
    return strikes >= STRIKES


@helper
def fill_dares(s: StateRow, r: RulesRow, c: StateRow) -> None:
    """Fills `dares`: the points that each enemy type can expect from an attack on one of the player's unmoved pieces,
    by the enemy's knowledge. In small armies, and against a daring enemy, all attacks count as possible.
    """
    heeds = is_full(r) and not c.daring and not c.off[a.DARES]
    for kind in range(1, g.BOMB):
        c.dares[kind] = find_dare(s, r, c, kind) if heeds else 1.0


@helper
def find_dare(s: StateRow, r: RulesRow, c: StateRow, kind: int) -> float:
    """Return the expected value for one type, with the player's own caution. The Flag counts nothing here; it is judged
    separately.
    """
    total, count = 0.0, 0
    for square in range(r.squares):
        if not s.board[index(square)] & (g.RED << c.player) or not is_fresh(s, square):
            continue
        other = s.board[index(square)] & g.TYPE
        count += 1
        if other == g.FLAG:
            continue
        result = result_of(r, kind, other)
        gain = c.worth[c.player * 16 + other] if result != LOST else 0.0
        if result != WON:
            gain -= c.worth[(1 - c.player) * 16 + kind]
        total += gain * (CAUTION if gain < 0.0 else 1.0)
    return total / max(1, count)


@helper
def shuns(s: StateRow, c: StateRow, action: int) -> Any:
    """Whether the enemy, who is to move, would avoid an action because its target may be a Bomb."""
    end = move_end(action)
    if s.board[index(end)] == g.EMPTY or not is_fresh(s, end):
        return False
    other, kind = s.board[index(end)] & g.TYPE, s.board[index(action // g.MOVE_TO)] & g.TYPE
    return other != g.FLAG and c.dares[kind] <= 0.0
