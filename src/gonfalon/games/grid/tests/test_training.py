"""Training from matches, and the search that uses its result."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from deploying import deploy_all
from gonfalon.engine.rulesets.ruleset import read_toml
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.evaluate.learned import LEARNED, read_learned
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.training import Sample, fit_worth, learn

MINER, BOMB, MARSHAL = TYPES.index("miner"), TYPES.index("bomb"), TYPES.index("marshal")
SCALE = 600.0


def make_samples(worth: float, matches: int) -> list[Sample]:
    """Make turns of matches that are won as often as the points predict, with a Miner worth that many more points."""
    rng, samples = np.random.default_rng(1), []
    for match in range(matches):
        more = np.zeros(g.TYPES)
        more[MINER], more[BOMB] = rng.integers(-3, 4), rng.integers(-2, 3)
        points = rng.normal(0.0, 0.3)
        chance = 1 / (1 + np.exp(-3.0 * (points + worth * more[MINER] / SCALE)))
        samples.append(Sample(match, points, SCALE, more, bool(rng.integers(2)), bool(rng.random() < chance)))
    return samples


def test_what_results_say_is_learned() -> None:
    lesson = fit_worth(make_samples(70.0, 6000), np.zeros(g.TYPES))
    found = {each.kind: each for each in lesson.corrections}
    assert set(found) == {MINER, BOMB}
    assert found[MINER].more == pytest.approx(70.0, abs=3 * found[MINER].error)
    assert found[MINER].error < 10.0
    assert abs(found[BOMB].more) < 3 * found[BOMB].error
    assert lesson.after < lesson.before
    assert "miner" in lesson.tell()


def test_what_may_be_chance_changes_nothing() -> None:
    was = np.zeros(g.TYPES)
    was[BOMB] = 40.0
    lesson = fit_worth(make_samples(70.0, 6000), was)
    bomb = next(each for each in lesson.corrections if each.kind == BOMB)
    likely = bomb._replace(more=2.1 * bomb.error)
    assert lesson.find_learned(bomb._replace(more=1.9 * bomb.error)) == 40.0
    assert lesson.find_learned(likely) == pytest.approx(40.0 + 2.1 * bomb.error)
    assert lesson._replace(after=lesson.before).find_learned(likely) == 40.0


def test_what_was_learned_of_a_type_stays_where_matches_say_nothing_of_it() -> None:
    was = np.zeros(g.TYPES)
    was[MARSHAL] = -40.0
    lesson = fit_worth(make_samples(70.0, 200), was)
    marshal = next(each for each in lesson.corrections if each.kind == MARSHAL)
    assert lesson.find_learned(marshal) == -40.0


def test_too_few_matches_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 5 matches"):
        learn(gonfalon.make("duel"), [])


def test_the_data_names_variants_and_types() -> None:
    for variant, points in read_toml(LEARNED).items():
        assert gonfalon.variants(unlisted=True)[variant] == "grid"
        assert set(points) <= set(TYPES[1:])
    assert not read_learned("duel").any()


def test_the_search_counts_what_was_learned() -> None:
    game = gonfalon.make("original")
    rng = np.random.default_rng(0)
    state = deploy_all(game, game.initial_state(), rng)
    plain, taught = zero_rows(CONTEXT, 1), zero_rows(CONTEXT, 1)
    taught["learned"] = learned = read_learned("original")
    for contexts in (plain, taught):
        contexts["doubt"] = contexts["aim"] = 1.0
        prepare_context(state, copy_rows(game.rules), contexts)
    more = (taught["worth"] - plain["worth"]).reshape(2, 16)[:, : g.TYPES]
    assert learned[MINER] > 0 > learned[MARSHAL]
    np.testing.assert_allclose(more, [learned, learned])
