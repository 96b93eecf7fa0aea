"""Endings of a match in the interface of `engine.game.Game`: outcomes, resigning, draws by agreement."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import (
    Case,
    all_observers,
    assert_worded,
    catalogue,
    each_case,
    game_of,
    is_deploying,
    play,
    remaining,
    steps_of,
)
from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import (
    PUBLIC,
    Game,
    Outcome,
    State,
)


@each_case
def test_outcomes(case: Case) -> None:
    """An outcome exists only at the end. Its returns sum to zero, its reason has a text, and nobody may act. No match
    is longer than `GameInfo.longest`.
    """
    game, rng = game_of(case), np.random.default_rng(5)
    words = catalogue(game.info.family)
    match = list(play(game, rng, lively=0.5))
    assert len(match) <= game.info.longest
    for step in match:
        assert game.outcome(step.before) is None
    end = match[-1].after
    outcome = game.outcome(end)
    assert outcome is not None
    assert f"end.{outcome.reason}" in words
    assert_shared(game, outcome)
    assert game.to_act(end) == ()
    assert game.scene(game.view(end, PUBLIC)).to_act == ()
    values = [game.evaluate(end, player) for player in range(game.info.players)]
    assert values == [
        (0 if len(outcome.best) > 1 else 1) if p in outcome.best else -1 for p in range(game.info.players)
    ]
    with pytest.raises(ValueError, match="over"):
        game.withdraw(end, 0)
    with pytest.raises(ValueError, match=r".+"):
        game.agree_draw(end)


def assert_shared(game: Game, outcome: Outcome) -> None:
    """Check that one player has won, or several share the win, or all get 0."""
    shares = [Outcome.of(game.info.players, range(k), outcome.reason).returns for k in range(1, game.info.players + 1)]
    assert sorted(outcome.returns, reverse=True) in [pytest.approx(share) for share in shares]


@each_case
def test_resigning_at_any_time(case: Case) -> None:
    """The last remaining player wins. Until then the match goes on without those who resigned."""
    game, rng = game_of(case), np.random.default_rng(9)
    for step in steps_of(case)[::9]:
        for player in range(game.info.players):
            before, leaving = step.before, [player, *(p for p in rng.permutation(game.info.players) if p != player)]
            for gone, quitter in enumerate(leaving, 1):
                after = game.withdraw(before, int(quitter))
                _check_left(game, before, int(quitter), after)
                if game.outcome(after) is not None:
                    break
                assert gone < game.info.players - 1
                before = after
            outcome = game.outcome(after)
            assert outcome is not None
            assert outcome.returns[player] == -1 / (game.info.players - 1)
            assert outcome.returns.count(1.0) == 1
    with pytest.raises(ValueError, match=r".+"):
        game.withdraw(game.initial_state(), game.info.players)
    with pytest.raises(ValueError, match=r".+"):
        game.withdraw(game.initial_state(), PUBLIC)


def _check_left(game: Game, before: State, player: int, after: State) -> None:
    """A player who has left need not act any more, and all observers get an event about it."""
    assert player not in game.to_act(after)
    assert not len(game.legal_actions(after, player))
    if game.outcome(after) is None:
        assert game.to_act(after)
        assert game.info.sides[player] in game.scene(game.view(after, PUBLIC)).out
        with pytest.raises(ValueError, match=r".+"):
            game.withdraw(after, player)
    else:
        assert game.to_act(after) == ()
        assert not any(len(game.legal_actions(after, p)) for p in range(game.info.players))
    for observer in all_observers(game):
        events = game.events(WITHDRAW, after, observer)
        assert events
        assert [assert_worded(catalogue(game.info.family), "event", event) for event in events]


@each_case
def test_playing_on_without_who_has_left(case: Case) -> None:
    game, rng = game_of(case), np.random.default_rng(10)
    for step in steps_of(case)[::40] if game.info.players > 2 else ():
        player = int(rng.choice(remaining(game, step.before)))
        after = game.withdraw(step.before, player)
        for later in play(game, rng, 25, state=after):
            assert later.player != player


@each_case
def test_agreeing_on_a_draw(case: Case) -> None:
    """A draw can be agreed once play has started, not before (GR-21)."""
    game = game_of(case)
    for step in steps_of(case)[::9]:
        if is_deploying(game, step.before):
            with pytest.raises(ValueError, match=r".+"):
                game.agree_draw(step.before)
            continue
        after = game.agree_draw(step.before)
        outcome = game.outcome(after)
        assert outcome is not None
        assert_shared(game, outcome)
        assert max(outcome.returns) < 1
        for observer in all_observers(game):
            events = game.events(AGREE, after, observer)
            assert [assert_worded(catalogue(game.info.family), "event", event) for event in events]
