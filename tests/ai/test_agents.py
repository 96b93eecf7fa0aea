"""Computer players finish matches of every variant, by the rules, knowing only their own view."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gonfalon
from gonfalon import games
from gonfalon.ai import Asker, Question, agents
from gonfalon.ai.agent import play_on
from gonfalon.ai.arena.matches import Pace, play
from gonfalon.ai.arena.plan import Plan, list_fixtures
from gonfalon.ai.arena.staff import play_fixture
from gonfalon.ai.greedy import _Lines
from gonfalon.engine.chance import draw_all
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.view import View

VARIANTS = tuple(gonfalon.variants())
SECONDS = {"random": 1.0, "greedy": 1.0, "level-1": 0.05, "level-4": 0.02, "level-8": 0.02}
"""Seconds for a decision of the agents that play whole matches here; the levels differ only in numbers, so three of
them are enough.
"""
QUICK = ("random", "greedy")
"""Agents that do not look at the clock, so that the same question always gets the same answer."""


def ask(name: str, game: Game, view: View, rng: np.random.Generator) -> list[int]:
    """Return the answer of a new agent that has received no events."""
    return agents()[name]().act(game, Question(view, (), 1.0), rng)


@cache
def game_of(variant: str) -> Game:
    return gonfalon.make(variant)


@cache
def short_game(variant: str) -> Game:
    """Return the game of a variant, with a house rule that ends long matches early."""
    limits = {"max_turns": 80, "max_rounds": 40}
    switches = {switch.name for switch in games.ruleset(variant).switches}
    return gonfalon.make(variant, **{name: most for name, most in limits.items() if name in switches})


def positions(game: Game, seed: int, steps: int) -> list[State]:
    """Return states of a random match in which a player decides. Arrangements before them are sensible ones."""
    rng = np.random.default_rng(seed)
    state = draw_all(game, game.initial_state(), rng)
    found = []
    while (actors := game.to_act(state)) and len(found) < steps:
        view = game.view(state, actors[0])
        found.append(state)
        if game.standing(view).deploys:
            for action in game.sensible_deployment(view, rng):
                state = game.apply(state, actors[0], int(action))
        else:
            state = game.apply(state, actors[0], int(rng.choice(game.legal_actions(state, actors[0]))))
        state = draw_all(game, state, rng)
    return found


def test_agents_are_found_by_themselves() -> None:
    assert {"random", "greedy", *(f"level-{number}" for number in range(1, 9))} == set(agents())
    assert all(maker().name == name for name, maker in agents().items())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SECONDS)
def test_whole_matches(name: str, variant: str) -> None:
    game = short_game(variant)
    played = play(game, {player: agents()[name]() for player in range(game.info.players)}, Pace(SECONDS[name]), (1,))
    assert not played.failed
    assert len(played.returns) == game.info.players
    assert abs(sum(played.returns)) < 1e-12


class Listener:
    """An agent that plays at random and stores all its questions."""

    name = "listener"

    def __init__(self) -> None:
        self.heard: list[Event] = []
        self.seconds: set[float] = set()

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        self.heard += question.events
        self.seconds.add(question.seconds)
        return agents()["random"]().act(game, question, rng)


@pytest.mark.parametrize("variant", VARIANTS)
def test_agents_are_told_what_their_players_are_told(variant: str) -> None:
    """An agent gets every event that its own player may see, once and in order; a new agent gets all earlier ones
    too.
    """
    game, rng = short_game(variant), np.random.default_rng(7)
    listeners = {player: Listener() for player in range(game.info.players)}
    asker, late = Asker(game, listeners, 0.25), Asker(game, {1: (newcomer := Listener())}, 0.25)
    told: dict[int, list[Event]] = {player: [] for player in listeners}
    for before, player, action, after in play_on(game, asker, rng):
        if player == 1 and not newcomer.heard and game.standing(game.view(before, 1)).started:
            late.ask(1, before, rng)
            assert newcomer.heard == told[1]
        if player >= 0 and not game.is_open(before, player):
            assert listeners[player].heard == told[player]
        late.note(action, after)
        for observer in told:
            told[observer] += game.events(action, after, observer)
    assert newcomer.heard
    assert told[0] != told[1]
    assert all(listener.seconds == {0.25} for listener in listeners.values())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", QUICK)
def test_the_view_alone_decides(name: str, variant: str) -> None:
    """With the same generator the agent gives the same answer in another world that has the same view."""
    game = game_of(variant)
    for i, state in enumerate(positions(game, seed=1, steps=60)[::6]):
        player = game.to_act(state)[0]
        view = game.view(state, player)
        other = game.view(game.resample(view, np.random.default_rng(i)), player)
        assert other.tobytes() == view.tobytes()
        first, second = (ask(name, game, v, np.random.default_rng(i)) for v in (view, other))
        assert first == second


@pytest.mark.parametrize("variant", VARIANTS)
def test_greedy_looks_at_answers_once_all_is_drawn_and_arranged(variant: str) -> None:
    """Otherwise an action that is followed by a draw and an arrangement would seem to have no answer."""
    game, rng, unfinished = game_of(variant), np.random.default_rng(4), 0
    lines = _Lines(game, rng)
    for _ in range(6):
        state = draw_all(game, game.initial_state(), rng)
        for _ in range(60):
            if not (actors := game.to_act(state)):
                break
            player = actors[0]
            view = game.view(state, player)
            legal = [] if game.standing(view).deploys else game.legal_actions(state, player)
            for action in legal[:: 1 + len(legal) // 12]:
                after = game.apply(state, player, int(action))
                unfinished += game.to_act(after) == (CHANCE,)
                ready = lines.finish_arranging(after, player)
                assert game.to_act(ready) != (CHANCE,)
                assert game.to_act(ready) != (player,) or not game.standing(game.view(ready, player)).deploys
            for action in ask("random", game, view, rng):
                state = game.apply(state, player, action)
            state = draw_all(game, state, rng)
    assert unfinished or not game.info.chance


@pytest.mark.parametrize("variant", VARIANTS)
def test_scores_are_what_evaluate_says(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(6)
    lines = _Lines(game, rng)
    for state in positions(game, seed=6, steps=60)[::4]:
        mover, before = game.to_act(state)[0], state.tobytes()
        legal = game.legal_actions(state, mover)
        for player in range(game.info.players):
            found = lines.score(state, mover, legal, player)
            assert found.tolist() == [game.evaluate(game.apply(state, mover, int(a)), player) for a in legal]
        assert state.tobytes() == before


@pytest.mark.parametrize("name", agents())
def test_who_cannot_act_is_told_so(name: str) -> None:
    game = game_of(VARIANTS[0])
    state = game.withdraw(game.initial_state(), 0)
    with pytest.raises(ValueError, match="cannot act"):
        ask(name, game, game.view(state, 1), np.random.default_rng(0))


@pytest.mark.parametrize("variant", VARIANTS)
def test_greedy_deploys_differently_each_time(variant: str) -> None:
    game = game_of(variant)
    state = draw_all(game, game.initial_state(), np.random.default_rng(3))
    view = game.view(state, game.to_act(state)[0])
    deployments = {tuple(ask("greedy", game, view, np.random.default_rng(seed))) for seed in range(8)}
    assert len(deployments) >= 3


def count_wins(variant: str, matches: int) -> int:
    """Return the number of matches that `greedy` wins against one or more `random` opponents."""
    game, plan = game_of(variant), Plan(variant, {}, ("greedy", "random"), 1000, 0, "own", 60)
    fixtures = list_fixtures(plan.meetings, game.info.players, matches)
    return sum(play_fixture(plan, game, fixture)[0].points == 1 for fixture in fixtures)


@pytest.mark.parametrize("variant", ["duel", "barrage", "cardgame", "conquest-narrows"])
def test_greedy_beats_random(variant: str) -> None:
    """A small sample of matches; `gonfalon arena` plays larger ones."""
    assert count_wins(variant, matches=8) >= 7


def test_greedy_beats_three_at_random() -> None:
    assert count_wins("conquest", matches=4) >= 3
