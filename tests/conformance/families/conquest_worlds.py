"""Worlds of Conquest that an observer cannot tell apart, by the rules and the observer's events."""

from __future__ import annotations

from collections import Counter

import numpy as np

from conformance.cases import Step
from conformance.families.books import Pool
from conformance.families.conquest_scenes import ConquestWatcher
from conformance.families.conquest_watcher import DRAWN_FIRST, NEVER_MOVE, Unit
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.games.conquest import state as g

SWAPS = 24
"""Number of attempts per side to swap two hidden types."""
TRIES = 4
"""Number of worlds to try, because in some of them the match would go on differently."""
OPEN = (g.AIM, g.ORDER, g.GUESS)
Kinds = dict[Unit, int]


def others(game: Game, row: np.void, observer: int) -> list[int]:
    """Return the players who have secrets from the observer."""
    return [side for side in range(game.info.players) if side != observer and row["out"][side] != g.RESIGNED]


def is_open(row: np.void) -> bool:
    """Return whether the mover is inside a choice that nobody else sees."""
    return bool(row["phase"] in OPEN and not (row["phase"] == g.AIM and row["playing"] in DRAWN_FIRST))


def goes_on(row: np.void, watcher: ConquestWatcher) -> bool:
    """CQ-13, CQ-16: return whether the player to move has a unit with a legal move. (If a Scout can run, it can also
    make a single step.)
    """
    if row["phase"] != g.MOVE:
        return True
    side, at = int(row["mover"]), row["at"].tolist()
    for unit in watcher.of(side):
        if unit.on_board and row["kind"][unit.slot] not in NEVER_MOVE:
            around = (at[zone] for zone in watcher.near(unit.zone))
            if any(slot == g.NONE or slot // g.ARMY != side for slot in around):
                return True
    return False


# ---- scrambling --------------------------------------------------------------------------------------------------


def scramble(
    game: Game, state: State, watcher: ConquestWatcher, observer: int, rng: np.random.Generator
) -> State | None:
    world = state.copy()
    row = world[0]
    row["log"], row["n_log"] = 0, 0
    for side in others(game, row, observer):
        if not row["started"]:
            _lay_anew(row, watcher, side, rng)
        else:
            _deal_anew(row, watcher, side, observer, rng)
    return _choose_anew(game, world, observer, rng)


def _lay_anew(row: np.void, watcher: ConquestWatcher, side: int, rng: np.random.Generator) -> None:
    """Change the deployments in progress. CQ-7: a deployment is secret, and so is its progress."""
    if row["phase"] != g.DEPLOY:
        return
    zones = len(watcher.own_zones(row, side))
    army = np.repeat(np.arange(g.TYPES), watcher.rules["army"])
    laid = rng.permutation([*army.tolist(), *([0] * (zones - len(army)))])
    if row["placed"][side] < zones and rng.random() < 0.5:
        row["placed"][side] = rng.integers(zones)
    row["laid"][side] = 0
    row["laid"][side][: row["placed"][side]] = laid[: row["placed"][side]]


def _deal_anew(row: np.void, watcher: ConquestWatcher, side: int, observer: int, rng: np.random.Generator) -> None:
    hidden = hidden_units(watcher, side, observer)
    if len(hidden) < 2:
        return
    for _ in range(TRIES):
        kinds = _swapped(watcher, hidden, observer, rng)
        row["kind"][[unit.slot for unit in hidden]] = [kinds[unit] for unit in hidden]
        if row["mover"] != side or goes_on(row, watcher):
            break
    else:
        row["kind"][[unit.slot for unit in hidden]] = [unit.kind for unit in hidden]
    _write_marks(row, watcher, side, observer)


def hidden_units(watcher: ConquestWatcher, side: int, observer: int) -> list[Unit]:
    """Return the side's hidden units. Captured Flags hide nothing."""
    return [unit for unit in watcher.of(side) if unit.zone != g.GONE and not watcher.known(unit, observer)]


def _swapped(watcher: ConquestWatcher, hidden: list[Unit], observer: int, rng: np.random.Generator) -> Kinds:
    kinds = {unit: unit.kind for unit in hidden}
    pools = {unit: _pools(watcher, unit, observer) for unit in hidden}
    for i, j in rng.integers(len(hidden), size=(SWAPS, 2)).tolist():
        one, other = hidden[i], hidden[j]
        if kinds[one] == kinds[other] or not all(
            may_be(watcher, unit, kinds[to], observer) for unit, to in ((one, other), (other, one))
        ):
            continue
        kinds[one], kinds[other] = kinds[other], kinds[one]
        if not all(_holds(pool, kinds) for pool in (*pools[one], *pools[other])):
            kinds[one], kinds[other] = kinds[other], kinds[one]
    return kinds


def _pools(watcher: ConquestWatcher, unit: Unit, observer: int) -> list[Pool[Unit]]:
    """Return the pools of the unit: the observer's and the public's."""
    found = [book.pool_of(unit) for book in (watcher.book(observer), watcher.books[g.THE_PUBLIC])]
    return [pool for pool in found if pool is not None]


def may_be(watcher: ConquestWatcher, unit: Unit, kind: int, observer: int) -> bool:
    """Return whether a hidden unit can have this type. A Flag is never in a reserve or a hand (CQ-28). A Spy Master
    that all know to be on the board is there (CQ-31).
    """
    if not unit.on_board and (kind == g.FLAG or (kind == g.SPY_MASTER and watcher.master[unit.side])):
        return False
    return kind not in watcher.book(observer).excluded.get(unit, ())


def _holds(pool: Pool[Unit], kinds: Kinds) -> bool:
    """Return whether the pool still has all types that are known to be in it."""
    return not pool.known - Counter(kinds.get(unit, unit.kind) for unit in pool.members)


def _write_marks(row: np.void, watcher: ConquestWatcher, side: int, observer: int) -> None:
    """Put the marks on units of the known types. The private knowledge of other players is adjusted to the new
    types.
    """
    mine = observer if observer >= 0 else g.THE_PUBLIC
    for book in {mine, g.THE_PUBLIC}:
        for pool in watcher.books[book].pools:
            if pool.members[0].side == side and not pool.is_exact:
                left = Counter(pool.known)
                for unit in pool.members:
                    kind = int(row["kind"][unit.slot])
                    row["known"][book, unit.slot] = left[kind] > 0
                    left[kind] -= 1
    slots = slice(side * g.ARMY, (side + 1) * g.ARMY)
    for book in range(g.OBSERVERS):
        row["ruled_out"][book, slots] &= 0xFFFF - (1 << row["kind"][slots].astype(np.uint16))


def _choose_anew(game: Game, world: State, observer: int, rng: np.random.Generator) -> State:
    """Change an open choice of another player, which nobody else sees. The new choice may be another one, none, or the
    same.
    """
    row, side = world[0], int(world[0]["mover"])
    if side == observer or not (row["phase"] == g.CARD or is_open(row)):
        return world
    before = world.copy()
    row["phase"], row["playing"], row["chosen"], row["n_chosen"] = g.CARD, g.NONE, g.NONE, 0
    row["ordered"], row["n_ordered"] = 0, 0
    same = before if is_open(before[0]) and rng.random() < 0.6 else None
    count = _chosen_actions(before[0]) if same is not None else int(rng.integers(5))
    for number in range(count):
        legal = game.legal_actions(world, side)
        wanted = _again(same[0], number) if same is not None else None
        action = wanted if wanted is not None else int(rng.choice(legal))
        after = game.apply(world, side, action) if action in legal else world
        if not game.is_open(after, side):
            break
        world = after
    world["log"], world["n_log"] = 0, 0
    return world


def _chosen_actions(row: np.void) -> int:
    """Return the number of actions that an open choice has taken."""
    return 1 + int(row["n_chosen"]) + int(row["n_ordered"])


def _again(row: np.void, number: int) -> int | None:
    """Return the action that makes the same choice again, for the card and the zones. None if any order of the units
    will do.
    """
    if number == 0:
        return g.ACT_CARD + int(row["playing"])
    return g.ACT_ZONE + int(row["chosen"][number - 1]) if number <= row["n_chosen"] else None


# ---- steps that show what was changed ----------------------------------------------------------------------------


def likewise(game: Game, step: Step, world: State, observer: int, rng: np.random.Generator) -> int:
    """Return the action in the other world. The observer does not see which unit another player places, so it may be
    another unit.
    """
    row = step.before[0]
    if step.player in (observer, CHANCE) or row["phase"] not in (g.DEPLOY, g.ORDER):
        return step.action
    legal = game.legal_actions(world, step.player)
    return int(rng.choice(legal)) if len(legal) else step.action


def shows(game: Game, step: Step, world: State, after: State, observer: int) -> bool:
    """Return whether this step, by the rules, shows the observer something that differs between `world` and the state
    before the step.
    """
    row, other, then, so = step.before[0], world[0], step.after[0], after[0]
    if _course(then) != _course(so) or _closed(row, then) != _closed(other, so):
        return True
    if step.action < 0:
        return False
    if not row["started"]:
        return _ready(then) != _ready(so) or bool(((then["at"] == g.NONE) != (so["at"] == g.NONE)).any())
    side = int(row["mover"])
    closes_look = row["playing"] == g.SECRET and not is_open(then)
    if closes_look and game.rules[0]["prove_spy_master"] and _reserve(row, side) != _reserve(other, side):
        return True
    if step.action >= g.ACT_DRAW or step.action < g.ACT_CARD:
        return False
    shown = {*_shown(game, row, step.action, observer), *_shown(game, other, step.action, observer)}
    return any(row["kind"][slot] != other["kind"][slot] for slot in shown)


def _course(row: np.void) -> tuple[object, ...]:
    """Return the public course of the match."""
    phase = g.CARD if is_open(row) else int(row["phase"])
    return phase, *(row[name].tolist() for name in ("mover", "turn", "out", "over", "winner", "started"))


def _closed(before: np.void, after: np.void) -> object:
    """Return the zones on which a card was played, if all can see them now."""
    if is_open(before) and not is_open(after):
        return int(before["playing"]), sorted(before["chosen"].tolist())
    return None


def _ready(row: np.void) -> list[bool]:
    zones = [g.IN_TERRITORY * int((row["owner"] == side).sum()) for side in range(g.PLAYERS)]
    return [placed == most for placed, most in zip(row["placed"].tolist(), zones, strict=True)]


def _reserve(row: np.void, side: int) -> list[int]:
    slots = slice(side * g.ARMY, (side + 1) * g.ARMY)
    return sorted(row["kind"][slots][row["zone"][slots] == g.RESERVE].tolist())


def _shown(game: Game, row: np.void, action: int, observer: int) -> list[int]:
    """Return the slots of units that the observer sees in this act."""
    at, own = row["at"], observer == row["mover"]
    if g.ACT_MOVE <= action < g.ACT_START:
        start, finish = divmod(action - g.ACT_MOVE, g.ZONES)
        if at[finish] != g.NONE:
            return [int(at[start]), int(at[finish])]
        near = game.rules[0]["near"][start, : game.rules[0]["n_near"][start]].tolist()
        return [] if finish in near else [int(at[start])]
    if g.ACT_GUESS <= action < g.ACT_STOP:
        # All learn whether the guess was right. If it was wrong, only the guesser sees the unit.
        slot = int(at[row["chosen"][0]])
        return [slot] if own or row["kind"][slot] == action - g.ACT_GUESS else []
    if g.ACT_ZONE <= action < g.ACT_GUESS and row["playing"] == g.SECRET and row["n_chosen"] == 1 and own:
        return [int(at[row["chosen"][0]]), int(at[action - g.ACT_ZONE])]
    return []
