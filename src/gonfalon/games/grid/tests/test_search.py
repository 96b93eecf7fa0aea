"""Moves that the search must not miss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, State
from gonfalon.engine.search import Clock, Mind
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjust.ambush import find_ambush
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.play.search.sample import find_distinct, prepare_contexts
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.play.tunables import LEAST_WORLDS
from gonfalon.games.grid.text.notation import SQUARE_NAMES

MARSHAL_CAME = """
original
turn 248 quiet 2
past b3-b4 c3-b3
10 ..   bB!  b4   bB   b4   b5   bB   bF   bB   b3
 9 ..   ..   bB!  b9   b5   ..   b8   bB   b3   b7
 8 ..   r6'  ..   b7   b6   ..   b2   ..   ..   ..
 7 ..   ..   ..   bS   ..   ..   ..   b4   ..   ..
 6 ..   ..   ~~   ~~   ..   b2'  ~~   ~~   b8'! ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   r8'  rB   ..   ..   rB!  r7   r2   r2'  ..
 3 ..   bM'! ..   ..   ..   r6   r3   r2'  r9'! ..
 2 ..   ..   ..   ..   r3   rB   r4   ..   r4'  r3'
 1 r5   r3   r2   ..   rB   rF   rB   ..   ..   ..
"""
WITHOUT_HURRY = 600.0


def list_choices(text: str, player: int = 0, worlds: int = 8) -> list[str]:
    """Return the player's choices in a position of Original with each of five seeds."""
    game = gonfalon.make("original")
    return list_choices_in(game, game.parse_state(text), player, worlds)


def list_choices_in(
    game: Game, state: State, player: int = 0, worlds: int = 8, told: Sequence[Event] = ()
) -> list[str]:
    """Return the choices in a state, for a player with the events `told`."""
    mind, view = Mind(seconds=WITHOUT_HURRY, depth=2, worlds=worlds), game.view(state, player)
    found = [game.search(view, told, mind, np.random.default_rng(seed))[0].actions for seed in range(5)]
    return [game.action_text(view, action) for (action,) in found]


def test_what_saves_a_piece_is_found_among_many_turns() -> None:
    """The Colonel on b4 can still go. Before the answer is seen, most of the other 24 turns look as good or better."""
    game = gonfalon.make("original")
    view = game.view(game.parse_state(MARSHAL_CAME), 0)
    assert len(view.legal) == 26
    assert set(list_choices(MARSHAL_CAME, worlds=4)) <= {"b4-b5", "b4-a4"}


def test_several_worlds_are_looked_at_however_little_time_there_is() -> None:
    """In a single world the search would attack whatever stands there, as if it were certain."""
    game = gonfalon.make("original")
    view = game.view(game.parse_state(MARSHAL_CAME), 0)
    worlds = game.sample_worlds(view, (), Mind(seconds=1.0), 20, np.random.default_rng(0))
    contexts = zero_rows(CONTEXT, len(worlds))
    contexts["doubt"] = 1.0
    over = Clock(Mind(seconds=1e-9))
    assert prepare_contexts(worlds, copy_rows(game.rules), contexts, over) == LEAST_WORLDS
    assert (contexts["scale"] > 0).sum() == LEAST_WORLDS


def test_a_world_that_came_twice_is_looked_at_once_and_counts_twice() -> None:
    game = gonfalon.make("original")
    view = game.view(game.parse_state(MARSHAL_CAME), 0)
    one, two = game.sample_worlds(view, (), Mind(seconds=1.0), 2, np.random.default_rng(0))[[[0], [1]]]
    assert (one["board"] != two["board"]).any()
    worlds, shares = find_distinct(np.concatenate([two, one, two]))
    np.testing.assert_array_equal(worlds["board"], np.concatenate([two, one])["board"])
    assert shares.tolist() == [2, 1]


LONG_QUIET = """
original
turn 247 quiet 91
10 b5   b3   b2   b3   bB   bF   bB   b2   b4   b3
 9 b5   b5   b4   b2   b3   bB   b4   bS   b6   b2'!
 8 ..   b5   b6   b6   b7   b6   b3   b9   b2   ..
 7 ..   ..   bB   b7   bB   bB   b7   b2   b8   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   r5'! rM'!
 5 ..   ..   ~~   ~~   r5'  ..   ~~   ~~   ..   ..
 4 ..   bM'! r8   r2   ..   r4'  r6   r3'  r8'  ..
 3 ..   ..   r2   rS   r9   r2   r7   r6'  ..   ..
 2 rB   r2   rB   r7   r3   rB   r3   r7   r2   r3
 1 r4   r3   rB   r4   rB   rF   rB   r6   r2   r5
"""


