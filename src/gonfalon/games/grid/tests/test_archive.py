"""Matches and deployments of the public archive. The files are written here, from matches of ours."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.game import Game, TextError
from gonfalon.engine.records.record import Record, read_record
from gonfalon.engine.records.replay import play_record
from gonfalon.games.grid.text.archive import COLUMNS, OURS, SWITCHES, find_variant, read_deployment, read_game

Move = tuple[str, str]


def play(variant: str, moves: int, seed: int = 4) -> tuple[Game, list[str], list[Move]]:
    """Return a game, both deployments in our letters, and random moves as pairs of our squares."""
    game, rng = gonfalon.make(variant, **SWITCHES), np.random.default_rng(seed)
    state, deployments = game.initial_state(), []
    for player in range(2):
        placed = game.random_deployment(game.view(state, player), rng)
        deployments.append(game.deployment_text(placed.tolist()))
        state = game.deploy(state, player, placed)
    steps: list[Move] = []
    while len(steps) < moves and (actors := game.to_act(state)):
        action = int(rng.choice(game.legal_actions(state, actors[0])))
        source, target = game.action_text(game.view(state, actors[0]), action).replace("x", "-").split("-")
        steps.append((source, target))
        state = game.apply(state, actors[0], action)
    assert game.to_act(state), "the match goes on"
    return game, deployments, steps


def write(deployments: list[str], moves: list[Move], ending: str = "", j_for_k: bool = False) -> str:
    """Return a match in the archive's form, row 1 first."""
    red = [chr(ord("A") + OURS.index(letter)) for letter in deployments[0]]
    blue = [chr(ord("A") + OURS.index(letter) + (12 if letter != "." else 0)) for letter in reversed(deployments[1])]
    content = "".join([*red, *("AA__AA__AA" * 2), *blue])

    def name(square: str) -> str:
        column = COLUMNS["abcdefghij".index(square[0])]
        return ("J" if j_for_k and column == "K" else column) + square[1:]

    lines = [f'<move id="{k}" source="{name(a)}" target="{name(b)}"/>' for k, (a, b) in enumerate(moves, start=1)]
    players = '<player id="1">ada</player><player id="2">bob</player>'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<stratego><game type="x"><field content="{content}"/>\n'
        + "\n".join(lines)
        + f"\n{players}{ending}</game></stratego>"
    )


def read(text: str) -> Record:
    return read_game(text, gonfalon.make(find_variant(text), **SWITCHES))


@pytest.mark.parametrize("variant", ["original", "barrage", "duel-10x10"])
@pytest.mark.parametrize("j_for_k", [False, True])
def test_a_match_is_read_as_it_was_played(variant: str, j_for_k: bool) -> None:
    game, deployments, moves = play(variant, 30)
    record = read(write(deployments, moves, '<result type="3" winner="1"/>', j_for_k))
    assert record.variant == variant
    assert record.names == {"red": "ada", "blue": "bob"}
    told = [step.text for step in record.steps]
    assert told[:2] == [f"deploy {each}" for each in deployments]
    assert [text.replace("x", "-") for text in told[2:-1]] == [f"{a}-{b}" for a, b in moves]
    assert told[-1] == "resigns"
    assert record.result == "red wins (resigned)"
    again = read_record(record.write())
    assert list(play_record(game, again))[-1][1] == 1


def test_a_match_stored_from_the_other_side_is_turned() -> None:
    _, deployments, moves = play("barrage", 20)
    text = write(deployments, moves)
    field = text.split('content="')[1][:100]
    turned = {a: "".join([COLUMNS[9 - COLUMNS.index(a[0])], str(11 - int(a[1:]))]) for a in _squares()}
    other = text.replace(field, field[::-1])
    for square in _squares():
        other = other.replace(f'"{square}"', f'"<{turned[square]}"')
    assert read(other.replace('"<', '"')) == read(text)
    highest_first = "".join(field[at : at + 10] for at in range(90, -10, -10))
    assert read(text.replace(field, highest_first)) == read(text)


def _squares() -> list[str]:
    return [f"{column}{row}" for column in COLUMNS for row in range(1, 11)]


@pytest.mark.parametrize(
    ("kind", "winner", "last", "result"),
    [
        ("3", "2", "resigns", "blue wins (resigned)"),
        ("4", "3", "draw agreed", "draw (agreed)"),
        ("10", "3", "no result", "no result"),
        ("11", "1", "out of time", "red wins (time)"),
        ("14", "2", "claims", "blue wins (claimed)"),
    ],
)
def test_the_end_is_that_of_the_file(kind: str, winner: str, last: str, result: str) -> None:
    _, deployments, moves = play("barrage", 6)
    record = read(write(deployments, moves, f'<result type="{kind}" winner="{winner}"/>'))
    assert (record.steps[-1].text, record.result) == (last, result)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("<stratego>", "<stratego", "not XML"),
        ('<field content="', '<grid content="', "there is no <field>"),
        ("__", "_", "the field has 100 squares, not 98"),
        ('source="', 'source="Z', "is no square"),
        ('content="', 'content="B', "no game here has 9 pieces a side; there are 40"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, error: str) -> None:
    _, deployments, moves = play("barrage", 4)
    text = write(deployments, moves)
    assert old in text
    with pytest.raises(TextError, match=error):
        read(text.replace(old, new, 2))


def test_a_move_that_the_rules_refuse_is_named_with_its_number() -> None:
    _, deployments, moves = play("barrage", 4)
    with pytest.raises(TextError, match=r"move 5 \(.*\) is not allowed: "):
        read(write(deployments, [*moves, moves[0]]))


def test_a_deployment_of_either_order() -> None:
    back_first = "MB" + "A" * 8 + "A" * 20 + "LKJAAAAAAC"
    assert read_deployment(back_first) == "FB" + "." * 28 + "M98......S"
    front_first = "".join(back_first[at : at + 10] for at in (30, 20, 10, 0))
    assert read_deployment(front_first, front_first=True) == read_deployment(back_first)
    with pytest.raises(TextError, match="40 letters from A to M"):
        read_deployment("MB")
