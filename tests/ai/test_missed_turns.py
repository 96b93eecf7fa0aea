"""`gonfalon engine` at a referee's table: a side that cannot move misses its turn, and the match goes on."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from ai.referee import Referee, Script
from gonfalon.ai import Question, agents
from gonfalon.ai.agent import Agent
from gonfalon.ai.protocol import EVALUATOR, ProtocolError
from gonfalon.ai.protocol.player import Player
from gonfalon.engine.game import Game

ROWS = 8
"""Rows of the board in Classic and Duel."""
DUEL = "128899s"
"""Movable pieces of a side in Duel."""
CAGE = ["3444555667", "7888899999", "BB1sBB23BF"]
"""RED's deployment in Classic from which nothing can move: Bombs and Flag stand before the free files."""
FREE = ["3444555667", "7888899999", "1sBBBB23BF"]


class Fighter:
    """An agent that attacks when it can, and otherwise moves at random."""

    name = "fighter"

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        view = question.view
        if game.standing(view).deploys:
            return agents()["random"]().act(game, question, rng)
        choices = game.choices(view)
        attacks = [choice.id for choice in choices if choice.verb == "attack"]
        return [int(rng.choice(attacks or [choice.id for choice in choices]))]


def seat(variant: str, side: int, agent: Agent | None = None, seed: int = 0) -> Player:
    """Return our program in a seat, after its deployment, which the referee ignores."""
    greeting = f"{('RED', 'BLUE')[side]} other 10 {ROWS}"
    game, rng = gonfalon.make(variant, **EVALUATOR), np.random.default_rng([seed, side])
    player = Player(game, agent or Fighter(), 0.02, rng, greeting)
    player.deploy()
    return player


def turned(rows: list[str]) -> list[str]:
    """Return RED's deployment as BLUE's."""
    return [row[::-1] for row in rows[::-1]]


def deal(rng: np.random.Generator) -> list[str]:
    """Return RED's random deployment in Duel with a Flag that only Miners reach."""
    letters = "".join(rng.permutation(list(DUEL.ljust(27, "."))))
    return ["FB" + letters[:8], "B" + letters[8:17], letters[17:]]


@pytest.mark.parametrize("relays", [True, False])
@pytest.mark.parametrize("asks", [True, False])
def test_both_sides_may_miss_turns(relays: bool, asks: bool) -> None:
    """The referee checks each answer by its own rules; each program checks that the board is what the moves led to."""
    missed = [0, 0]
    for seed in range(6):
        rng = np.random.default_rng(seed)
        table = Referee(deal(rng), turned(deal(rng)), height=ROWS, relays=relays, asks=asks)
        table.play([seat("duel", side, seed=seed) for side in (0, 1)])
        missed = [old + new for old, new in zip(missed, table.missed, strict=True)]
    assert min(missed) > 10


def test_our_program_plays_on_against_a_side_that_cannot_move() -> None:
    """Blue is shut in by its own Bombs. Our program finds the Flag among them."""
    for seed in range(3):
        table = Referee(FREE, turned(CAGE), height=ROWS)
        end = table.play([seat("classic", 0, agents()["level-4"](), seed), seat("classic", 1, seed=seed)])
        assert table.missed[1] > 0
        assert end.endswith("F")
        assert [side for side, letter in table.pieces.values() if letter == "F"] == [0]


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("side", [0, 1])
def test_our_program_waits_until_it_can_move(side: int, asks: bool) -> None:
    """The enemy's Miner takes a Bomb of the cage, so the piece behind it can attack."""
    enemy = ["3444555667", "7188899999", "8sBBBB23BF"]
    if side == 0:
        table = Referee(CAGE, enemy[::-1], height=ROWS, asks=asks)
        script = Script(["0 5 UP", "0 4 UP", "0 3 UP", "1 5 UP"], ROWS)
        turns, expected = 8, "0 1 DOWN KILLS 7 8"
    else:
        table = Referee(enemy, CAGE[::-1], height=ROWS, asks=asks)
        script = Script(["0 2 DOWN", "0 3 DOWN", "0 4 DOWN", "1 2 DOWN"], ROWS)
        turns, expected = 7, "0 6 UP KILLS 7 8"
    players = [seat("classic", side), script]
    assert table.play(players if side == 0 else players[::-1], turns) == ""
    assert table.missed == ([3, 0] if side == 0 else [0, 2])
    assert expected in script.heard


def test_a_known_piece_that_could_move_misses_no_turn() -> None:
    table = Referee(FREE, turned(FREE), height=ROWS)
    player = seat("classic", 0)
    player.hear("START")
    for by in (0, 1, 0):
        if by == 1:
            relay = "8 5 UP OK"
            table.make_move(1, "8 5 UP")
        else:
            (answer,) = [each for line in table.draw(0) for each in player.hear(line)]
            relay = table.make_move(0, answer)
        assert player.hear(relay) == []
    *rows, last = table.draw(0)
    assert not any(player.hear(row) for row in rows)
    with pytest.raises(ProtocolError, match="fit no possible army"):
        player.hear(last)
