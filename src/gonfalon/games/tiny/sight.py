"""The knowledge of an observer: the filter, events, resampled states, tensors."""

import numpy as np

from gonfalon.engine.events import Event
from gonfalon.engine.game import EVERYTHING, State, Tensors
from gonfalon.engine.jit import RulesRow, StateRow, ViewRow, helper
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.tiny import state as g
from gonfalon.games.tiny.ruleset import TYPES
from gonfalon.games.tiny.text import SPACES

CHANNELS = (*(f"own {t}" for t in TYPES[1:]), *(f"enemy {t}" for t in TYPES[1:]), "hidden", "seen", "own turn", "red")


@helper
def fill_view(s: StateRow, _r: RulesRow, observer: int, v: ViewRow) -> None:
    """THE filter. Fill the view `v`, which is all zeros, except for its legal actions."""
    v.phase, v.mover, v.turn, v.over, v.winner = s.phase, s.mover, s.turn, s.over, s.winner
    for place in range(g.PLACES):
        known = s.seen[place] or observer == EVERYTHING or observer == place // g.COLUMNS
        v.board[place] = s.board[place] if known or not s.board[place] else g.HIDDEN
        v.seen[place] = s.seen[place]


def events_of(after: State, observer: int) -> tuple[Event, ...]:
    """Return the events of the last step. Only the player who is dealt pieces sees their ranks."""
    return tuple(_event(entry, observer) for entry in after["log"][0, : after["n_log"][0]].tolist())


def _event(entry: list[int], observer: int) -> Event:
    code, side, a, b, c, d = entry
    who = {} if side == g.NONE else {"side": g.SIDES[side]}
    if code == g.LOG_DEALT:
        own = observer in (side, EVERYTHING)
        return Event("dealt", {**who, "faces": [TYPES[k] for k in g.DEALS[a]]}) if own else Event("dealt-hidden", who)
    if code == g.LOG_BATTLE:
        result = "won" if c > d or (c, d) == (g.SPY, g.MARSHAL) else "both" if c == d else "lost"
        places = {"from": SPACES[a], "space": SPACES[b]}
        return Event(f"battle-{result}", {**who, **places, "attacker_face": TYPES[c], "defender_face": TYPES[d]})
    if code == g.LOG_OVER:
        return Event("won" if who else "drawn", {**who, "reason": g.OVER_REASONS[a]})
    return Event("resigned" if code == g.LOG_RESIGNED else "agreed", who)


def resample(view: View, rng: np.random.Generator) -> State:
    """Return a state drawn uniformly from those that the viewer cannot tell from the true one."""
    world = zero_rows(g.STATE)
    for name, *_ in g.PUBLIC_FIELDS:
        world[name] = view.record[name]
    for army in world["board"][0].reshape(2, g.COLUMNS):
        hidden = army == g.HIDDEN
        army[hidden] = rng.permutation([rank for rank in (1, 2, 3) if rank not in army])[: hidden.sum()]
    return world


def candidates(view: View) -> dict[str, tuple[str, ...]]:
    """See `Game.candidates`."""
    found: dict[str, tuple[str, ...]] = {}
    if view.phase == g.DEAL:
        return found
    for side, army in enumerate(view.board.reshape(2, g.COLUMNS).tolist()):
        if side != view.observer:
            unseen = tuple(TYPES[rank] for rank in (1, 2, 3) if rank not in army)
            kinds = [(TYPES[rank],) if rank != g.HIDDEN else unseen for rank in army]
            found |= {SPACES[side * g.COLUMNS + k]: kinds[k] for k, rank in enumerate(army) if rank}
    return found


def encode(view: View) -> Tensors:
    """Return planes (channels, 2, 3), red's row first."""
    board, me = view.board.reshape(2, g.COLUMNS), int(view.observer == 1)
    own = np.arange(2)[:, None] == me
    planes = [side & (board == rank) for side in (own, ~own) for rank in (1, 2, 3)]
    planes += [board == g.HIDDEN, view.seen.reshape(2, g.COLUMNS)]
    planes += [np.full((2, g.COLUMNS), fact) for fact in (view.n_legal > 0, me == 0)]
    return Tensors(np.array(planes, np.float32), CHANNELS)
