"""Worlds that a viewer cannot tell from the true one: their views are equal byte for byte, and hidden units are
anywhere they may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC, State
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.dealing import NoWorldError, Seat, Unit, deal
from gonfalon.games.conquest.sight.resample import resample
from gonfalon.games.conquest.tests.states import (
    BLUE,
    GREEN,
    LETTERS,
    OCHRE,
    RED,
    battle,
    blank,
    drafted,
    join,
    leave,
    put_drawn,
    ring_rules,
    rule_out,
    see,
    slot,
    view_of,
)

RULES = ring_rules()
OBSERVERS = (RED, BLUE, GREEN, OCHRE, PUBLIC, EVERYTHING)
OTHERS = (RED, GREEN, OCHRE, g.THE_PUBLIC)
"""Observers who may know something of blue's units."""


def worlds(state: State, observer: int, count: int) -> list[State]:
    """Return worlds of this view, after checking that the observer's view of each is the same."""
    view, rng = view_of(state, RULES, observer), np.random.default_rng(5)
    found = [resample(view, RULES, rng) for _ in range(count)]
    for world in found:
        assert view_of(world, RULES, observer).tobytes() == view.tobytes()
        check_world(world, state)
    return found


def check_world(world: State, state: State) -> None:
    """Check that the world has all units of the true one and that its knowledge is true."""
    row, true = world[0], state[0]
    for side in range(g.PLAYERS):
        units = slice(side * g.ARMY, (side + 1) * g.ARMY)
        assert sorted(row["kind"][units]) == sorted(true["kind"][units])
        flag = row["zone"][units][row["kind"][units] == g.FLAG]
        assert not np.isin(flag, (g.RESERVE, g.IN_HAND)).any()
    assert not (row["ruled_out"] >> row["kind"] & 1)[:, row["kind"] > 0].any()
    assert (row["group"] <= np.arange(g.UNITS)).all()
    for observer in range(g.OBSERVERS):
        assert (row["group"][observer][row["group"][observer]] == row["group"][observer]).all()


# ---- states of all kinds


def opening() -> State:
    return battle()


def midgame() -> State:
    """Return a state in which red has seen blue's King, two of blue's units have fallen and some have moved. Of three
    more units two types are known, and one unit was drawn from the reserve.
    """
    state = battle()
    see(state, RED, slot(BLUE, "K"))
    for unit in (3, 4, 5, 12, 13):
        leave(state, slot(BLUE, unit))
    put_drawn(state, BLUE, slot(BLUE, 4), zone=int(slot(BLUE, 4)))
    for observer in OTHERS:
        join(state, observer, [slot(BLUE, unit) for unit in (9, 10, 14)], [slot(BLUE, 9), slot(BLUE, 14)])
        for unit in (6, 7, 8):
            rule_out(state, observer, slot(BLUE, unit), "XF")
    rule_out(state, RED, slot(BLUE, 15), "XFKM")
    return state


def in_hand() -> State:
    state = battle(phase=g.AIM)
    row = state[0]
    row["playing"], row["mover"] = g.REINFORCEMENTS, BLUE
    for unit in (3, 17):
        leave(state, slot(BLUE, unit))
    put_drawn(state, BLUE, slot(BLUE, 17))
    return state


def open_choice() -> State:
    state = battle(phase=g.ORDER)
    row = state[0]
    row["playing"], row["chosen"], row["n_chosen"], row["ordered"][0], row["n_ordered"] = g.REGROUP, (4, 2, 9), 3, 7, 1
    return state


def flags_gone() -> State:
    """Return a state in which red holds blue's Flag, ochre has resigned, and green has only Cursed Lands, which all
    observers know.
    """
    state = battle()
    row = state[0]
    leave(state, slot(BLUE, "F"), g.GONE)
    row["holder"][BLUE] = RED
    for j in range(g.ARMY):
        leave(state, slot(OCHRE, j), g.GONE)
        row["kind"][slot(OCHRE, j)] = 0
        if j not in (1, 2, 17):
            leave(state, slot(GREEN, j))
    leave(state, slot(GREEN, "F"), g.GONE)
    for unit in (2, 17):
        for observer in (RED, BLUE, OCHRE, g.THE_PUBLIC):
            see(state, observer, slot(GREEN, unit))
    row["out"] = (g.IN, g.IN, g.SKIPPED, g.RESIGNED)
    row["n_reserve"][OCHRE] = 0
    row["holder"][[GREEN, OCHRE]] = (BLUE, g.NONE)
    return state


