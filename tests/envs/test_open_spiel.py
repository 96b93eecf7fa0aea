"""OpenSpiel's own random simulation of every variant, and what it does not look at."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import gonfalon

if not os.environ.get("CI"):  # the extra is in the lock, so that a run without it would test nothing
    pytest.importorskip("pyspiel", reason="needs the extra open-spiel")

import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

from gonfalon.envs import open_spiel

SHORT = {"duel": "max_turns=30", "barrage": "max_turns=30", "original": "max_turns=30", "classic": "max_turns=30"}
SHORT |= {"special": "max_turns=30", "duel-10x10": "max_turns=30"}


def load(variant: str) -> open_spiel.MatchGame:
    """Return a variant whose random matches are short."""
    rules = SHORT.get(variant, "max_rounds=10" if variant.startswith("conquest") else "")
    return pyspiel.load_game(f"{open_spiel.name_of(variant)}({rules})")


@pytest.mark.parametrize("variant", gonfalon.variants(unlisted=True))
def test_random_simulation(variant: str) -> None:
    pyspiel.random_sim_test(load(variant), num_sims=1, serialize=variant == "tiny", verbose=False)


def test_variants_of_ones_own_can_be_registered(tmp_path: Path) -> None:
    """Their names have a hash of the rules, so that two of one name are two games."""
    path, names = tmp_path / "small.toml", []
    for turns in (10, 20):
        path.write_text(
            f'inherits = "grid-6x6"\nboard = "3x3"\narmy = "3x3"\ndeploy_rows = 1\nswitches.max_turns = {turns}\n'
        )
        names.append(open_spiel.register_variant(path))
        assert names[-1].startswith("gonfalon_small_")
        assert open_spiel.register_variant(str(path)) == names[-1]
        pyspiel.random_sim_test(
            pyspiel.load_game(f"{names[-1]}(rescue=true)"), num_sims=1, serialize=True, verbose=False
        )
    assert len(set(names)) == 2


@pytest.mark.parametrize(("variant", "moves"), [("duel", 1000), ("cardgame", 60), ("tiny", 3)])
def test_states_are_serialized(variant: str, moves: int) -> None:
    game = pyspiel.load_game(open_spiel.name_of(variant))
    state = play(game, moves)
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    for again in (read, pickle.loads(pickle.dumps(state))):
        assert str(again) == str(state)
        assert again.history() == state.history()
        assert again.information_state_string(0) == state.information_state_string(0)
        assert again.legal_actions() == state.legal_actions()
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


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


RETRACED = [("tiny", 3), ("duel", 60), ("barrage", 120), ("original", 150), ("special", 120)]
"""Variants with a number of actions after which pieces are hidden."""


def play_to_decision(variant: str, most: int) -> open_spiel.MatchState:
    """Return a state of a random match after `most` actions, in which a player decides."""
    game = pyspiel.load_game(open_spiel.name_of(variant))
    for seed in range(100):
        state = play(game, most, seed)
        if state.is_player_node():
            return state
    raise AssertionError(variant)


@pytest.mark.parametrize(("variant", "most"), [*RETRACED, ("cardgame", 40), ("conquest-two", 150)])
def test_a_resampled_state_keeps_what_the_player_knows(variant: str, most: int) -> None:
    state = play_to_decision(variant, most)
    player = state.current_player()
    draws = np.random.default_rng(4)
    others = set()
    for _ in range(20):
        sampled = state.resample_from_infostate(player, draws.random)
        assert sampled.information_state_string(player) == state.information_state_string(player)
        assert sampled.information_state_hash(player) == state.information_state_hash(player)
        assert sampled.observation_string(player) == state.observation_string(player)
        assert sampled.legal_actions() == state.legal_actions()
        others.add(sampled.information_state_string(1 - player))
    assert len(others) > 1


@pytest.mark.parametrize(("variant", "most"), RETRACED)
def test_the_history_of_a_resampled_state_leads_to_it(variant: str, most: int) -> None:
    state, draws = play_to_decision(variant, most), np.random.default_rng(4)
    game = state.get_game()
    for _ in range(10):
        sampled = state.resample_from_infostate(state.current_player(), draws.random)
        assert len(sampled.history()) == len(state.history())
        again = game.new_initial_state()
        for action in sampled.history():
            again.apply_action(action)
        assert str(again) == str(sampled)
        assert again.information_state_string(0) == sampled.information_state_string(0)
        assert again.information_state_string(1) == sampled.information_state_string(1)


@pytest.mark.parametrize(("variant", "most"), [*RETRACED, ("cardgame", 40), ("conquest-two", 150)])
def test_resampling_depends_only_on_what_the_player_knows(variant: str, most: int) -> None:
    """From two states that the player cannot tell apart, equal random numbers give equal resampled states."""
    state, draws = play_to_decision(variant, most), np.random.default_rng(4)
    player = state.current_player()
    for point in (0.1, 0.5, 0.9):
        other = state.resample_from_infostate(player, draws.random)
        one, two = (each.resample_from_infostate(player, lambda: point) for each in (state, other))  # noqa: B023
        assert one.history() == two.history()
        assert str(one) == str(two)
        for observer in range(one.num_players()):
            assert one.information_state_string(observer) == two.information_state_string(observer)


@pytest.mark.parametrize(("variant", "most"), [("cardgame", 40), ("conquest-two", 150)])
def test_nothing_of_the_true_match_is_in_a_state_without_a_history(variant: str, most: int) -> None:
    state, draws = play_to_decision(variant, most), np.random.default_rng(4)
    player = state.current_player()
    for _ in range(10):
        sampled = state.resample_from_infostate(player, draws.random)
        assert sampled.history() == []
        assert len(sampled.information_state_string(1 - player).splitlines()) == 1
        assert str(pickle.loads(pickle.dumps(sampled))) == str(sampled)


def test_an_opponents_hidden_choice_leaves_no_history() -> None:
    """After a Rescue only the rescuer knows which piece came back, so the true history must not show it."""
    game, draws = pyspiel.load_game("gonfalon_original(rescue=True)"), np.random.default_rng(4)
    seen = set()
    for seed in range(40):
        state = play(game, 1200, seed)
        if state.is_terminal():
            continue
        rescues = state.position["rescues"][0]
        for player in range(2):
            sampled = state.resample_from_infostate(player, draws.random)
            assert bool(sampled.history()) == (not rescues[1 - player])
            seen.add(bool(sampled.history()))
        if len(seen) == 2:
            return
    raise AssertionError(f"only {seen}")


def test_information_states_have_a_tensor_in_short_games() -> None:
    assert not pyspiel.load_game("gonfalon_barrage").get_type().provides_information_state_tensor
    game = pyspiel.load_game("gonfalon_barrage(max_turns=100)")
    assert game.get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    tiny = pyspiel.load_game("gonfalon_tiny")
    of: dict[str, bytes] = {}
    for seed in range(200):
        state = play(tiny, 2 + seed % 4, seed)
        for player in range(2):
            tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
            assert of.setdefault(state.information_state_string(player), tensor) == tensor
    assert len(of) > 50
    assert len(set(of.values())) == len(of)


def test_public_and_private_observations() -> None:
    game = load("original")
    state, other = (play(game, 80, seed) for seed in (1, 2))
    kinds, types = pyspiel.PrivateInfoType, pyspiel.IIGObservationType
    wanted = {"public": (True, kinds.NONE), "private": (False, kinds.SINGLE_PLAYER)}
    wanted |= {"own": (True, kinds.SINGLE_PLAYER), "nothing": (False, kinds.NONE)}
    of = {
        name: types(perfect_recall=False, public_info=public, private_info=private)
        for name, (public, private) in wanted.items()
    }
    text = {name: make_observation(game, kind).string_from(state, 0) for name, kind in of.items()}
    assert text["public"] == make_observation(game, of["public"]).string_from(other, 0), "deployments are hidden"
    assert "face" in text["own"]
    assert json.loads(text["nothing"]) == {}
    for token in json.loads(text["private"])["tokens"]:
        assert token["side"] == "red"
        assert token not in json.loads(text["public"])["tokens"]
        assert token in json.loads(text["own"])["tokens"]
    private = types(perfect_recall=True, public_info=False, private_info=kinds.SINGLE_PLAYER)
    recalled = make_observation(game, private)
    lines = recalled.string_from(state, 0).splitlines()
    assert sum(line.startswith("placed") for line in lines) == 40
    assert recalled.tensor is None
    full = types(perfect_recall=True, public_info=True, private_info=kinds.ALL_PLAYERS)
    everything = make_observation(game, full).string_from(state, 0)
    assert sum(line.startswith("placed") for line in everything.splitlines()) == 80


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


@pytest.mark.parametrize("variant", ["tiny", "duel", "cardgame"])
def test_their_bot_plays_ours(variant: str) -> None:
    game = load(variant)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    theirs = ismcts.ISMCTSBot(game, evaluator, 1.4, 3, random_state=np.random.RandomState(1))
    assert sum(play_bots(game, [open_spiel.AgentBot(game, 0, "greedy"), theirs])) == 0


@pytest.mark.parametrize(
    ("variant", "agent"), [("barrage", "level-1"), ("tiny", "level-8"), ("conquest-two", "random")]
)
def test_our_agents_play_as_their_bots(variant: str, agent: str) -> None:
    game = load(variant)
    bots = [open_spiel.AgentBot(game, player, agent, seconds=0.01, seed=player) for player in range(2)]
    assert sum(play_bots(game, bots)) == pytest.approx(0)
