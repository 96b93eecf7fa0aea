"""Worlds of the Card Game that an observer cannot tell apart, by the rules and the observer's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from conformance.cases import Step
from conformance.families.books import Pool
from conformance.families.cardgame_watcher import Card, CardWatcher
from gonfalon.engine.game import Game, State
from gonfalon.games.cardgame import state as g

SWAPS = 30
"""Number of attempts per side to swap two hidden types."""
PILE = None
Slot = tuple[int | None, Card | None]
"""Position of a hidden card: its place and the card itself, or PILE."""


def line_kinds(row: np.void, side: int) -> list[int]:
    return [int(kind) for kind in row["kind"][side * g.SIDE_PLACES :][: g.LINE]]


def has_attacker(row: np.void, side: int) -> bool:
    """CG-13: return whether the side's line has a card that can attack."""
    return any(0 < kind < g.BOMB for kind in line_kinds(row, side))


def goes_on(row: np.void) -> bool:
    """CG-13: return whether the match goes on in this world, as it does in the true one."""
    return row["phase"] != g.ACT or has_attacker(row, int(row["mover"]))


def places(state: State, watcher: CardWatcher, side: int) -> dict[int, Card]:
    """Return the side's cards outside its pile, by place. Equal cards in a hand are interchangeable."""
    first, row = side * g.SIDE_PLACES, state[0]
    found = {first + k: card for k, card in enumerate(watcher.lines[side]) if card is not None}
    left = list(watcher.hands[side])
    for place in range(first + g.LINE, first + g.SIDE_PLACES):
        if row["kind"][place]:
            card = next(card for card in left if card.kind == row["kind"][place])
            left.remove(card)
            found[place] = card
    return found


# ---- scrambling --------------------------------------------------------------------------------------------------


def scramble(game: Game, state: State, watcher: CardWatcher, observer: int, rng: np.random.Generator) -> State | None:
    world = state.copy()
    row = world[0]
    row["log"], row["n_log"] = 0, 0
    if row["over"] == g.BY_NO_ATTACKERS:
        return None
    for side in range(2):
        if side != observer:
            _swap_types(row, places(state, watcher, side), watcher, side, observer, rng)
            _lay_anew(row, side, rng)
    return world if goes_on(row) else None


def _swap_types(
    row: np.void, cards: dict[int, Card], watcher: CardWatcher, side: int, observer: int, rng: np.random.Generator
) -> None:
    book = watcher.book(observer)
    hidden = [place for place, card in cards.items() if not watcher.known(card, observer)]
    pools = {place: book.pool_of(cards[place]) for place in hidden}
    for _ in range(SWAPS if hidden else 0):
        here = int(rng.choice(hidden))
        there = int(rng.choice(hidden)) if rng.random() < 0.6 else PILE
        mine = int(row["kind"][here])
        other = int(row["kind"][there]) if there is not PILE else _top(row, side, rng)
        if not other or _is_excluded(watcher, observer, cards[here], other):
            continue
        if there is not PILE and _is_excluded(watcher, observer, cards[there], mine):
            continue
        _put(row, side, here, other)
        _put(row, side, there, mine, taken=other)
        both = pools[here], pools.get(there)  # type: ignore[arg-type]  # PILE has no pool
        if not all(_holds(row, pools, pool) for pool in both if pool):
            _put(row, side, here, mine)
            _put(row, side, there, other, taken=mine)
    for pool in {id(pool): pool for pool in pools.values() if pool}.values():
        _mark(row, observer, [place for place in hidden if pools[place] is pool], pool)


def _top(row: np.void, side: int, rng: np.random.Generator) -> int:
    """Return a random card of the pile, 0 if there is none."""
    cards = np.repeat(np.arange(g.TYPES), row["pile"][side])
    return int(rng.choice(cards)) if len(cards) else 0


def _is_excluded(watcher: CardWatcher, observer: int, card: Card, kind: int) -> bool:
    return kind in watcher.book(observer).excluded.get(card, ())


def _put(row: np.void, side: int, place: int | None, kind: int, taken: int = 0) -> None:
    if place is not PILE:
        row["kind"][place] = kind
    else:
        row["pile"][side][kind] += 1
        row["pile"][side][taken] -= 1


def _holds(row: np.void, pools: dict[int, Pool[Card] | None], pool: Pool[Card]) -> bool:
    """Return whether the pool still has all types that are known to be in it."""
    return not pool.known - Counter(int(row["kind"][place]) for place, other in pools.items() if other is pool)


def _mark(row: np.void, observer: int, members: list[int], pool: Pool[Card]) -> None:
    """Move the record's marks to cards of the known types."""
    book = observer if observer in (0, 1) else g.THE_PUBLIC
    left = Counter(pool.known)
    for place in members:
        kind = int(row["kind"][place])
        row["known"][book][place] = left[kind] > 0
        left[kind] -= 1


def _lay_anew(row: np.void, side: int, rng: np.random.Generator) -> None:
    """Change the cards that are laid in an open choice. Before play the whole line is secret; the number of decided
    gaps is secret too.
    """
    if row["started"] and row["mover"] != side:
        return
    gaps = [k for k, kind in enumerate(line_kinds(row, side)) if not kind]
    hand = row["kind"][side * g.SIDE_PLACES + g.LINE :][: g.DEALT]
    hand = hand[hand != 0]
    if row["phase"] not in (g.LAY, g.OVER) or not gaps or not len(hand):
        return
    if row["phase"] == g.OVER and not row["placed"][side]:
        return
    ready = not row["started"] and row["placed"][side] == g.LINE
    count = len(gaps) if ready else int(rng.integers(len(gaps)))
    must = min(len(gaps), len(hand))
    lay = rng.permutation([*rng.permutation(hand)[:must].tolist(), *([0] * (len(gaps) - must))])
    row["laid"][side] = 0
    for k, kind in zip(gaps[:count], lay.tolist(), strict=False):
        row["laid"][side][k] = kind
    row["placed"][side] = count


