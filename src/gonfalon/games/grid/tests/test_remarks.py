"""Remarks on unusual deployments, and none on usual ones."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import deployments
from gonfalon.games.grid.screen.remarks import RARE, find_unusual, read_shares

USUAL = """
    BFB342323B
    5B43254B35
    2768S62MB2
    6285927674
    """


def codes_of(variant: str, rows: str, side: int = 0, sent: int = 0) -> dict[str, dict[str, int]]:
    """Return the remarks on a deployment, the back row first; the first `sent` squares were decided before."""
    game = gonfalon.make(variant)
    actions = game.parse_deployment("".join(rows.split()), side).tolist()
    state = game.initial_state()
    for action in actions[:sent]:
        state = game.apply(state, side, action)
    return {line.code: line.args for line in game.remarks(game.view(state, side), actions[sent:])}


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("sent", [0, 17])
def test_a_usual_deployment_gets_no_remark(side: int, sent: int) -> None:
    assert codes_of("original", USUAL, side, sent) == {}


def exchange(rows: str, *pairs: tuple[int, int]) -> str:
    """The deployment with the pieces of two squares exchanged, for each pair of their numbers."""
    letters = list("".join(rows.split()))
    for one, other in pairs:
        letters[one], letters[other] = letters[other], letters[one]
    return "".join(letters)


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ([(1, 30)], {"prize-in-front": {}}),
        ([(3, 30), (6, 31), (8, 33)], {"clears-in-front": {}}),
        ([(3, 30), (6, 31)], {}),
        ([(24, 30)], {"stabs-in-front": {}}),
        ([(24, 32)], {}),  # behind water
        ([(0, 30), (2, 31), (9, 33)], {"walls-in-front": {}}),
        ([(27, 3), (34, 4)], {"strong-behind": {"count": 2}}),
        ([(27, 3)], {}),
        ([(0, 30), (2, 31), (9, 34), (11, 35)], {"walls-in-front": {}, "few-ways": {"count": 2}}),
        (
            [(0, 30), (2, 31), (9, 34), (11, 35), (17, 38), (28, 39)],
            {"walls-in-front": {}, "few-ways": {"count": 0}},
        ),
    ],
)
def test_what_few_people_do_is_said(pairs: list[tuple[int, int]], told: dict[str, dict[str, int]]) -> None:
    for side in range(2):
        assert codes_of("original", exchange(USUAL, *pairs), side) == told


def test_what_many_do_is_not_said() -> None:
    """In Barrage a third of the people put their Spy in front."""
    rows = "F......... .......... .......... B39MS22..."
    assert codes_of("barrage", rows) == {}
    game = gonfalon.make("barrage")
    kinds = game.parse_deployment("".join(rows.split()), 0) - g.ACT_DEPLOY
    assert {line.code for line in find_unusual(kinds.astype(np.int64), game.rules, 0)} >= {"stabs-in-front"}
    assert read_shares("sparse")["stabs-in-front"] > RARE


@pytest.mark.parametrize("variant", ["original", "classic", "special", "duel", "duel-10x10", "barrage"])
def test_the_library_is_seldom_remarked(variant: str) -> None:
    ruleset = gonfalon.make(variant).info.ruleset
    texts = [*deployments.load(ruleset).values(), *deployments.load_pool(ruleset)]
    remarked = [text for text in texts if codes_of(variant, text)]
    assert 5 * len(remarked) < len(texts)
