"""Whether the enemy strikes at what may be a Bomb, and what the search makes of it."""

from __future__ import annotations

import numpy as np

import gonfalon
from gonfalon.engine.events import Event
from gonfalon.engine.search import Mind
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.dares import STRIKES, is_daring
from gonfalon.games.grid.tests.diagrams import BLUE, RED
from gonfalon.games.grid.tests.test_search import HUNTER_BESIDE, WITHOUT_HURRY
from gonfalon.games.grid.text.notation import SQUARE_NAMES, move_squares


def test_who_strikes_often_at_what_never_moved_is_daring() -> None:
    game, rng = gonfalon.make("original"), np.random.default_rng(1)
    state, told, strikes = game.initial_state(), list[Event](), 0
    while game.outcome(state) is None:
        player = game.to_act(state)[0]
        view = game.view(state, player)
        action = int(rng.choice(view.legal))
        if player == BLUE and action < g.ACT_DEPLOY:
            begin, end = move_squares(action)
            board, marks = state["board"][0], state["marks"][0]
            fresh = board[end] != g.EMPTY and not marks[end] & (g.MOVED | g.SEEN)
            strikes += bool(fresh) and board[begin] & g.TYPE > g.MINER
        after = game.apply(state, player, action)
        told.extend(game.events(action, after, RED))
        state = after
        assert is_daring(told, RED) == (strikes >= STRIKES)
    assert strikes >= STRIKES  # in the match of this seed
    assert not is_daring(told[-40:], RED)  # it is not known what had moved before


def test_from_who_is_daring_what_never_moved_flees() -> None:
    """The Major on f4, of whom a General without daring would keep off."""
    game = gonfalon.make("original")
    state = game.parse_state(HUNTER_BESIDE)
    view = game.view(state, RED)
    pieces = {SQUARE_NAMES[k]: int(piece) for k, piece in enumerate(state["board"][0][: g.SQUARES])}
    start = Event("start", {"spaces": {name: "red" for name, piece in pieces.items() if piece & g.RED}})
    strike = {"side": "blue", "from": "f5", "attacker_face": "general", "defender_face": "scout"}
    strikes = [Event("battle-won", {**strike, "space": space}) for space in ("a1", "b1", "c1")]
    mind = Mind(seconds=WITHOUT_HURRY, depth=2, worlds=8)
    choices = [
        game.action_text(view, game.search(view, [start, *told], mind, np.random.default_rng(0))[0].actions[0])
        for told in ([], strikes)
    ]
    assert [choice.startswith("f4") for choice in choices] == [False, True]