# ---- steps that show what was changed ----------------------------------------------------------------------------


def shows(game: Game, step: Step, world: State, after: State, observer: int) -> bool:
    """Return whether this step, by the rules, shows the observer something that differs between `world` and the state
    before the step.
    """
    row, other = step.before[0], world[0]
    if step.action >= g.ACT_DRAW:
        return False
    if step.action < g.ACT_ATTACK:
        return _laid(step.after[0]) != _laid(after[0])
    side = int(row["mover"])
    return any(row["kind"][place] != other["kind"][place] for place in _shown(row, side, step.action, observer))


def _laid(row: np.void) -> tuple[object, ...]:
    """Return the public part of an open choice: whether it is complete, who is ready, and which gaps are left."""
    ready = [not row["started"] and row["placed"][side] == g.LINE for side in range(2)]
    return int(row["phase"]), ready, int(row["turn"]), (row["number"] != 0).tolist()


def _shown(row: np.void, side: int, action: int, observer: int) -> Iterator[int]:
    """Yield the places whose cards the observer sees in this act. A trick shows where the Flag was."""
    own, enemy = side * g.SIDE_PLACES, (1 - side) * g.SIDE_PLACES
    if action < g.ACT_LOOK_HAND:
        k, other = divmod(action - g.ACT_ATTACK, g.LINE)
        yield from (own + k, enemy + other)
    elif action < g.ACT_LOOK_LINE:
        yield own + action - g.ACT_LOOK_HAND
        if observer == side:
            yield from range(enemy + g.LINE, enemy + g.SIDE_PLACES)
    elif action < g.ACT_TRICK:
        k, look = divmod(action - g.ACT_LOOK_LINE, g.LOOKS)
        yield own + k
        if observer == side:
            seen = g.PAIRS[look] if look < len(g.PAIRS) else (look - len(g.PAIRS),)
            yield from (enemy + other for other in seen)
    else:
        yield own + line_kinds(row, side).index(g.FLAG)


# ---- all worlds --------------------------------------------------------------------------------------------------

MOST_HIDDEN = 7
MOST_WORLDS = 120
FEWEST_WORLDS = 3


def key(state: State) -> bytes:
    """Return a key of a state: the lines in order, hands and piles without order."""
    row = state[0]
    parts = []
    for side in range(2):
        hand = row["kind"][side * g.SIDE_PLACES + g.LINE :][: g.DEALT]
        parts += [bytes(line_kinds(row, side)), bytes(np.sort(hand)), row["pile"][side].tobytes()]
    return b"|".join(parts)


def deals(game: Game, state: State, watcher: CardWatcher, observer: int) -> list[bytes] | None:
    """Return the worlds of all orders of the hidden cards. None if there are too many, or too few to be interesting."""
    if observer not in (0, 1) or state["phase"][0] != g.ACT:
        return None
    side, row = 1 - observer, state[0]
    cards = {p: c for p, c in places(state, watcher, side).items() if not watcher.known(c, observer)}
    pile = [int(kind) for kind in np.repeat(np.arange(g.TYPES), row["pile"][side])]
    if not 2 <= len(cards) + len(pile) <= MOST_HIDDEN:
        return None
    found = list(_worlds(state, watcher, observer, cards, pile))
    return found if FEWEST_WORLDS <= len(set(found)) <= MOST_WORLDS else None


def _worlds(
    state: State, watcher: CardWatcher, observer: int, cards: dict[int, Card], pile: list[int]
) -> Iterator[bytes]:
    """Yield all worlds. A card that was seen stays in its pool; every other card may be anywhere else."""
    side, book = 1 - observer, watcher.book(observer)
    slots: list[int | None] = [*cards, *([PILE] * len(pile))]
    kinds = [card.kind for card in cards.values()] + pile
    pools = [book.pool_of(cards[slot]) if slot is not PILE else None for slot in slots]
    bound = _bound(kinds, pools)
    nothing: frozenset[int] = frozenset()
    excluded = [nothing if slot is PILE else book.excluded.get(cards[slot], nothing) for slot in slots]
    for order in permutations(range(len(slots))):
        if any(bound[card] not in (None, pools[at]) or kinds[card] in excluded[at] for at, card in enumerate(order)):
            continue
        world = state.copy()
        world["pile"][0][side] = 0
        for at, card in enumerate(order):
            if slots[at] is PILE:
                world["pile"][0][side][kinds[card]] += 1
            else:
                world["kind"][0][slots[at]] = kinds[card]
        if goes_on(world[0]):
            yield key(world)


def _bound(kinds: list[int], pools: list[Pool[Card] | None]) -> list[Pool | None]:
    """Return the pool in which each card was seen; None for a card that was not seen."""
    left = {id(pool): Counter(pool.known) for pool in pools if pool is not None}
    bound: list[Pool[Card] | None] = []
    for kind, pool in zip(kinds, pools, strict=True):
        seen = pool is not None and left[id(pool)][kind] > 0
        bound.append(pool if seen else None)
        if seen:
            left[id(pool)][kind] -= 1
    return bound
