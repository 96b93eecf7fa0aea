"""Events of the grid games that are rare in random matches. Observers are told of every piece that leaves or
appears.
"""

from __future__ import annotations

import gonfalon
from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid.tests.diagrams import RED, Position, position

THREE_CAPTAINS = """
special
turn 10 quiet 3
8 bF   ..   ..   ..   ..   ..   ..   ..   ..   ..
7 ..   b7   ..   ..   ..   ..   ..   ..   ..   ..
6 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
5 ..   ..   ~~   ~~   ..   b6   ~~   ~~   ..   ..
4 ..   ..   ~~   ~~   b6   r6   ~~   ~~   ..   ..
3 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
2 ..   r5   ..   ..   ..   ..   ..   ..   ..   ..
1 rF   ..   ..   ..   ..   ..   ..   ..   ..   ..
"""


def test_both_captains_that_a_captain_takes_along_are_told() -> None:
    """GR-32: all three leave, and each of the two squares is named."""
    game = gonfalon.make("special")
    before = game.parse_state(THREE_CAPTAINS)
    action = game.parse_action(game.view(before, 0), "f4*e4+f5")
    after = game.apply(before, 0, action)
    told = game.events(action, after, PUBLIC)
    fought = [event for event in told if event.code == "battle-both"]
    assert {event.args["space"] for event in fought} == {"e4", "f5"}
    assert {event.args["from"] for event in fought} == {"f4"}
    assert all(event.fell == {"red": 6, "blue": 6} for event in fought)
    assert {token.place for token in game.scene(game.view(after, PUBLIC)).tokens} == {"a1", "b2", "b7", "a8"}


def test_a_battle_tells_what_fell_and_nothing_of_a_defender_that_was_not_seen() -> None:
    at = position("classic", "8 bF b9\n6 b5 bB\n5 r7 r3 .. .. r4\n1 rF", silent_defence=True)
    assert [fallen(at, text) for text in ("a5xa6", "b5xb6")] == [{"blue": 5}, {}]
    lost = position("classic", "8 bF\n6 b9\n5 r4\n1 rF", silent_defence=True)
    assert fallen(lost, "a5xa6") == {"red": 4}


def fallen(at: Position, text: str) -> dict[str, int]:
    """Return the public losses of an action's battle."""
    view = at.game.view(at.state, RED)
    action = at.game.parse_action(view, text)
    told = at.game.events(action, at.game.apply(at.state, RED, action), PUBLIC)
    (fell,) = [event.fell for event in told if event.code.startswith("battle")]
    return fell


def test_the_start_tells_which_squares_are_occupied() -> None:
    """GR-3: public once play starts, and told to everyone alike."""
    game = gonfalon.make("duel")
    state = game.initial_state()
    texts = ["FB..3..3...B...S..2..2...9....M", "3.B...F.3....2S...B..9...2..M."]
    plans = [game.parse_deployment(texts[0][:3] + texts[0][4:], 0), game.parse_deployment(texts[1], 1)]
    for player, plan in enumerate(plans):
        for action in plan.tolist():
            state = game.apply(state, player, action)
    told = game.events(action, state, PUBLIC)
    spaces = next(event.args["spaces"] for event in told if event.code == "start")
    tokens = game.scene(game.view(state, PUBLIC)).tokens
    assert spaces == {token.place: token.side for token in tokens}
    assert len(spaces) == 20
