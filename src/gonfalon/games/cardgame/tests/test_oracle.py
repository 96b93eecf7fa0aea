"""Random matches, played by the compiled rules and by the oracle side by side."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game
from gonfalon.games.cardgame.tests.diagrams import BLUE, DECKS, RED, Position, make
from gonfalon.games.cardgame.tests.oracle import Table

MATCHES = 6


def same(at: Position, table: Table) -> None:
    """Compare cards, actor, legal actions and the end of the match."""
    assert at.ended == table.ended
    assert at.game.to_act(at.state) == table.able()
    assert (at.row["turn"], at.row["quiet"]) == (table.turns, table.quiet)
    for side in (RED, BLUE):
        player = table.players[side]
        laid = [letter for letter in player.choice if letter != "."]
        shown = iter([*player.choice, *"....."])
        line = [card or next(shown) for card in player.line]
        assert at.line(side, EVERYTHING) == at.line(side, side) == " ".join(line)
        assert Counter(at.hand(side, side)) == Counter(player.hand) - Counter(laid)
        assert Counter(at.tray("pile", side, EVERYTHING)) == Counter(player.pile)
        assert Counter(at.tray("lost", side, PUBLIC)) == Counter(player.lost)
        if table.able() != (CHANCE,):
            assert at.legal(player=side) == table.legal(side)
    if table.able() == (CHANCE,):
        assert at.draws() == pytest.approx(table.draws())


def step(at: Position, table: Table, rng: np.random.Generator, patience: float) -> Position:
    """Play one random action in both. The higher `patience` is, the rarer are attacks, so that there are many looks and
    tricks.
    """
    player = int(rng.choice(table.able()))
    options = sorted(f"draw {letter}" for letter in table.draws()) if player == CHANCE else sorted(table.legal(player))
    others = [text for text in options if "x" not in text]
    text = str(rng.choice(others if others and rng.random() < patience else options))
    table.play(player, text)
    return at.play(text, player=player)


@pytest.mark.parametrize("patience", [0.0, 0.6, 0.9])
@pytest.mark.parametrize("quiet", [4, 60])
@pytest.mark.parametrize("variant", DECKS)
def test_matches_are_the_same(variant: str, quiet: int, patience: float) -> None:
    game: Game = make(variant, max_quiet_turns=quiet)
    rng = np.random.default_rng([quiet, round(10 * patience)])
    for _ in range(MATCHES if quiet == 60 else 4):
        at, table = Position(game, game.initial_state()), Table(DECKS[variant], quiet)
        same(at, table)
        while not table.ended:
            at = step(at, table, rng, patience)
            same(at, table)


def test_every_end_and_every_kind_of_position_came_up() -> None:
    """The matches of these tests cover every end and every kind of position."""
    rng = np.random.default_rng(7)
    ends, seen = set(), Counter[str]()
    for number in range(120):
        table = Table(DECKS["cardgame"], 60)
        while not table.ended:
            player = int(rng.choice(table.able()))
            options = [f"draw {k}" for k in table.draws()] if player == CHANCE else sorted(table.legal(player))
            others = [text for text in options if "x" not in text]
            table.play(player, str(rng.choice(others if others and rng.random() < (number % 3) * 0.4 else options)))
            mover = table.players[table.mover]
            seen["gaps that must stay"] += table.step == "lay" and "." in mover.lays()
            seen["an empty pile"] += not mover.pile
            seen["an empty hand"] += table.step == "act" and not mover.hand
            seen["a trick with fewer than five"] += table.is_anew and not mover.pile and len(mover.hand) < 5
            seen["a trick with fewer than eight"] += table.is_anew and not mover.pile and 4 < len(mover.hand) < 8
        ends.add(table.ended)
    assert {"red flag", "blue flag", "red no-attackers", "blue no-attackers"} <= ends
    assert all(seen.values()), seen
