"""The search and the belief: legal answers in all phases and with any time, worlds that agree with the view, and known
lessons.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from gonfalon.engine.chance import draw
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.story import Story
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, dealt, make, position

QUICK = Mind(seconds=0.004, worlds=8)


def decisions(seed: int, variant: str = "cardgame") -> Iterator[tuple[View, list[Event]]]:
    """Yield each decision of a match with sensible deployments and random acts, and all events that the player has
    seen.
    """
    game, rng = make(variant), np.random.default_rng(seed)
    state = game.initial_state()
    told: tuple[list[Event], list[Event]] = ([], [])
    while actors := game.to_act(state):
        player, actions = actors[0], []
        if player == CHANCE:
            actions = [draw(game, state, rng)]
        else:
            view = game.view(state, player)
            yield view, list(told[player])
            arranges = view.phase == g.LAY
            actions = game.sensible_deployment(view, rng).tolist() if arranges else [int(rng.choice(view.legal))]
        for action in actions:
            state = game.apply(state, player, action)
            for observer, heard in enumerate(told):
                heard.extend(game.events(action, state, observer))


@pytest.mark.parametrize("variant", ["cardgame", "cardgame-sergeants"])
def test_worlds_of_a_perfect_memory_look_the_same(variant: str) -> None:
    game, rng = make(variant), np.random.default_rng(1)
    for seed in range(6):
        for view, told in decisions(seed, variant):
            for insight in (1.0, 0.5, 0.0):
                worlds = game.sample_worlds(view, told, Mind(seconds=1, insight=insight), 3, rng)
                assert len(worlds) == 3
                for k in range(3):
                    assert game.view(worlds[k : k + 1], view.observer).tobytes() == view.tobytes()


def test_worlds_while_the_other_is_to_act() -> None:
    game, rng = make(), np.random.default_rng(2)
    state = position("7 B B . .", "B B 4 F .", red_hand="F53", blue_hand="253", phase="act blue").state
    view = game.view(state, RED)
    worlds = game.sample_worlds(view, (), Mind(seconds=1), 40, rng)
    assert all(game.view(worlds[k : k + 1], RED).tobytes() == view.tobytes() for k in range(40))
    assert all(game.to_act(worlds[k : k + 1]) == (BLUE,) for k in range(40))


def test_the_search_answers_legally_in_every_phase_and_any_time() -> None:
    """The search refuses arrangements, for which there is `plan_deployment`."""
    game, rng = make(), np.random.default_rng(3)
    minds = (QUICK, Mind(seconds=1e-6), Mind(seconds=0.003, depth=1, worlds=1, memory=0.0, insight=0.0, bluffs=False))
    for number, (view, told) in enumerate(decisions(4)):
        if game.standing(view).arranges:
            with pytest.raises(ValueError, match="plan_deployment"):
                game.search(view, told, minds[number % 3], rng)
            continue
        options = game.search(view, told, minds[number % 3], rng)
        assert options
        assert [option.value for option in options] == sorted((option.value for option in options), reverse=True)
        for option in options[:3]:
            state = game.resample(view, rng)
            for action in option.actions:
                state = game.apply(state, view.observer, action)
            assert not game.is_open(state, view.observer)


def test_the_search_keeps_to_its_time() -> None:
    game, rng = make(), np.random.default_rng(5)
    found = [view for view, _ in decisions(6) if view.phase == g.ACT]
    game.search(found[0], (), QUICK, rng)
    for view in found[:20]:
        begin = time.thread_time()  # processor time, so that other programs on the machine do not count
        game.search(view, (), Mind(seconds=0.05, worlds=1000), rng)
        assert time.thread_time() - begin < 0.06


def test_a_search_for_who_cannot_act_is_refused() -> None:
    place = position("7 4 2 B 3", "5 6 3 B 2", red_hand="F52", blue_hand="F43")
    with pytest.raises(ValueError, match="cannot act"):
        place.game.search(place.game.view(place.state, BLUE), (), QUICK, np.random.default_rng(1))


def best(place: Position, mind: Mind | None = None) -> str:
    game, view = place.game, place.game.view(place.state, RED)
    option = game.search(view, (), mind or Mind(seconds=0.2, worlds=200), np.random.default_rng(7))[0]
    return game.action_text(view, option.actions[0])


def test_lessons() -> None:
    ending = position("S 4 B B B", "B! M! B! F B", red_hand="F", blue_hand="-", red_pile="-", blue_pile="-")
    assert best(ending) == "r1xb2"
    assert best(position("4! 2! 5 B 3", "5 F? 3 B 2", red_hand="F52", blue_hand="642")) in {
        f"r{k}xb2" for k in (1, 2, 3, 5)
    }
    assert best(position("4 2 F! B 3", "5 6 3 4 2", red_hand="652", blue_hand="F43")) == "r3~"


def test_acts_that_come_to_the_same_are_worth_the_same() -> None:
    """An analysis finds each of the equal acts, not one of them at random."""
    place = position("4 2 9 B 3", "7? M? 3 4 2", red_hand="652", blue_hand="F43")
    game, view = place.game, place.game.view(place.state, RED)
    options = game.search(view, (), Mind(seconds=0.05, worlds=4), np.random.default_rng(1))
    assert sorted(option.actions[0] for option in options) == view.legal.tolist()
    values = {game.action_text(view, option.actions[0]): option.value for option in options}
    unknown = [values[f"r1xb{k}"] for k in (3, 4, 5)]
    assert len(set(unknown)) == 1
    assert len(set(values.values())) > 1


def test_a_forgetful_player_forgets_what_he_saw_but_not_the_last_act() -> None:
    place = position("4 2 9 B 3", "7? M? 3 4 2", red_hand="652", blue_hand="F43", lines="last r2?b1+b5")
    game, view = place.game, place.game.view(place.state, RED)
    worlds = game.sample_worlds(view, (), Mind(seconds=1, memory=0.0), 60, np.random.default_rng(1))
    assert set(worlds["kind"][:, 13].tolist()) == {7}
    assert len(set(worlds["kind"][:, 14].tolist())) > 3
    assert set(worlds["known"][:, RED, 14].tolist()) == {0}


@pytest.mark.parametrize("seed", [9, 84])  # in these matches the last act involves one of the cards known together
@pytest.mark.parametrize("memory", [0.0, 0.5])
def test_what_is_known_of_cards_together_is_forgotten_of_all_or_none(seed: int, memory: float) -> None:
    game, rng = make(), np.random.default_rng(2)
    for view, told in decisions(seed):
        assert len(game.sample_worlds(view, told, Mind(seconds=1, memory=memory, insight=0.0), 2, rng)) == 2


def test_the_story_counts_what_was_left_undone() -> None:
    for view, told in decisions(8):
        story, side = Story.of(view.observer, told), view.observer
        own = slice(side * g.SIDE_PLACES, side * g.SIDE_PLACES + g.LINE)
        if view.phase == g.ACT:
            shown = {int(kind) for kind, mark in zip(view.kind[own], view.marks[own], strict=True) if mark == g.SEEN}
            movable = {kind for kind in shown if kind and kind < g.BOMB}
            expected = g.FLAG if g.FLAG in shown else max(movable, default=g.BOMB if g.BOMB in shown else 0)
            assert story.context() == expected
            assert story.stayed.sum(axis=1).max() <= view.turn


def test_sensible_lines_keep_the_flag_and_vary() -> None:
    game, rng = make(), np.random.default_rng(9)
    view = game.view(dealt(red="FB742356").state, RED)
    lines = {tuple(game.sensible_deployment(view, rng).tolist()) for _ in range(60)}
    assert all(g.ACT_LAY + g.FLAG not in line for line in lines)
    assert len(lines) > 20
