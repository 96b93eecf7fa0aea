"""The knowledge of an observer: the filter, events, resampled states, tensors."""

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, ViewRow, helper
from gonfalon.engine.events import Event
from gonfalon.engine.game import EVERYTHING, State
from gonfalon.engine.learning.observation import ActionParts, FormRow, Layout, Plane, fill, form_type, number_of, put
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.tiny import state as g
from gonfalon.games.tiny.ruleset import TYPES
from gonfalon.games.tiny.text import SPACES

PLANES: tuple[Plane, ...] = (
    *(Plane(f"{owner} {name}", "1 on a known piece of this rank") for owner in ("own", "enemy") for name in TYPES[1:]),
    Plane("hidden", "1 on a piece whose rank the viewer does not know"),
    Plane("seen", "1 on a piece that a battle has shown to all"),
    Plane("own turn", "all places: 1 if the viewer is to act"),
    Plane("viewer is red", "all places: 1 for red"),
)
FORM = form_type(len(PLANES), g.PLACES)
_HIDDEN, _SEEN, _OWN_TURN, _RED = (number_of(PLANES, name) for name in ("hidden", "seen", "own turn", "viewer is red"))
_RANKS = len(TYPES) - 1


@helper
def fill_view(s: StateRow, _r: RulesRow, observer: int, v: ViewRow) -> None:
    """THE filter. Fill the view `v`, which is all zeros, except for its legal actions."""
    v.observer = observer
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


@helper
def fill_planes(v: ViewRow, _r: RulesRow, form: FormRow, planes: Numbers) -> None:
    """Fill `planes`, all zeros, with the view `v`. Row 0 is the viewer's; for a spectator it is red's."""
    me = 1 if v.observer == 1 else 0
    for place in range(g.PLACES):
        row = (place // g.COLUMNS) ^ me
        cell = row * g.COLUMNS + place % g.COLUMNS
        rank = v.board[place]
        if rank == g.HIDDEN:
            put(planes, form, _HIDDEN, cell, 1.0)
        elif rank:
            put(planes, form, row * _RANKS + rank - 1, cell, 1.0)
        put(planes, form, _SEEN, cell, float(v.seen[place]))
    if v.n_legal > 0:
        fill(planes, form, _OWN_TURN, 0, g.PLACES, 1.0)
    if me == 0:
        fill(planes, form, _RED, 0, g.PLACES, 1.0)


def layout_of(_rules: NDArray[np.void]) -> Layout:
    """Return the layout of observations. Blue plays upwards if both rows are mirrored."""
    deals = [ActionParts("deal", name=" ".join(TYPES[k] for k in deal), by_chance=True) for deal in g.DEALS]
    pairs = [(own, g.COLUMNS + other) for own in range(g.COLUMNS) for other in range(g.COLUMNS)]
    return Layout(
        planes=PLANES,
        rows=2,
        columns=g.COLUMNS,
        past=0,
        used=(True,) * len(PLANES),
        parts=(*deals, *(ActionParts("attack", cells) for cells in pairs)),
        turns=((0, 1, 2, 3, 4, 5), (2, 1, 0, 5, 4, 3)),
    )