def deploying() -> State:
    state = drafted()
    row, rng = state[0], np.random.default_rng(1)
    army = np.repeat(np.arange(g.TYPES), RULES[0]["army"])
    for side, placed in ((BLUE, 18), (GREEN, 7), (OCHRE, 18)):
        row["laid"][side, :placed] = rng.permutation(army)[:placed]
        row["placed"][side] = placed
    return state


STATES = (blank, drafted, deploying, opening, midgame, in_hand, open_choice, flags_gone)


@pytest.mark.parametrize("make", STATES)
@pytest.mark.parametrize("observer", OBSERVERS)
def test_a_world_looks_just_like_the_true_one(make: Callable[[], State], observer: int) -> None:
    worlds(make(), observer, 10)


@pytest.mark.parametrize("make", STATES)
def test_who_sees_all_gets_the_true_one(make: Callable[[], State]) -> None:
    state = make()
    (world,) = worlds(state, EVERYTHING, 1)
    standing = state[0]["zone"] < g.ZONES
    assert np.array_equal(world[0]["kind"][standing], state[0]["kind"][standing])
    for name in ("phase", "chosen", "ordered", "laid", "placed"):
        assert np.array_equal(world[0][name], state[0][name]), name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_worlds_of_matches_look_just_like_the_true_one(players: int) -> None:
    """In random matches each observer's view of a sampled world equals the view of the true one."""
    rules, state = ring_rules(players), zero_rows(g.STATE)
    kernels.initial(state, 0, rules)
    counter, rng = np.array([players], np.uint64), np.random.default_rng(players)
    while state[0]["phase"] != g.OVER and state[0]["turn"] < 300:
        kernels.random_play(state, 0, rules, counter, int(rng.integers(1, 60)))
        for observer in (*range(players), PUBLIC, EVERYTHING):
            view = view_of(state, rules, observer)
            world = resample(view, rules, rng)
            assert view_of(world, rules, observer).tobytes() == view.tobytes(), observer
            check_world(world, state)


# ---- hidden units are anywhere they may be


def places_of(found: list[State], side: int, letter: str) -> Counter[int]:
    units = range(side * g.ARMY, (side + 1) * g.ARMY)
    return Counter(unit - units.start for w in found for unit in units if w[0]["kind"][unit] == LETTERS.index(letter))


def test_hidden_units_are_equally_likely_everywhere() -> None:
    places = places_of(worlds(battle(phase=g.CARD), RED, 900), BLUE, "F")
    assert set(places) == set(range(g.ARMY))
    assert max(places.values()) < 2.2 * min(places.values())


def test_a_unit_that_moved_is_no_flag_and_no_cursed_land() -> None:
    state = battle()
    for unit in range(3, 17):
        rule_out(state, RED, slot(BLUE, unit), "XF")
    found = worlds(state, RED, 200)
    assert places_of(found, BLUE, "F").keys() | places_of(found, BLUE, "X").keys() == {0, 1, 2, 17}
    assert set(places_of(found, BLUE, "K")) >= set(range(3, 17))


def test_a_known_type_of_a_group_is_in_it() -> None:
    state = battle()
    units = (0, 4, 9)
    join(state, RED, [slot(BLUE, unit) for unit in units], [slot(BLUE, 0)])
    places = places_of(worlds(state, RED, 300), BLUE, "K")
    assert set(places) == set(units)
    assert max(places.values()) < 1.6 * min(places.values())


def test_a_group_may_lie_in_the_reserve_in_part() -> None:
    """King and Scout fell; then one of them was drawn, and red does not know which."""
    state = battle()
    for letter in "KS":
        leave(state, slot(BLUE, letter))
    put_drawn(state, BLUE, slot(BLUE, "S"))
    faces = Counter(LETTERS[w[0]["kind"][slot(BLUE, "S")]] for w in worlds(state, RED, 200))
    assert set(faces) == {"K", "S"}
    assert min(faces.values()) > 60
    world = worlds(state, RED, 1)[0]
    assert set(world[0]["kind"][world[0]["zone"] == g.RESERVE]) < {g.KING, g.SCOUT}


def test_a_spy_master_known_to_be_on_the_board_is_there() -> None:
    state = in_hand()
    state[0]["master"][BLUE] = 1
    for observer in OTHERS:
        state[0]["group"][observer], state[0]["known"][observer] = np.arange(g.UNITS), 0
    for observer in (RED, PUBLIC):
        for world in worlds(state, observer, 60):
            masters = world[0]["kind"][BLUE * g.ARMY :][: g.ARMY] == g.SPY_MASTER
            assert world[0]["zone"][BLUE * g.ARMY :][: g.ARMY][masters][0] < g.ZONES


