"""Positions of Conquest with few hidden units, and all their worlds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

import numpy as np

from conformance.cases import play
from conformance.families.books import Book, Pool
from conformance.families.conquest_scenes import ConquestWatcher
from conformance.families.conquest_watcher import Unit
from conformance.families.conquest_worlds import goes_on, hidden_units, may_be, others
from gonfalon.engine.game import Game, State
from gonfalon.games.conquest import state as g

MOST_HIDDEN = 6
MOST_ORDERS = 6000
MOST_WORLDS = 120
FEWEST_WORLDS = 4
SECRETS = (5, 3, 2)
"""Maximum numbers of units that stay hidden, for the sides in turn."""


def key(state: State) -> bytes:
    """Return a key of a state: the units on the map, the unit in hand, and reserves without order."""
    row = state[0]
    kinds, zones = row["kind"], row["zone"]
    board = [int(kinds[slot]) if slot != g.NONE else 0 for slot in row["at"].tolist()]
    hand = kinds[zones == g.IN_HAND]
    reserves = (np.sort(part[where == g.RESERVE]) for part, where in _by_side(kinds, zones))
    return b"|".join([bytes(board), hand.tobytes(), *(reserve.tobytes() for reserve in reserves)])


def _by_side(*fields: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:  # type: ignore[type-arg]
    return zip(*(np.split(field, g.PLAYERS) for field in fields), strict=True)


def deals(game: Game, state: State, watcher: ConquestWatcher, observer: int) -> list[bytes] | None:
    """Return the worlds of all orders of the hidden units. None if there are too many, or too few to be interesting."""
    row = state[0]
    if observer < 0 or not row["started"] or row["phase"] not in (g.CARD, g.MOVE):
        return None
    hidden = [hidden_units(watcher, side, observer) for side in others(game, row, observer)]
    orders = math.prod(math.factorial(min(len(units), MOST_HIDDEN + 1)) for units in hidden)
    if orders > MOST_ORDERS or max(map(len, hidden), default=0) > MOST_HIDDEN or _is_unsaid(watcher, observer):
        return None
    ways = [list(_orders(watcher, units, observer)) for units in hidden]
    if math.prod(len({tuple(map(_pair, way)) for way in each}) for each in ways) > MOST_WORLDS:
        return None
    found = list(_worlds(state, watcher, ways))
    return found if FEWEST_WORLDS <= len(set(found)) <= MOST_WORLDS else None


Way = tuple[tuple[Unit, int], ...]
"""A type for each hidden unit of a side."""


def _pair(dealt: tuple[Unit, int]) -> tuple[int, int]:
    return dealt[0].slot, dealt[1]


def _is_unsaid(watcher: ConquestWatcher, observer: int) -> bool:
    """Return whether types are ruled out for a hidden unit in a reserve. Views keep such facts only if they follow from
    a group (CQ-36), so worlds need not fit the others.
    """
    book = watcher.book(observer)
    for unit in watcher.units:
        if unit.zone == g.RESERVE and unit.side != observer and not watcher.known(unit, observer):
            pool = book.pool_of(unit)
            if pool is None or not pool.is_closed:
                return True
    return False


def _worlds(state: State, watcher: ConquestWatcher, ways: list[list[Way]]) -> Iterator[bytes]:
    world = state.copy()
    row = world[0]
    for chosen in product(*ways):
        for unit, kind in (pair for way in chosen for pair in way):
            row["kind"][unit.slot] = kind
        if goes_on(row, watcher):
            yield key(world)


def _orders(watcher: ConquestWatcher, units: list[Unit], observer: int) -> Iterator[Way]:
    """Yield all orders. A unit that was seen stays in its pool; every other unit may be anywhere else."""
    pools = [watcher.book(observer).pool_of(unit) for unit in units]
    bound = _bound(units, pools)
    on_board = units and watcher.master[units[0].side]
    for order in permutations(range(len(units))):
        dealt = tuple((unit, units[other].kind) for unit, other in zip(units, order, strict=True))
        if any(bound[other] not in (None, pools[at]) for at, other in enumerate(order)):
            continue
        if all(may_be(watcher, unit, kind, observer) for unit, kind in dealt) and _has_master(dealt, bool(on_board)):
            yield dealt


def _has_master(dealt: Way, on_board: bool) -> bool:
    """CQ-31: return whether the Spy Master is on the board, if all know that it is."""
    return not on_board or all(unit.on_board for unit, kind in dealt if kind == g.SPY_MASTER)


def _bound(units: list[Unit], pools: list[Pool[Unit] | None]) -> list[Pool[Unit] | None]:
    """Return the pool in which each unit was seen; None for a unit that was not seen."""
    left = {id(pool): Counter(pool.known) for pool in pools if pool is not None}
    bound: list[Pool[Unit] | None] = []
    for unit, pool in zip(units, pools, strict=True):
        seen = pool is not None and left[id(pool)][unit.kind] > 0
        bound.append(pool if seen else None)
        if seen:
            left[id(pool)][unit.kind] -= 1
    return bound


# ---- positions with few secrets ----------------------------------------------------------------------------------


def small(game: Game, rng: np.random.Generator) -> Iterator[tuple[State, int, list[bytes]]]:
    """Yield positions of random matches in which an observer knows most of the hidden units."""
    while True:
        watcher = ConquestWatcher(game)
        stop = int(rng.integers(200, 900))
        for number, step in enumerate(play(game, rng, lively=0.6)):
            watcher.see(step)
            row = step.after[0]
            if number >= stop and row["started"] and row["phase"] in (g.CARD, g.MOVE):
                state, observer = step.after.copy(), int(rng.integers(game.info.players))
                _show_most(game, state, watcher, observer, rng)
                worlds = deals(game, state, watcher, observer)
                if worlds is not None:
                    yield state, observer, worlds
                break


def _show_most(game: Game, state: State, watcher: ConquestWatcher, observer: int, rng: np.random.Generator) -> None:
    """Let the observer know most units. Units in groups are the first to stay hidden."""
    book = watcher.book(observer)
    sides = rng.permutation(others(game, state[0], observer)).tolist()
    for side, most in zip(sides, SECRETS, strict=False):
        hidden = sorted(rng.permutation(hidden_units(watcher, side, observer)), key=lambda u: book.pool_of(u) is None)
        for unit in hidden[most:]:
            book.see(unit)
        _write(state[0], book, watcher.of(side), observer)


def _write(row: np.void, book: Book[Unit], units: list[Unit], observer: int) -> None:
    """Write a book's knowledge of these units into a state."""
    for unit in units:
        pool = book.pool_of(unit)
        members = [unit] if pool is None or pool.is_exact else pool.members
        row["group"][observer, unit.slot] = min(member.slot for member in members)
        row["known"][observer, unit.slot] = pool is not None and pool.is_exact
        row["ruled_out"][observer, unit.slot] = sum(1 << kind for kind in book.excluded.get(unit, ()))
    for pool in book.pools:
        left = Counter(pool.known)
        for unit in pool.members if not pool.is_exact and pool.members[0] in units else ():
            row["known"][observer, unit.slot] = left[unit.kind] > 0
            left[unit.kind] -= 1
