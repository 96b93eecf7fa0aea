"""The interface, tested on states made by hand: who acts, what is drawn, how a match ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, IllegalActionError, State
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.game import ConquestGame
from gonfalon.games.conquest.tests.states import BLUE, GREEN, OCHRE, RED, battle, blank, drafted, leave, slot

PLAYERS = {"conquest": 4, "conquest-three": 3, "conquest-two": 2, "conquest-narrows": 2}


def game_of(variant: str = "conquest", **switches: Any) -> ConquestGame:
    game = gonfalon.make(variant, **switches)
    assert isinstance(game, ConquestGame)
    return game


@pytest.fixture(scope="module")
def game() -> ConquestGame:
    return game_of()


@pytest.mark.parametrize("variant", PLAYERS)
def test_the_fact_sheet(variant: str) -> None:
    info = game_of(variant).info
    assert info.players == PLAYERS[variant]
    assert info.sides == g.SIDES[: info.players]
    assert info.chance
    assert (info.family, info.variant) == ("conquest", variant)


def test_the_longest_match_depends_on_the_rounds() -> None:
    assert game_of(max_rounds=10).info.longest < game_of().info.longest


# ---- who acts


@pytest.mark.parametrize("phase", [g.STARTING, g.DRAW, g.UNIT])
def test_chance_acts_alone(game: ConquestGame, phase: int) -> None:
    assert game.to_act(battle(phase=phase)) == (CHANCE,)


def test_all_deploy_at_the_same_time(game: ConquestGame) -> None:
    state = drafted()
    assert game.to_act(state) == (RED, BLUE, GREEN, OCHRE)
    state["placed"][0] = (18, 0, 7, 17)
    state["out"][0][OCHRE] = g.RESIGNED
    assert game.to_act(state) == (BLUE, GREEN)


def test_the_mover_acts(game: ConquestGame) -> None:
    state = battle()
    state["mover"] = GREEN
    assert game.to_act(state) == (GREEN,)
    state["phase"] = g.OVER
    assert game.to_act(state) == ()


# ---- open choices


def test_a_deployment_is_open_until_it_is_whole(game: ConquestGame) -> None:
    state = drafted()
    state["placed"][0] = (0, 1, 18, 17)
    assert [game.is_open(state, player) for player in range(4)] == [False, True, False, True]


@pytest.mark.parametrize(
    ("phase", "card", "opened"),
    [
        (g.AIM, g.REGROUP, True),
        (g.AIM, g.NEW_MASTER, True),
        (g.AIM, g.TRAITOR, True),
        (g.AIM, g.REINFORCEMENTS, False),
        (g.AIM, g.SURPRISE, False),
        (g.ORDER, g.REGROUP, True),
        (g.GUESS, g.TRAITOR, True),
        (g.RAISE, g.NONE, False),
        (g.CARD, g.NONE, False),
        (g.MOVE, g.NONE, False),
    ],
)
def test_a_card_is_open_until_it_is_carried_out(game: ConquestGame, phase: int, card: int, opened: bool) -> None:
    state = battle(phase=phase)
    state["playing"] = card
    assert game.is_open(state, RED) is opened
    assert not any(game.is_open(state, player) for player in (BLUE, 4, CHANCE, PUBLIC))


# ---- chance


def chances(game: ConquestGame, state: State) -> dict[str, float]:
    actions, odds = game.chance_outcomes(state)
    view = game.view(state, EVERYTHING)
    return {game.action_text(view, a): odd for a, odd in zip(actions.tolist(), odds.tolist(), strict=True)}


def test_the_start_is_drawn_from_the_full_bag(game: ConquestGame) -> None:
    drawn = chances(game, game.initial_state())
    assert drawn["start king"] == pytest.approx(1 / 18)
    assert drawn["start scout"] == pytest.approx(4 / 18)
    assert sum(drawn.values()) == pytest.approx(1)


def test_the_traitor_is_drawn_last(game: ConquestGame) -> None:
    state = battle(phase=g.DRAW)
    state["due"] = 1
    drawn = chances(game, state)
    assert drawn["draw blitz"] == pytest.approx(13 / 41)
    assert "draw traitor" not in drawn
    state["traitor_last"] = 0
    assert chances(game, state)["draw traitor"] == pytest.approx(1 / 42)
    state["traitor_last"], state["pile"] = 1, np.eye(g.CARDS, dtype=np.uint8)[g.TRAITOR]
    assert chances(game, state) == {"draw traitor": 1}


def test_a_unit_is_drawn_from_the_own_reserve(game: ConquestGame) -> None:
    state = battle(phase=g.UNIT)
    state["playing"] = g.SURPRISE
    for unit in ("K", "S", 13, 9):
        leave(state, slot(RED, unit))
    leave(state, slot(BLUE, "9"))
    drawn = chances(game, state)
    assert drawn == {"unit scout": 0.5, "unit sorceress": 0.25, "unit king": 0.25}


@pytest.mark.parametrize("phase", [g.CARD, g.MOVE, g.OVER])
def test_nothing_is_drawn_at_other_times(game: ConquestGame, phase: int) -> None:
    actions, odds = game.chance_outcomes(battle(phase=phase))
    assert (len(actions), len(odds)) == (0, 0)


# ---- the end


def over(players: int, termination: int, winner: int = g.NONE) -> State:
    state = battle(players, phase=g.OVER)
    state["over"], state["winner"] = termination, winner
    return state


def test_the_winner_wins_and_all_others_lose(game: ConquestGame) -> None:
    outcome = game.outcome(over(4, g.BY_FLAGS, GREEN))
    assert outcome is not None
    assert outcome.returns == pytest.approx((-1 / 3, -1 / 3, 1, -1 / 3))
    assert outcome.reason == "flags"


@pytest.mark.parametrize(
    ("holder", "returns"),
    [
        ((0, 1, 2, 3), (0, 0, 0, 0)),
        ((0, 1, 0, 3), (1 / 9, 1 / 9, -1 / 3, 1 / 9)),
        ((0, 1, 0, g.NONE), (1 / 3, 1 / 3, -1 / 3, -1 / 3)),
    ],
)
def test_a_draw_is_shared_by_those_with_a_flag(
    game: ConquestGame, holder: tuple[int, ...], returns: tuple[float, ...]
) -> None:
    state = over(4, g.BY_QUIET)
    state["holder"][0] = holder
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.returns == pytest.approx(returns)
    assert outcome.reason == "quiet"


def test_a_draw_of_two_is_nothing() -> None:
    outcome = game_of("conquest-two").outcome(over(2, g.BY_AGREEMENT))
    assert outcome is not None
    assert outcome.returns == (0, 0)


def test_there_is_no_outcome_before(game: ConquestGame) -> None:
    assert game.outcome(battle()) is None


def test_who_can_resign_and_agree(game: ConquestGame) -> None:
    with pytest.raises(ValueError, match="over"):
        game.withdraw(over(4, g.BY_QUIET), RED)
    with pytest.raises(ValueError, match="no player"):
        game.withdraw(battle(), 4)
    state = battle()
    state["out"][0][BLUE] = g.RESIGNED
    with pytest.raises(ValueError, match="already"):
        game.withdraw(state, BLUE)
    for wrong in (blank(), drafted(), over(4, g.BY_QUIET)):
        with pytest.raises(ValueError, match="draw"):
            game.agree_draw(wrong)


def test_nothing_changes_the_state_it_is_given(game: ConquestGame) -> None:
    state = game.initial_state()
    before = state.tobytes()
    game.apply(state, CHANCE, int(game.chance_outcomes(state)[0][0]))
    game.withdraw(state, RED)
    assert state.tobytes() == before == game.initial_state().tobytes()


@pytest.mark.parametrize("player", [RED, CHANCE, PUBLIC, EVERYTHING, 4])
def test_what_is_not_possible_is_refused(game: ConquestGame, player: int) -> None:
    for action in (-1, g.ACTIONS, 2**40, g.ACT_MOVE):
        with pytest.raises(IllegalActionError):
            game.apply(game.initial_state(), player, action)
