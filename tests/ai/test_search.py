"""Searches and beliefs of every variant: worlds agree with what the player knows, decisions are legal and in time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import gonfalon
from gonfalon.ai import Question, agents
from gonfalon.engine.chance import draw_all
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, State
from gonfalon.engine.search import Mind, Option, merge, search_together
from gonfalon.engine.view import View

VARIANTS = tuple(gonfalon.variants())
FAMILIES = ("barrage", "special", "cardgame", "conquest-two")
"""One variant for each kind of search, and one with powers."""
ENDLESS = 600.0
"""More seconds than any search here needs: each search ends by its depth and number of worlds, so its result is always
the same.
"""


def decisions(game: Game, seed: int, steps: int) -> Iterator[tuple[State, int, list[Event]]]:
    """Yield states of a random match, the player who decides, and that player's events so far. Arrangements are
    sensible ones.
    """
    rng = np.random.default_rng(seed)
    told: dict[int, list[Event]] = {player: [] for player in range(game.info.players)}
    state = draw_all(game, game.initial_state(), rng)
    for _ in range(steps):
        if not (actors := game.to_act(state)):
            return
        player = actors[0]
        view = game.view(state, player)
        if game.standing(view).deploys:
            actions = game.sensible_deployment(view, rng).tolist()
        else:
            yield state, player, told[player]
            actions = [int(rng.choice(game.legal_actions(state, player)))]
        for action in actions:
            state = game.apply(state, player, action)
            for observer, events in told.items():
                events.extend(game.events(action, state, observer))
        state = draw_all(game, state, rng)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("insight", [0.0, 0.5, 1.0])
def test_worlds_fit_what_the_player_knows(variant: str, insight: float) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(2)
    for state, player, told in decisions(game, seed=5, steps=120):
        view = game.view(state, player)
        worlds = game.sample_worlds(view, told, Mind(seconds=1, insight=insight), 3, rng)
        assert len(worlds) == 3
        for k in range(3):
            assert game.view(worlds[k : k + 1], player).tobytes() == view.tobytes()


@pytest.mark.parametrize("variant", VARIANTS)
def test_who_forgets_still_decides(variant: str) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(3)
    for state, player, told in list(decisions(game, seed=6, steps=120))[::5]:
        view = game.view(state, player)
        options = game.search(view, told, Mind(seconds=0.02, depth=1, worlds=2, memory=0.0, insight=0.0), rng)
        assert all(option.actions[0] in view.legal for option in options)


@pytest.mark.parametrize("depth", [1, 64])
@pytest.mark.parametrize("variant", VARIANTS)
def test_options_are_legal_and_ranked(variant: str, depth: int) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(4)
    for state, player, told in list(decisions(game, seed=7, steps=120))[::8]:
        options = game.search(game.view(state, player), told, Mind(seconds=0.03, depth=depth), rng)
        assert options
        assert all(-1 <= option.value <= 1 for option in options)
        assert [option.value for option in options] == sorted((option.value for option in options), reverse=True)
        for option in options:
            after = state
            for action in option.actions:
                after = game.apply(after, player, action)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_view_alone_decides(variant: str) -> None:
    """The search gives the same result in another world that has the same view."""
    game, mind = gonfalon.make(variant), Mind(seconds=ENDLESS, depth=1, worlds=3)
    for i, (state, player, told) in enumerate(list(decisions(game, seed=1, steps=80))[::10]):
        view = game.view(state, player)
        other = game.view(game.resample(view, np.random.default_rng(i)), player)
        first, second = (game.search(v, told, mind, np.random.default_rng(i)) for v in (view, other))
        assert first == second


@pytest.mark.parametrize("variant", FAMILIES)
def test_searches_at_once_find_what_they_find_one_after_the_other(variant: str) -> None:
    """Searches in threads do not disturb each other: there is nothing that both write to."""
    game, mind = gonfalon.make(variant), Mind(seconds=ENDLESS, depth=2, worlds=6)
    for i, (state, player, told) in enumerate(list(decisions(game, seed=9, steps=90))[::15]):
        search = partial(game.search, game.view(state, player), told, mind)
        alone = [search(rng) for rng in np.random.default_rng(i).spawn(3)]
        assert search_together(search, 3, np.random.default_rng(i)) == merge(alone)


def test_what_more_searches_name_comes_first_by_the_mean_of_its_values() -> None:
    first = (Option((1,), 0.75), Option((2, 5), 0.5), Option((3,), 0.25))
    second = (Option((4,), 1.0), Option((2, 5), 0.75), Option((1,), 0.0))
    merged = merge([first, second])
    assert merged == (Option((2, 5), 0.625), Option((1,), 0.375), Option((4,), 1.0), Option((3,), 0.25))


@pytest.mark.parametrize(("level", "given", "searches"), [(8, 2, 2), (8, 1, 1), (8, 400, 16), (4, 2, 1)])
def test_the_highest_level_uses_the_cores_that_it_is_given(
    level: int, given: int, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = gonfalon.make("barrage"), list[Mind]()
    state, player, told = next(decisions(game, seed=8, steps=60))

    def note(_game: Game, view: View, _told: list[Event], mind: Mind, _rng: np.random.Generator) -> tuple[Option, ...]:
        asked.append(mind)
        return (Option((int(view.legal[0]),), 0.0),)

    monkeypatch.setattr(type(game), "search", note)
    question = Question(game.view(state, player), tuple(told), 0.05, cores=given)
    agents()[f"level-{level}"]().act(game, question, np.random.default_rng(0))
    assert len(asked) == searches


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_new_agent_goes_on(variant: str) -> None:
    """An agent that gets all events at once decides as well as one that got them during the match."""
    game = gonfalon.make(variant)
    *_, (state, player, told) = decisions(game, seed=8, steps=60)
    question = Question(game.view(state, player), tuple(told), 0.05)
    actions = agents()["level-8"]().act(game, question, np.random.default_rng(0))
    assert actions[0] in question.view.legal