def test_no_scout_is_given_away_to_end_a_long_quiet() -> None:
    """A Scout of blue's can reach a known Marshal; blue is ahead."""
    assert "j9xj6" not in list_choices(LONG_QUIET, player=1)


FRESH_AND_USED = """
original
turn 100 quiet 2
10 bF   bB   ..   ..   ..   ..   ..   ..   bB   b4'
 9 bB   ..   ..   ..   ..   ..   ..   ..   ..   ..
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ..   r5'  r5   ..   ..   ..   ..   ..
 3 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 1 rF   rB   ..   ..   ..   ..   ..   ..   rB   ..
"""


def test_who_may_still_pass_for_a_bomb_stays_where_it_is() -> None:
    """Of two Lieutenants side by side, the search moves the one that has moved before, though the other is nearer to
    the enemy.
    """
    assert all(choice.startswith("d4") for choice in list_choices(FRESH_AND_USED))


HUNTER_BESIDE = """
original
turn 60 quiet 2
10 bF   bB   b3   b2   b2   b3   bB   b3   b4   bB
 9 bB   b3   b2   b7   b8   b6   ..   b5   b2   b3
 8 b6   b7   b2   b4   b5   bB   b4   ..   b2   b6
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   b9'! ~~   ~~   ..   ..
 4 r6   r2   r7   r8   r5   r7   r2   r6   ..   r6
 3 r5   r4   rM   r2   r8   ..   r5   r6   r2   r7
 2 rB   r3   r2   r3   rS   r2   rB   r3   rB   r4
 1 r2   rF   rB   r3   rB   r3   r2   r5   r4   rB
"""


def test_what_may_be_a_bomb_does_not_flee() -> None:
    """The Major on f4 never moved. A General before it would not attack a possible Bomb."""
    assert not any(choice.startswith("f4") for choice in list_choices(HUNTER_BESIDE))


def test_from_who_is_daring_what_never_moved_flees() -> None:
    """If Blue has often attacked unmoved pieces, the Major flees."""
    game = gonfalon.make("original")
    state = game.parse_state(HUNTER_BESIDE)
    own = np.flatnonzero(state["board"][0][: g.SQUARES] & g.RED)
    start = Event("start", {"spaces": {SQUARE_NAMES[square]: "red" for square in own.tolist()}})
    strike = {"side": "blue", "from": "f5", "attacker_face": "general", "defender_face": "scout"}
    strikes = [Event("battle-won", {**strike, "space": space}) for space in ("a1", "b1", "c1")]
    assert not any(choice.startswith("f4") for choice in list_choices_in(game, state, told=[start]))
    assert all(choice.startswith("f4") for choice in list_choices_in(game, state, told=[start, *strikes]))


MARSHAL_AFAR = """
original
turn 60 quiet 2
10 bF   bB   ..   ..   ..   ..   ..   ..   ..   b4
 9 bB   ..   ..   ..   ..   ..   ..   ..   ..   ..
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 7 ..   ..   ..   ..   bM'! ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   rS'  ..   ..   ..   ..   ..
 3 ..   ..   ..   ..   ..   ..   ..   r4'  ..   ..
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 1 rF   rB   ..   ..   ..   ..   ..   ..   rB   ..
"""


def test_a_spy_waits_for_the_marshal() -> None:
    assert not any(choice.startswith("e4") for choice in list_choices(MARSHAL_AFAR))


STRANGER_AHEAD = """
original
turn 248 quiet 2
10 bF   bB   ..   ..   ..   ..   ..   ..   ..   b3!
 9 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   b4'  ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   rM'! ..   ..   ..   ..   ..
 3 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 1 rF   rB   ..   ..   ..   ..   ..   ..   ..   ..
"""
E6 = 54


def test_an_ambush_is_a_spy_beside_a_known_marshal() -> None:
    """In one world of four the piece on e6 is the Spy; e5 is beside it. An unknown Marshal fears nothing."""
    game = gonfalon.make("original")
    shown, secret = (game.parse_state(text) for text in (STRANGER_AHEAD, STRANGER_AHEAD.replace("rM'!", "rM'")))
    pool = np.repeat(shown, 4)
    pool["board"][0, E6] = g.SPY + g.BLUE
    view = game.view(shown, 0)
    risks = zip(view.legal, find_ambush(view, game.rules, pool), strict=True)
    assert {game.action_text(view, action): risk for action, risk in risks if risk} == {"e4-e5": 0.25}
    assert not find_ambush(game.view(secret, 0), game.rules, pool).any()


