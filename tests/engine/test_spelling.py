"""Errors about unknown names suggest the name that was probably meant, and list those that exist."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

import gonfalon
from gonfalon.ai import UnknownAgentError, agents
from gonfalon.ai.arena.entrants import EntrantError, check_entrant
from gonfalon.cli.choosing import check_variant, find_agent, make_game
from gonfalon.cli.errors import CommandError
from gonfalon.engine.game import PUBLIC
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.engine.spelling import find_similar, list_known


def test_a_similar_name_comes_first() -> None:
    names = ("original", "barrage", "duel")
    assert list_known("Barage", names) == "did you mean 'barrage'? There are original, barrage, duel"
    assert list_known("BARRAGE", names) == "did you mean 'barrage'? There are original, barrage, duel"
    assert list_known("chess", names) == "there are original, barrage, duel"
    assert list_known("chess", ()) == "there are none"
    assert find_similar("chess", names) == ""


@pytest.mark.parametrize(
    ("ask", "error", "meant"),
    [
        (lambda: gonfalon.make("barage"), RulesetError, "barrage"),
        (lambda: gonfalon.make("barrage", resque=True), RulesetError, "rescue"),
        (lambda: agents()["gredy"], UnknownAgentError, "greedy"),
        (lambda: agents()["level8"], KeyError, "level-8"),
        (lambda: check_entrant("randon"), EntrantError, "random"),
        (lambda: check_variant("conquest-twoo"), CommandError, "conquest-two"),
        (lambda: find_agent("level 7"), CommandError, "level-7"),
        (lambda: make_game("classic", ["max_turn=5"]), CommandError, "max_turns"),
    ],
)
def test_an_error_says_what_was_meant(ask: Callable[[], object], error: type[Exception], meant: str) -> None:
    with pytest.raises(error) as raised:
        ask()
    assert f"; did you mean {meant!r}? There are " in str(raised.value)
    assert not str(raised.value).startswith(("'", '"'))


def test_a_view_suggests_a_field() -> None:
    game = gonfalon.make("barrage")
    view = game.view(game.initial_state(), PUBLIC)
    with pytest.raises(AttributeError, match=r"^a view has no field 'plased'; did you mean 'placed'\?$"):
        _ = view.plased
    with pytest.raises(AttributeError, match=r"^a view has no field 'zzz'$"):
        _ = view.zzz
    assert not hasattr(view, "_placed")
    assert copy.deepcopy(view).tobytes() == view.tobytes()