def test_who_is_on_turn_has_a_move() -> None:
    """Red has only three units left, side by side: two Cursed Lands and the King, which could not move between them."""
    state = battle()
    row = state[0]
    for unit in range(g.ARMY):
        if unit not in (0, 2, 17):
            leave(state, slot(RED, unit), g.GONE if unit == 1 else g.RESERVE)
    row["holder"][RED], row["at"][:18] = BLUE, g.NONE
    row["at"][5:8] = row_slots = [slot(RED, unit) for unit in (0, 2, 17)]
    row["zone"][row_slots] = (5, 6, 7)
    assert places_of(worlds(state, GREEN, 50), RED, "K").keys() == {0, 17}
    row["phase"] = g.CARD
    assert places_of(worlds(state, GREEN, 50), RED, "K").keys() == {0, 2, 17}


def test_a_deployment_that_is_final_has_all_units() -> None:
    for world in worlds(deploying(), RED, 20):
        assert world[0]["placed"].tolist() == [0, 18, 0, 18]
        assert sorted(world[0]["laid"][BLUE, :18]) == sorted(np.repeat(np.arange(g.TYPES), RULES[0]["army"]))
        assert not world[0]["laid"][GREEN].any()


def test_which_worlds_come_depends_on_the_view_alone() -> None:
    state = midgame()
    other = copy_rows(state)
    units = slice(GREEN * g.ARMY, (GREEN + 1) * g.ARMY)
    other[0]["kind"][units] = state[0]["kind"][units][::-1]
    assert [w.tobytes() for w in worlds(state, RED, 5)] == [w.tobytes() for w in worlds(other, RED, 5)]


# ---- dealing


def anything(kinds: list[int]) -> bool:
    return True


def seats(*barred: str, groups: str = "") -> list[Seat]:
    masks = [sum(1 << LETTERS.index(letter) for letter in one) for one in barred]
    names = groups or "." * len(masks)
    return [Seat(k, g.NONE if names[k] == "." else "ab".index(names[k]), mask) for k, mask in enumerate(masks)]


def all_deals(units: list[Unit], places: list[Seat]) -> Counter[tuple[int, ...]]:
    """Count each deal among all orders of the units."""
    found: Counter[tuple[int, ...]] = Counter()
    for order in permutations(units):
        pairs = list(zip(order, places, strict=True))
        if all(unit.group in (g.NONE, seat.group) and not seat.barred >> unit.kind & 1 for unit, seat in pairs):
            found[tuple(unit.kind for unit in order)] += 1
    return found


@pytest.mark.parametrize(
    ("units", "places"),
    [
        ("KFXS9", seats("", "FX", "F", "FX", "")),
        ("KFXSS", seats("K", "F", "FX", "S", "")),
        ("Ka Sb F X 9", seats("", "FX", "F", "", "X", groups="aabb.")),
        ("Ka Ka F S S", seats("FX", "F", "K", "", "S", groups="aaa..")),
    ],
)
def test_every_deal_is_as_likely_as_any_other(units: str, places: list[Seat]) -> None:
    parts = units.split() if " " in units else list(units)
    dealt = [Unit(LETTERS.index(part[0]), "ab".index(part[1]) if part[1:] else g.NONE) for part in parts]
    wanted, rng, count = all_deals(dealt, places), np.random.default_rng(3), 4000
    found = Counter(tuple(deal(dealt, places, anything, rng)) for _ in range(count))
    assert found.keys() == wanted.keys()
    total = sum(wanted.values())
    for kinds, ways in wanted.items():
        expected = count * ways / total
        assert abs(found[kinds] - expected) < 5 * expected**0.5 + 1, kinds


def test_a_deal_that_hardly_fits_is_searched_for() -> None:
    """First, each unit has very few possible seats, so random tries often fail. Then only few deals are allowed."""
    rng = np.random.default_rng(4)
    letters = "KFXS987654"
    tight = seats(*(letters.replace(letters[k], "").replace(letters[k - 1], "") for k in range(10)))
    units = [Unit(LETTERS.index(letter), g.NONE) for letter in letters]
    found = {tuple(deal(units, tight, anything, rng)) for _ in range(40)}
    assert len(found) == 2
    free = seats(*[""] * 10)
    wish = tuple(deal(units, free, lambda kinds: kinds[3] == g.FLAG, rng))
    assert wish[3] == g.FLAG


def test_what_no_deal_fits_is_refused() -> None:
    rng = np.random.default_rng(4)
    units = [Unit(g.FLAG, g.NONE), Unit(g.KING, g.NONE)]
    with pytest.raises(NoWorldError):
        deal(units, seats("F", "F"), anything, rng)
    with pytest.raises(NoWorldError):
        deal(units, seats("F"), anything, rng)
    with pytest.raises(NoWorldError):
        deal(units, seats("", ""), lambda _: False, rng)
