"""Texts of actions, positions and deployments can be written and read back. Any other text raises `TextError` and
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.cases import (
    VARIANTS,
    Case,
    Step,
    arranges,
    cases_of,
    deployed,
    each_case,
    eyes,
    game_of,
    observers,
    play,
    possible,
    samples,
)
from conformance.strange import VOCABULARY, valid_texts
from gonfalon.engine.game import Game, State, TextError

each_variant = pytest.mark.parametrize("variant", VARIANTS)
fuzz = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
PLIES = 6
"""Number of turns that a position and its reading are played on in parallel."""


@each_case
def test_actions(case: Case) -> None:
    game = game_of(case)
    for match in samples(case, 51, 200, lively=0.5):
        for step in match[::2]:
            view = game.view(step.before, eyes(step.player))
            actions = possible(game, step.before, step.player).tolist()
            texts = {game.action_text(view, action): action for action in actions}
            assert len(texts) == len(actions)
            assert {game.parse_action(view, text) for text in texts} == set(texts.values())
            assert all(game.parse_action(view, text) == action for text, action in texts.items())
            assert all(text == text.strip() != "" and "\n" not in text and ";" not in text for text in texts)


@each_case
def test_positions(case: Case) -> None:
    """A position read from its own text equals the first one in text, legal actions, views, and the further course of
    play.
    """
    game, rng = game_of(case), np.random.default_rng(52)
    for match in samples(case, 52, 400, lively=0.5):
        ends = [match[-1].after, game.withdraw(match[len(match) // 2].before, 1)]
        for state in (*(step.before for step in match[::5]), *ends):
            text = game.state_text(state)
            read = game.parse_state(text)
            assert game.state_text(read) == text
            assert_alike(game, state, read)
            assert game.parse_state(text.replace("\n", " ; ")).tobytes() == read.tobytes()
        for step in match[::25]:
            _play_on(game, step.before, game.parse_state(game.state_text(step.before)), rng)


def assert_alike(game: Game, state: State, read: State) -> None:
    """Check that two states are equal for all observers, except for the numbers of tokens."""
    assert game.to_act(read) == game.to_act(state)
    assert game.outcome(read) == game.outcome(state)
    assert [x.tolist() for x in game.chance_outcomes(read)] == [x.tolist() for x in game.chance_outcomes(state)]
    for player in range(game.info.players):
        assert game.legal_actions(read, player).tolist() == game.legal_actions(state, player).tolist()
        assert game.is_open(read, player) == game.is_open(state, player)
    for observer in observers(game):
        assert shown(game, read, observer) == shown(game, state, observer), game.state_text(state)


def shown(game: Game, state: State, observer: int) -> tuple[object, ...]:
    view = game.view(state, observer)
    scene = game.scene(view)
    tokens = tuple((token.place, token.side, token.face, token.marks) for token in scene.tokens)
    rest = (scene.trays, scene.tints, scene.buttons, scene.status, scene.to_act, scene.turn)
    rest += (scene.arrange, scene.groups)
    return (tokens, rest, game.choices(view), game.encode(view).planes.tobytes())


def _play_on(game: Game, state: State, read: State, rng: np.random.Generator) -> None:
    for step in play(game, rng, PLIES, state=state):
        read = game.apply(read, step.player, step.action)
        assert_alike(game, step.after, read)


@each_variant
def test_deployments(variant: str) -> None:
    game, rng = game_of(Case(variant)), np.random.default_rng(53)
    for sensible in (False, True):
        for _ in range(20):
            steps = list(deployed(game, rng, sensible))
            for player in range(game.info.players):
                actions = placed(game, steps, player)
                text = game.deployment_text(actions)
                assert game.parse_deployment(text, player).tolist() == actions
                assert game.parse_deployment(f" {text}\n", player).tolist() == actions


def placed(game: Game, steps: list[Step], player: int) -> list[int]:
    """Return a side's deployment, without other choices before play."""
    return [step.action for step in steps if step.player == player and arranges(game, step.before, player)]


@each_variant
def test_deployments_of_other_armies_are_refused(variant: str) -> None:
    """GR-2: a deployment is refused if a letter is replaced by another letter of the text, left out, or doubled.

    If chance deals the pieces, the army is not known beforehand; then some of these texts are valid deployments.
    """
    game, rng = game_of(Case(variant)), np.random.default_rng(54)
    steps = list(deployed(game, rng))
    text = game.deployment_text(placed(game, steps, 0))
    for at in range(len(text)):
        other = rng.choice(sorted(set(text) - {text[at]}) or ["!"])
        for wrong in (text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + other + text[at:]):
            _check_refused(game, wrong)


def _check_refused(game: Game, wrong: str) -> None:
    read = survives(lambda text: game.parse_deployment(text, 0).tolist(), wrong) if game.info.chance else None
    if read is None:
        with pytest.raises(TextError, match=r".+"):
            game.parse_deployment(wrong, 0)
    else:
        assert game.deployment_text(read) == wrong  # type: ignore[arg-type]  # actions


# ---- anything else -----------------------------------------------------------------------------------------------

WORDS = st.sampled_from(VOCABULARY)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=8).map(" ".join))


def survives(read: Callable[[str], object], text: str) -> object:
    """Return what `read` makes of a text; None if it raises `TextError`."""
    try:
        return read(text)
    except TextError:
        return None


@st.composite
def mutated(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """Return a valid text with some lines or words replaced, left out, doubled or moved."""
    lines = draw(st.sampled_from(texts)).splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        words = lines[at].split() or [""]
        word = draw(st.integers(0, len(words) - 1))
        what = draw(st.integers(0, 5))
        if what == 0:
            words[word] = draw(WORDS)
        elif what == 1:
            words.insert(word, draw(WORDS))
        elif what == 2:
            words.pop(word)
        elif what == 3:
            words[word] = draw(st.text(max_size=4))
        elif what == 4:
            lines.insert(at, draw(TEXTS))
        lines[at] = " ".join(words)
        if what == 5 and len(lines) > 1:
            lines.pop(at)
    return "\n".join(lines)


@each_variant
def test_any_text_is_no_position(variant: str) -> None:
    game = game_of(cases_of(variant)[-1])
    texts = valid_texts(cases_of(variant)[-1], np.random.default_rng(55), 240)

    @fuzz
    @given(st.one_of(TEXTS, mutated(texts)))
    def check(text: str) -> None:
        survives(game.parse_state, text)

    check()


@each_variant
def test_strange_actions_and_deployments(variant: str) -> None:
    game = game_of(cases_of(variant)[-1])
    *_, last = deployed(game, np.random.default_rng(57))
    view = game.view(last.after, 0)
    known = tuple(
        game.action_text(view, action) for action in range(0, game.info.actions, 7) if _is_on_board(game, action)
    )

    @fuzz
    @given(st.one_of(TEXTS, mutated(known)))
    def check(text: str) -> None:
        action = survives(lambda t: game.parse_action(view, t), text)
        assert action is None or 0 <= action < game.info.actions  # type: ignore[operator]  # an action
        survives(lambda t: game.parse_deployment(t, 0), text)

    check()


def _is_on_board(game: Game, action: int) -> bool:
    """Return whether the action has a text: ids of squares outside the board have none."""
    view = game.view(game.initial_state(), 0)
    try:
        return game.parse_action(view, game.action_text(view, action)) == action
    except TextError:
        return False
