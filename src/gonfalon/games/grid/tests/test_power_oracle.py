"""Sword and Apple against the slow oracle, on crowded boards, with every setting of the switches."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gonfalon.engine.game import Game, State
from gonfalon.games.grid.tests.diagrams import make
from gonfalon.games.grid.tests.oracle import Square, read_square, square_text
from gonfalon.games.grid.tests.power_oracle import Pieces, Rules, around, control, strike
from gonfalon.games.grid.tests.test_oracle import pieces_of

SEEN = 2
HEALING = (2, 3)
TARGET = 4


def crowd(game: Game, rng: np.random.Generator) -> State:
    """Most pieces of both armies anywhere on the board, red to move."""
    army = [
        letter for letter, n in zip("M98765432SB", (1, 1, 2, 3, 3, 2, 2, 4, 5, 1, 5), strict=True) for _ in range(n)
    ]
    pieces = [side + letter for side in "rb" for letter in ["F", *rng.permutation(army)[:22]]]
    blocked = {read_square(name) for name in game.info.ruleset.data["board"]["blocked"]}
    free = [(x, y) for y in range(8) for x in range(10) if (x, y) not in blocked]
    cells = dict(zip([free[k] for k in rng.permutation(len(free))], pieces, strict=False))
    rows = [
        f"{y + 1} " + " ".join("~~" if (x, y) in blocked else cells.get((x, y), "..") for x in range(10))
        for y in range(8)
    ]
    return game.parse_state("\n".join(("special", "turn 0 quiet 0", *rows)))


def powers(game: Game, state: State) -> set[str]:
    view = game.view(state, 0)
    texts = {game.action_text(view, int(action)) for action in game.legal_actions(state, 0)}
    return {text for text in texts if text.startswith("apple") or "*" in text}


def expected_powers(pieces: Pieces) -> set[str]:
    """GR-31 and GR-33: every two neighbours of every Captain, every enemy piece."""
    swords = {
        (square, frozenset(pair))
        for square, piece in pieces.items()
        if piece[:2] == (0, "6")
        for pair in itertools.combinations(around(square, 1, pieces), 2)
    }
    order = {(-1, 0): 0, (1, 0): 1, (0, -1): 2, (0, 1): 3}  # west, east, south, north
    texts = {f"apple {square_text(square)}" for square, piece in pieces.items() if piece[0] == 1}
    for (x, y), pair in swords:
        one, other = sorted(pair, key=lambda at, x=x, y=y: order[at[0] - x, at[1] - y])  # type: ignore[misc]
        texts.add(f"{square_text((x, y))}*{square_text(one)}+{square_text(other)}")
    return texts


def one_power(game: Game, state: State, text: str, rules: Rules, rng: np.random.Generator) -> None:
    """Uses a power, declines all healing, and compares the remaining pieces and what players know of them."""
    pieces, chosen = pieces_of(state), list[Square]()
    numbers = {square: piece[2] for square, piece in pieces.items()}
    after = game.apply(state, 0, game.parse_action(game.view(state, 0), text))
    while game.to_act(after) and after[0]["phase"] in (*HEALING, TARGET):
        (actor,) = game.to_act(after)
        legal = game.legal_actions(after, actor)
        pick = (
            "decline" if after[0]["phase"] != TARGET else game.action_text(game.view(after, 0), int(rng.choice(legal)))
        )
        chosen += [read_square(pick[7:])] if pick != "decline" else []
        after = game.apply(after, actor, game.parse_action(game.view(after, actor), pick))

    def choose(equal: set[Square]) -> Square:
        return next((square for square in chosen if square in equal), min(equal))

    if text.startswith("apple"):
        square = read_square(text[6:])
        revealed = control(square, pieces, rules, choose) | {at for at, p in pieces.items() if p[:2] == (0, "F")}
    else:
        begin, _, ends = text.partition("*")
        revealed = strike(read_square(begin), {read_square(end) for end in ends.split("+")}, pieces, rules, choose)
    assert pieces_of(after) == pieces, (game.state_text(state), text)
    known = {(k % 10, k // 10) for k in range(100) if after[0]["marks"][k] & SEEN}
    assert known == {square for square in revealed if square in pieces and numbers[square] == pieces[square][2]}
    flags = {piece[0] for piece in pieces.values() if piece[1] == "F"}
    assert (game.outcome(after) is not None) == (len(flags) == 1)
    assert game.outcome(after) is not None or after[0]["quiet"] == 0


@pytest.mark.parametrize(("ties", "bombs", "stays"), list(itertools.product((False, True), repeat=3)))
def test_sword_and_apple_as_the_oracle(ties: bool, bombs: bool, stays: bool) -> None:
    game = make("special", attacker_wins_ties=ties, one_time_bombs=bombs, apple_bomb_stays=stays)
    rng = np.random.default_rng(ties + 2 * bombs + 4 * stays)
    for _ in range(40):
        state = crowd(game, rng)
        texts = expected_powers(pieces_of(state))
        assert powers(game, state) == texts
        for text in sorted(texts):
            one_power(game, state, text, Rules(ties, bombs, stays), rng)
