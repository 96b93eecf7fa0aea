"""Worlds of a grid game that an observer cannot tell apart, by the rules and by public facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from conformance.cases import Step
from conformance.families.grid_watcher import GridWatcher, Piece, beside, board, fits, side_of, sword_squares
from gonfalon.engine.game import Game, State
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.ends import judge
from gonfalon.games.grid.text.notation import move_squares

SWAPS = 3
"""Number of attempts per hidden piece to swap two hidden types."""
PICKING = {g.HEAL: g.HEAL_PLACE, g.RESCUE: g.RESCUE_PLACE}
PICKED = {place: pick for pick, place in PICKING.items()}


def scramble(game: Game, state: State, watcher: GridWatcher, observer: int, rng: np.random.Generator) -> State | None:
    world = state.copy()
    row = world[0]
    row["log"], row["n_log"] = 0, 0
    if row["over"] in (g.BY_NO_MOVES, g.BY_STALEMATE):
        return None
    for side in range(2):
        if side == observer:
            continue
        if watcher.started:
            _swap_types(game, row, watcher, side, rng)
        else:
            _deploy_anew(game, row, side, rng)
    if row["actor"] != observer:
        _pick_anew(row, rng)
    return world if _goes_on(game, world) else None


def _goes_on(game: Game, world: State) -> bool:
    if world["phase"][0] != g.TURN:
        return True
    looked = world.copy()
    judge(looked, 0, game.rules)
    return bool(looked["over"][0] == g.RUNNING and looked["turn"][0] == world["turn"][0])


def hidden_squares(state: State, watcher: GridWatcher, side: int) -> list[int]:
    codes = board(state)
    return [square for square, piece in watcher.pieces.items() if side_of(codes[square]) == side and not piece.seen]


def _swap_types(game: Game, row: np.void, watcher: GridWatcher, side: int, rng: np.random.Generator) -> None:
    hidden = [k for k, piece in watcher.pieces.items() if side_of(row["board"][k]) == side and not piece.seen]
    for one, other in rng.integers(len(hidden), size=(SWAPS * len(hidden), 2)).tolist() if hidden else ():
        here, there = hidden[one], hidden[other]
        kinds = int(row["board"][here]) & g.TYPE, int(row["board"][there]) & g.TYPE
        if fits(game, kinds[0], watcher.pieces[there]) and fits(game, kinds[1], watcher.pieces[here]):
            row["board"][here], row["board"][there] = row["board"][there], row["board"][here]


def _deploy_anew(game: Game, row: np.void, side: int, rng: np.random.Generator) -> None:
    """Change a deployment. Its progress is secret too, until it is ready."""
    rules = game.rules[0]  # type: ignore[attr-defined]  # grid games only
    own = rules["own"][side, : rules["own_squares"]]
    ready = row["placed"][side] == len(own)
    count = len(own) if ready else int(rng.integers(len(own)))
    if ready and rng.random() < 0.5:  # the places become public when play starts, so keep them half of the time
        taken = np.flatnonzero(row["board"][own])
        dealt = np.zeros(len(own), np.int64)
        dealt[taken] = rng.permutation(row["board"][own][taken] & g.TYPE)
    else:
        dealt = rng.permutation(np.repeat(np.arange(g.TYPES), rules["army"]))
    row["board"][own] = 0
    row["board"][own[:count]] = np.where(dealt[:count] == 0, 0, dealt[:count] + (g.RED << side))
    row["placed"][side] = count
    row["left"][side] = np.bincount(dealt[count:], minlength=g.TYPES)


def _pick_anew(row: np.void, rng: np.random.Generator) -> None:
    """Change the piece that another player brings back. It is secret until the piece is on the board."""
    phase, lost = int(row["phase"]), row["lost"][row["actor"]]
    if phase not in PICKING and phase not in PICKED:
        return
    picking = PICKED.get(phase, phase)
    kinds = [kind for kind in range(g.SCOUT if picking == g.HEAL else g.SPY, g.BOMB) if lost[kind]]
    picked = bool(kinds) and rng.random() < 0.5
    row["phase"] = PICKING[picking] if picked else picking
    row["chosen"] = rng.choice(kinds) if picked else 0


# ---- steps that show what was changed ----------------------------------------------------------------------------


def shows(game: Game, step: Step, world: State, after: State, observer: int) -> bool:
    """Return whether this step, by the rules, makes something public that differs between `world` and the state before
    the step.
    """
    row, other = step.before[0], world[0]
    if step.after["turn"][0] != after["turn"][0]:  # a side misses a turn in one of the worlds only (GR-19)
        return True
    if row["phase"] == g.DEPLOY:
        own = game.rules[0]["own_squares"]  # type: ignore[attr-defined]  # grid games only
        ready = [(s["placed"][0] == own).tolist() for s in (step.after, after)]
        starts = step.after["phase"][0] != g.DEPLOY
        places = [[bool(code) for code in board(s)] for s in (step.after, after)]
        return ready[0] != ready[1] or (starts and places[0] != places[1])
    if step.action >= g.ACT_PLACE:
        return bool(row["chosen"] != other["chosen"])
    return any(row["board"][k] != other["board"][k] for k in _touched(game, step))


def _touched(game: Game, step: Step) -> Iterator[int]:
    """Yield the squares of pieces that the step reveals."""
    codes, action = board(step.before), step.action
    if action < g.ACT_DEPLOY:
        begin, end = move_squares(action)
        if codes[end]:
            yield from (begin, end)
        elif abs(begin - end) not in (1, g.COLUMNS):
            yield begin
    elif g.ACT_APPLE <= action < g.ACT_SWORD:
        yield codes.index(g.FLAG + (g.RED << step.player))
        chosen = action - g.ACT_APPLE
        yield chosen
        yield from (k for k in beside(game, chosen) if codes[k])
    elif g.ACT_SWORD <= action < g.ACT_TARGET:
        yield from sword_squares(game, action)


# ---- all worlds --------------------------------------------------------------------------------------------------

MOST_DEALS = 120
FEWEST_DEALS = 3


def key(state: State) -> bytes:
    return bytes(board(state))


def deals(game: Game, state: State, watcher: GridWatcher, observer: int) -> list[bytes] | None:
    """Return the boards of all consistent deals. None if there are too many, or too few to be interesting."""
    if state["phase"][0] != g.TURN or not watcher.started or observer not in (0, 1):
        return None
    hidden = hidden_squares(state, watcher, 1 - observer)
    if not 2 <= len(hidden) <= 8:
        return None
    codes = board(state)
    found: list[bytes] = []
    kinds = Counter(codes[k] & g.TYPE for k in hidden)
    for dealt in _assign(game, [watcher.pieces[k] for k in hidden], kinds, ()):
        if len(found) > MOST_DEALS:
            return None
        world = state.copy()
        world["board"][0, hidden] = np.array(dealt) + (g.RED << (1 - observer))
        if _goes_on(game, world):
            found.append(key(world))
    return found if len(found) >= FEWEST_DEALS else None


def _assign(game: Game, pieces: list[Piece], left: Counter[int], dealt: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(dealt) == len(pieces):
        yield dealt
        return
    for kind in sorted(left):
        if left[kind] and fits(game, kind, pieces[len(dealt)]):
            yield from _assign(game, pieces, left - Counter([kind]), (*dealt, kind))