FLAG_AT_HAND = """
original
turn 248 quiet 2
10 bF!  rM'! ..   ..   ..   ..   ..   ..   ..   bS'
 9 b4'  ..   ..   ..   ..   ..   ..   ..   ..   ..
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 3 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   r5'
 1 rF   rB   ..   ..   ..   ..   ..   ..   ..   ..
"""


def test_no_fear_of_an_ambush_puts_off_the_win() -> None:
    """The piece on a9 may be the Spy, and the Flag can be taken next turn as well."""
    assert set(list_choices(FLAG_AT_HAND)) == {"b10xa10"}


FLAG_IN_DANGER = """
original
turn 248 quiet 2
10 bF   bB   ..   ..   ..   ..   ..   ..   ..   ..
 9 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   b2'!
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 3 r7'  ..   ..   ..   ..   ..   ..   ..   ..   ..
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 1 rB   ..   rB   ..   rB   ..   rB   ..   ..   rF
"""


def test_who_does_not_know_where_the_flag_is_may_not_go_for_it() -> None:
    """A Scout stands before it, and nothing can come between. All know the second one."""
    game = gonfalon.make("original")
    hidden, shown = (
        game.search(game.view(game.parse_state(text), 0), (), Mind(seconds=600, depth=2), np.random.default_rng(1))
        for text in (FLAG_IN_DANGER, FLAG_IN_DANGER.replace("rF", "rF!"))
    )
    assert shown[0].value < -0.95
    assert -0.8 < hidden[0].value < 0


PREY_AHEAD = """
original
turn 248 quiet 2
10 bF   bB   ..   ..   ..   ..   ..   ..   ..   ..
 9 ..   ..   ..   ..   ..   ..   ..   ..   ..   b3!
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   b4'  ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 3 ..   ..   ..   ..   r8'! ..   ..   ..   ..   ..
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 1 rF   rB   ..   ..   ..   ..   ..   ..   ..   ..
"""
SERGEANT, E5 = 4, 44


@pytest.mark.parametrize("true", ["b4'", "b7'"])
def test_an_attack_ahead_counts_what_is_expected_of_it(true: str) -> None:
    """Red's Colonel comes beside an unknown piece. Only Red's belief counts, not the piece's type in
    the sampled world.
    """
    game = gonfalon.make("original")
    state = game.parse_state(PREY_AHEAD.replace("b4'", true))
    come = game.parse_action(game.view(state, 0), "e3-e4")
    weak, strong = (look_ahead(state, come, {held: 1.0}) for held in (g.SCOUT, g.MARSHAL))
    assert weak > strong


TWO_IN_DANGER = """
original
turn 248 quiet 2
10 bF   bB   ..   ..   ..   ..   ..   ..   ..   ..
 9 ..   ..   ..   ..   ..   ..   ..   ..   ..   b3!
 8 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 7 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   b4'  ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   r8'! ..   ..   ..   ..   ..
 3 ..   ..   ..   ..   ..   ..   ..   ..   ..   b7!
 2 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 1 rF   rB   ..   ..   r2'! ..   ..   ..   rB!  r6!
"""


def test_an_attack_ahead_makes_no_threat_forgotten() -> None:
    """Red's Scout waits. It could attack e5 next, but then the Major takes the Captain, which cannot flee."""
    game = gonfalon.make("original")
    near = game.parse_state(TWO_IN_DANGER)
    far = game.parse_state(TWO_IN_DANGER.replace("b7!", ".. ").replace("9 ..", "9 b7!"))
    wait = game.parse_action(game.view(near, 0), "e1-f1")
    points = [look_ahead(state, wait, {SERGEANT: 1.0}) for state in (near, far)]
    assert points[0] < points[1] - 40


def look_ahead(state: State, action: int, held: dict[int, float]) -> float:
    """Return the points of red's action three turns ahead, if Red believes in each type on e5 with its share."""
    rules, contexts = copy_rows(gonfalon.make("original").rules), zero_rows(CONTEXT)
    contexts["doubt"], contexts["nodes"] = 1.0, 100_000
    prepare_context(state, rules, contexts)
    for kind, share in held.items():
        contexts["held"][0, int(state[0]["number"][E5]) * g.TYPES + kind] = share
    return Searcher(rules).search(state, contexts, action, 3)
