"""The first view and an observer's own events give everything that the view shows of the pieces."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import CASES, RESIGNING, Case, game_of, observers, positions, samples
from conformance.worlds import family_of
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, PUBLIC


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_events_alone_rebuild_the_scene(case: Case) -> None:
    game = game_of(case)
    family = family_of(game)
    rng, count = np.random.default_rng(31), 240 if not case.switches else 120
    for match in positions(game, rng, count, lively=0.5, resigning=RESIGNING):
        told: dict[int, list[Event]] = {observer: [] for observer in observers(game)}
        for number, step in enumerate(match):
            for observer, events in told.items():
                events.extend(game.events(step.action, step.after, observer))
                if number % 3 == 0 or number == len(match) - 1:
                    scene = game.scene(game.view(step.after, observer))
                    rebuilt = family.rebuild(events)
                    assert family.agrees(game, scene, rebuilt), (events[-6:], rebuilt, game.state_text(step.after))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_open_choice_is_nobody_elses_business(case: Case) -> None:
    """During an open choice, no other observer's view or events change, and chance does not act."""
    game = game_of(case)
    for match in samples(case, 32, 400, lively=0.6):
        for step in match:
            if not game.is_open(step.after, step.player):
                continue
            assert step.player != CHANCE
            assert CHANCE not in game.to_act(step.after)
            for observer in observers(game):
                if observer != step.player:
                    assert game.events(step.action, step.after, observer) == ()
                    views = [game.view(state, observer).tobytes() for state in (step.before, step.after)]
                    assert views[0] == views[1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_player_knows_less_than_a_spectator(case: Case) -> None:
    """A player sees every piece that spectators see, except in the player's own hand."""
    game = game_of(case)
    players = range(game.info.players)
    for match in positions(game, np.random.default_rng(37), 240, lively=0.7, resigning=RESIGNING):
        for step in match:
            if any(game.is_open(step.after, player) for player in players):
                continue
            public, *own = (game.scene(game.view(step.after, observer)).tokens for observer in (PUBLIC, *players))
            told = {(token.place, token.face) for token in public if token.face}
            for tokens in own:
                assert told <= {(token.place, token.face) for token in tokens}
