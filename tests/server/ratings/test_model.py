"""The model of the ratings: places, numbers, and the constants of the levels."""

from __future__ import annotations

import msgspec
import pytest
from openskill.models import PlackettLuce

from gonfalon.ai.levels import LEVELS
from gonfalon.games import variants
from gonfalon.server.ratings.levels import (
    SIGMA,
    derive_ratings,
    find_rating,
    list_ratings,
    main,
    read_ladders,
)
from gonfalon.server.ratings.model import NEW, Rating, find_places, predict, rate, read_shown, show


def test_places_follow_from_the_returns() -> None:
    assert find_places((1, -1)) == (1, 2)
    assert find_places((0, 0)) == (1, 1)
    assert find_places((-1 / 3, 1, -1 / 3, -1 / 3)) == (2, 1, 2, 2)
    assert find_places((1 / 3, -1 / 3, 1 / 3, -1 / 3)) == (1, 3, 1, 3)


@pytest.mark.parametrize("places", [(1, 2), (1, 1), (3, 1, 1), (2, 1, 2, 2), (1, 1, 3, 3), (4, 3, 2, 1)])
def test_the_numbers_are_those_of_openskill(places: tuple[int, ...]) -> None:
    before = [Rating(25 + player, 8 - player) for player in range(len(places))]
    model = PlackettLuce()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    expected = [(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(place) for place in places])]
    assert [msgspec.structs.astuple(rating) for rating in rate(before, places)] == expected


def test_a_new_person_has_1500_points_and_a_provisional_rating() -> None:
    shown = show(NEW, 0)
    assert (shown.rating, shown.deviation, shown.provisional) == (1500, 350, True)
    assert show(NEW, 9).provisional
    assert not show(NEW, 10).provisional
    assert show(Rating(26, 2), 10).rating == 1542
    assert read_shown(1542, 2) == Rating(26, 2)


def test_a_win_raises_a_draw_of_equals_changes_nothing_and_four_can_play() -> None:
    won, lost = rate((NEW, NEW), (1, 2))
    assert won.mu > NEW.mu > lost.mu
    assert won.sigma < NEW.sigma
    drawn = rate((NEW, NEW), (1, 1))
    assert drawn[0].mu == drawn[1].mu == pytest.approx(NEW.mu)
    first, *others = rate((NEW,) * 4, (1, 2, 2, 2))
    assert first.mu > NEW.mu
    assert len({other.mu for other in others}) == 1


# ---- levels -------------------------------------------------------------------------------------------------------


def test_the_ratings_of_levels_follow_from_the_measured_shares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert "differs" not in capsys.readouterr().out


def test_every_game_has_a_rating_for_every_level() -> None:
    for variant in variants():
        ratings = list_ratings(variant)
        assert len(ratings) == len(LEVELS), variant
        assert ratings[0] == 1000, variant
        assert list(ratings) == sorted(ratings), variant
    assert list_ratings("special") == list_ratings("classic")
    assert list_ratings("cardgame-sergeants") == list_ratings("cardgame")
    assert list_ratings("conquest-three") == list_ratings("conquest")
    assert list_ratings("chess") == ()


def test_the_model_predicts_the_share_that_a_level_won() -> None:
    for ladder in read_ladders().games.values():
        for share, below, above in zip(ladder.shares, ladder.ratings, ladder.ratings[1:], strict=False):
            others = [read_shown(below, SIGMA)] * (ladder.players - 1)
            predicted = predict([read_shown(above, SIGMA), *others])
            even = 1 / ladder.players
            assert predicted == pytest.approx(max(share / 100, even), abs=0.002)
    assert derive_ratings((40.0, 50.0), 2) == (1000, 1000, 1000)


def test_only_levels_have_a_rating() -> None:
    assert find_rating("duel", "level-1") == read_shown(1000, SIGMA)
    for agent in ("level-0", "level-9", "level-", "level-²", "greedy", "random", "level-8:without=ambush", ""):
        assert find_rating("duel", agent) is None, agent
    assert find_rating("chess", "level-1") is None
