"""No observer learns a secret: tests by scrambled worlds, by resampled worlds, and by names in output (canary)."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from conformance.cases import (
    CASES,
    PLAIN_CASES,
    RESIGNING,
    VARIANTS,
    Case,
    cases_of,
    catalogue,
    deployed,
    game_of,
    observers,
    play,
    positions,
    possible,
    remaining,
)
from conformance.secrecy import check, encode
from conformance.worlds import family_of
from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import EVERYTHING, Game, State

POSITIONS = 1000
"""Number of positions tested per variant, spread over its rulesets."""
NAMING = 900
"""Number of steps in which every face occurs."""
FEWEST = 40
"""Mean number of draws of the least likely world."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_scramble(variant: str) -> None:
    """Everything that an observer cannot know is changed. Everything shown stays equal, byte for byte."""
    cases = cases_of(variant)
    for number, case in enumerate(cases):
        share = POSITIONS // 2 if number == 0 else POSITIONS // 2 // (len(cases) - 1) + 1
        tally = check(case, share, np.random.default_rng([11, number]))
        assert tally.positions == share
        assert tally.worlds > share, "most positions must have worlds to compare"
        assert tally.steps > share // 4, "most of one's own steps can be compared"


@pytest.mark.parametrize("variant", VARIANTS)
def test_resampled_worlds_look_the_same_and_can_be_played_on(variant: str) -> None:
    cases = cases_of(variant)
    for number, case in enumerate(cases):
        game, rng = game_of(case), np.random.default_rng([12, number])
        for match in positions(game, rng, POSITIONS // len(cases) // 2, resigning=RESIGNING):
            last = match[-1].after
            resigned = [] if game.outcome(last) else [game.withdraw(last, remaining(game, last)[0])]
            for state in (*(step.before for step in match), last, *resigned):
                _check_resampled(game, state, rng)


def _check_resampled(game: Game, state: State, rng: np.random.Generator) -> None:
    for observer in observers(game):
        view = game.view(state, observer)
        world = game.resample(view, rng)
        assert game.view(world, observer).tobytes() == view.tobytes(), (observer, game.state_text(state))
        assert game.to_act(world) == game.to_act(state)
    if rng.random() < 0.1:
        for step in play(game, rng, 20, state=world):
            assert step.action in possible(game, step.before, step.player)


@pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case.name)
def test_resampled_worlds_are_uniform_over_all_that_are_possible(case: Case) -> None:
    """A chi-square test on positions with few hidden pieces, for which all possible worlds can be listed.

    A world that can come about in several ways is as likely as these ways together.
    """
    game = game_of(case)
    rng = np.random.default_rng(13)
    state, observer, worlds = next(family_of(game).small(game, rng))
    ways = Counter(worlds)
    draws = FEWEST * len(worlds) // min(ways.values())
    view = game.view(state, observer)
    key = family_of(game).key
    found = Counter(key(game.resample(view, rng)) for _ in range(draws))
    assert set(found) <= set(ways)
    expected = {world: draws * count / len(worlds) for world, count in ways.items()}
    chi_square = sum((found[world] - wanted) ** 2 / wanted for world, wanted in expected.items())
    free = len(ways) - 1
    assert chi_square < free + 4 * np.sqrt(2 * free), "less likely than one in ten thousand"


# ---- canary ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_canary(case: Case) -> None:
    """In all output, faces are named only as often as public knowledge and the observer's own pieces allow."""
    game, rng = game_of(case), np.random.default_rng(14)
    words = _faces(game)
    for match in positions(game, rng, 240 if not case.switches else 120, resigning=RESIGNING):
        watcher = family_of(game).Watcher(game)
        for step in match:
            watcher.see(step)
            for observer in observers(game):
                told = game.events(step.action, step.after, observer)
                assert set(find_named(words, told)) <= watcher.tellable(observer), told
        for step in match[::8]:
            _check_refusals(game, step.before, rng, words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_canary_in_scenes(case: Case) -> None:
    game, rng = game_of(case), np.random.default_rng(15)
    words = _faces(game)
    for match in positions(game, rng, 240 if not case.switches else 120, resigning=RESIGNING):
        watcher = family_of(game).Watcher(game)
        for step in match:
            watcher.see(step)
            for observer in observers(game):
                view = game.view(step.after, observer)
                found = Counter(find_named(words, game.scene(view)))
                assert found == watcher.mentions(step.after, observer), (observer, game.state_text(step.after))
                faces = {token.place: token.face for token in game.scene(view).tokens}
                known = watcher.faces(step.after, observer)
                assert faces.keys() == known.keys()
                assert all(face in ("", known[place]) for place, face in faces.items())


@cache
def _faces(game: Game) -> re.Pattern[str]:
    """Return a pattern for every face name, alone or inside an id: the names that EVERYTHING sees in matches, or that
    can be placed.
    """
    faces = {""}
    first = deployed(game, np.random.default_rng(17))
    matches = positions(game, np.random.default_rng(18), NAMING, lively=0.6)
    for step in (*first, *(step for match in matches for step in match[::2])):
        for observer in (EVERYTHING, max(step.player, 0)):
            scene = game.scene(game.view(step.after, observer))
            faces |= {token.face for token in scene.tokens}
            faces |= {item.face for tray in scene.trays for item in tray.items}
            faces |= {piece.face for piece in (scene.arrange.pieces if scene.arrange else ())}
    return re.compile(r"(?<![a-z])(" + "|".join(sorted(faces - {""})) + r")(?![a-z])")


def find_named(words: re.Pattern[str], told: object) -> list[str]:
    """Return the faces named in output, except keys that are spelled like a face."""
    return words.findall(encode(told).decode().replace('"count":', ""))


def _check_refusals(game: Game, state: State, rng: np.random.Generator, words: re.Pattern[str]) -> None:
    """Check that a refusal names only faces of the player's own pieces. So it does not depend on hidden pieces."""
    for player in range(game.info.players):
        own = {token.face for token in game.scene(game.view(state, player)).tokens if token.face}
        arrange = set(find_named(words, game.scene(game.view(state, player))))
        for action in rng.integers(game.info.actions, size=10).tolist():
            refusal = game.explain(state, player, action)
            if refusal is not None and "space" in refusal.args:
                assert not set(find_named(words, refusal.args)) - own - arrange


@pytest.mark.parametrize("variant", VARIANTS)
def test_ending_by_word_tells_nothing_of_the_pieces(variant: str) -> None:
    game = game_of(Case(variant))
    words = _faces(game)
    *_, last = deployed(game, np.random.default_rng(16), sensible=True)
    for observer in observers(game):
        for action, after in ((WITHDRAW, game.withdraw(last.after, 1)), (AGREE, game.agree_draw(last.after))):
            told = game.events(action, after, observer)
            assert told
            assert not find_named(words, told)
            before, left = (game.scene(game.view(state, observer)).tokens for state in (last.after, after))
            if left != before:  # a player who leaves may take their own pieces out of the match
                assert action == WITHDRAW
                assert left == tuple(token for token in before if token.side != game.info.sides[1])
    assert catalogue(game.info.family)
