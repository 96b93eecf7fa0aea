"""OpenSpiel's own random simulation of every variant, and matches of its bots and ours."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra open-spiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402 - only if the library is there
from open_spiel.python.observation import make_observation  # noqa: E402

from gonfalon.envs import open_spiel  # noqa: E402

SHORT = {"duel": "max_turns=30", "barrage": "max_turns=30", "original": "max_turns=30", "classic": "max_turns=30"}
SHORT |= {"special": "max_turns=30", "duel-10x10": "max_turns=30"}


def load(variant: str) -> open_spiel.MatchGame:
    """Return a variant whose random matches are short."""
    rules = SHORT.get(variant, "max_rounds=10" if variant.startswith("conquest") else "")
    return pyspiel.load_game(f"{open_spiel.name_of(variant)}({rules})")


@pytest.mark.parametrize("variant", gonfalon.variants())
def test_random_simulation(variant: str) -> None:
    pyspiel.random_sim_test(load(variant), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("variant", ["duel", "cardgame"])
def test_states_are_serialized(variant: str) -> None:
    game = load(variant)
    state = play(game, 60)
    text = pyspiel.serialize_game_and_state(game, state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state)
    assert again.information_state_string(0) == state.information_state_string(0)


def play(game: open_spiel.MatchGame, most: int, seed: int = 1) -> open_spiel.MatchState:
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal() and state.move_number() < most:
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=odds)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def test_house_rules_are_parameters() -> None:
    game = pyspiel.load_game("gonfalon_barrage(max_turns=50,rescue=True)")
    assert game.get_parameters()["rescue"] is True
    assert game.new_initial_state().game.info.ruleset.changed == {"max_turns": 50, "rescue": True}
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("gonfalon_barrage(no_such_switch=True)")


def test_a_deployment_is_in_no_other_information_state() -> None:
    texts = []
    for seed in (1, 2):
        state, rng = load("barrage").new_initial_state(), np.random.default_rng(seed)
        while state.current_player() == 0:
            state.apply_action(int(rng.choice(state.legal_actions())))
        spectator = make_observation(
            load("barrage"), pyspiel.IIGObservationType(False, True, pyspiel.PrivateInfoType.NONE)
        )
        texts.append((state.information_state_string(1), state.observation_string(1), spectator.string_from(state, 0)))
        assert state.information_state_string(0).count("\n") > 20
    assert texts[0] == texts[1]


def test_observations_are_those_of_the_game() -> None:
    game = load("barrage")
    state = play(game, 100)
    planes = state.game.encode(state.game.view(state.position, 1)).planes
    seen = make_observation(game)
    seen.set_from(state, 1)
    assert np.array_equal(seen.dict["planes"], planes)
    assert np.array_equal(seen.tensor, planes.ravel())
    assert np.array_equal(state.observation_tensor(1), planes.ravel())


@pytest.mark.parametrize("variant", ["tiny", "cardgame"])
def test_a_resampled_state_keeps_what_the_player_knows_and_nothing_else(variant: str) -> None:
    most = 40 if variant == "cardgame" else 4
    state = play(load(variant), most)
    while state.is_chance_node():
        most += 1
        state = play(load(variant), most)
    player = state.current_player()
    numbers = iter(np.random.default_rng(4).random(100).tolist())
    others = set()
    for _ in range(20):
        sampled = state.resample_from_infostate(player, lambda: next(numbers))
        assert sampled.information_state_string(player) == state.information_state_string(player)
        assert sampled.legal_actions() == state.legal_actions()
        others.add(sampled.information_state_string(1 - player))
        assert state.information_state_string(1 - player) not in sampled.information_state_string(1 - player)
    assert len(others) > 1


def play_bots(game: open_spiel.MatchGame, bots: list[pyspiel.Bot]) -> list[float]:
    """Let bots play a match; return its returns."""
    state, rng = game.new_initial_state(), np.random.default_rng(1)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=odds)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    returns: list[float] = state.returns()
    return returns


def test_their_bot_plays_ours() -> None:
    game = pyspiel.load_game("gonfalon_tiny")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    theirs = ismcts.ISMCTSBot(game, evaluator, 1.4, 20, random_state=np.random.RandomState(1))
    assert sum(play_bots(game, [open_spiel.AgentBot(game, 0, "greedy"), theirs])) == 0


@pytest.mark.parametrize("variant", ["barrage", "conquest-two"])
def test_our_agents_play_as_their_bots(variant: str) -> None:
    game = load(variant)
    bots = [open_spiel.AgentBot(game, player, "random", seed=player) for player in range(2)]
    assert sum(play_bots(game, bots)) == pytest.approx(0)
