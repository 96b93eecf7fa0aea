"""The compiled rules against the slow oracles, on random play of every variant and on chases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gonfalon.engine.game import Actions, Game, State
from gonfalon.games.grid.tests.chase_oracle import ChaseTable
from gonfalon.games.grid.tests.diagrams import make
from gonfalon.games.grid.tests.oracle import Move, Piece, Square, Table, read_square

LETTERS = ".S23456789MBF"
MOVES = 2000
"""Actions below this are moves: square * 20 + column, or + 10 + row."""


def pieces_of(state: State) -> dict[Square, Piece]:
    """The board, its pieces named by the engine's numbers."""
    row = state[0]
    found: dict[Square, Piece] = {}
    for index, code in enumerate(row["board"][:100].tolist()):
        if 0 < code < 64:
            found[index % 10, index // 10] = (int(code >= 32), LETTERS[code & 15], int(row["number"][index]))
    return found


def table_of(game: Game, state: State, kind: type[Table] = Table, **more: Any) -> Table:
    values, board = game.info.ruleset.values, game.info.ruleset.data["board"]
    return kind(
        board["rows"],
        frozenset(read_square(name) for name in board["blocked"]),
        pieces_of(state),
        limit=int(values["two_square_limit"]),
        ties=bool(values["attacker_wins_ties"]),
        bombs_go=bool(values["one_time_bombs"]),
        mover=int(state[0]["mover"]),
        **more,
    )


def action_of(move: Move) -> int:
    (x, y), (to_x, to_y) = move
    return (y * 10 + x) * 20 + (to_x if to_y == y else 10 + to_y)


def move_of(action: int) -> Move:
    square, to = divmod(action, 20)
    x, y = square % 10, square // 10
    return (x, y), (to, y) if to < 10 else (x, to - 10)


def one_turn(game: Game, state: State, table: Table, action: int, rng: np.random.Generator) -> State:
    """Plays a whole turn on both. Powers and returns, which the oracle does not know, are copied from the state."""
    state = game.apply(state, table.mover, action)
    unknown = action >= MOVES
    while (actors := game.to_act(state)) and state[0]["phase"] != 1:
        unknown = True
        state = game.apply(state, actors[0], int(rng.choice(game.legal_actions(state, actors[0]))))
    if action < MOVES:
        table.play(move_of(action))
    else:
        table.past.append((-1, None))
        table.mover = 1 - table.mover
    if unknown:
        table.pieces = pieces_of(state)
        if isinstance(table, ChaseTable):
            table.history[-1] = dict(table.pieces)
    return state


def check_end(game: Game, state: State, table: Table) -> None:
    """Checks that the match is over exactly when the oracle says so (GR-18, GR-19), except for turn limits and
    Apples.
    """
    outcome, values = game.outcome(state), game.info.ruleset.values
    flags = {piece[0] for piece in table.pieces.values() if piece[1] == "F"}
    stuck = find_stuck(table)
    while values["no_move_passes"] and len(flags) == 2 and stuck[table.mover] and not all(stuck):
        table.miss_turn()
        stuck = find_stuck(table)
    if len(flags) == 1:
        assert outcome is not None
        assert outcome.reason == "flag"
        assert outcome.returns[flags.pop()] == 1
    elif (all(stuck) if values["no_move_passes"] else any(stuck)) and not game.info.ruleset.data["powers"]:
        assert outcome is not None
        assert outcome.reason == ("stalemate" if all(stuck) else "no-moves")
        assert outcome.returns == ((0, 0) if all(stuck) else (-1, 1) if stuck[0] else (1, -1))
    elif outcome is not None:
        assert outcome.reason in ("max-turns", "quiet") or game.info.ruleset.data["powers"]
    if outcome is None:
        assert (state[0]["mover"], state[0]["quiet"]) == (table.mover, table.quiet) or game.info.ruleset.data["powers"]


def find_stuck(table: Table) -> list[bool]:
    """Whether each side has no legal turn, the side to move judged with GR-9 and GR-10."""
    return [not (table.legal() if side == table.mover else moves_of(table, side)) for side in (0, 1)]


def moves_of(table: Table, side: int) -> set[Move]:
    return {(at, end) for at, piece in table.pieces.items() if piece[0] == side for end in table.reach(at)}


def compare(game: Game, state: State, table: Table, rng: np.random.Generator, turns: int, choose: Any) -> int:
    """Plays on, comparing legal moves and boards after every turn. Returns the number of compared turns."""
    for turn in range(turns):
        legal = game.legal_actions(state, table.mover)
        moves = {int(action) for action in legal if action < MOVES}
        assert moves == {action_of(move) for move in table.legal()}, game.state_text(state)
        before = state
        state = one_turn(game, state, table, choose(table, legal, rng), rng)
        assert pieces_of(state) == table.pieces, game.state_text(before)
        check_end(game, state, table)
        if not game.to_act(state):
            return turn + 1
        assert not isinstance(table, ChaseTable) or state[0]["chase"].tolist() == table.chase
    return turns


def any_action(table: Table, legal: Actions, rng: np.random.Generator) -> int:
    return int(rng.choice(legal))


def back_and_forth(table: Table, legal: Actions, rng: np.random.Generator) -> int:
    """Often moves the piece that moved last, so that GR-9 is met."""
    if len(table.past) > 1 and rng.random() < 0.85:
        made = table.past[-2][1]
        again = [int(a) for a in legal if made and a < MOVES and move_of(int(a))[0] == made[1]]
        if again:
            return int(rng.choice(again))
    return int(rng.choice(legal))


def random_start(game: Game, rng: np.random.Generator) -> State:
    state = game.initial_state()
    for side in (0, 1):
        for action in game.random_deployment(game.view(state, side), rng):
            state = game.apply(state, side, int(action))
    return state


SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"attacker_wins_ties": True, "one_time_bombs": True, "two_square_limit": 5},
    {"two_square_limit": 0, "silent_defence": True},
)


@pytest.mark.parametrize("choose", [any_action, back_and_forth])
@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("variant", ["original", "classic", "special", "duel", "duel-10x10", "barrage"])
def test_moves_and_battles_as_the_oracle(variant: str, switches: dict[str, Any], choose: Any) -> None:
    game = make(variant, chase_rule=False, **switches)
    rng = np.random.default_rng(len(variant) + 10 * len(switches))
    turns = 0
    while turns < 500:
        state = random_start(game, rng)
        turns += compare(game, state, table_of(game, state), rng, 200, choose) if game.to_act(state) else 1


def test_gr_19_missed_turns_as_the_oracle() -> None:
    """In a closed corner one side soon has nothing left that can move, or nothing that the two-square rule allows."""
    for limit in (0, 3):
        game = make("original", chase_rule=False, two_square_limit=limit, no_move_passes=True)
        rng = np.random.default_rng(limit)
        turns, missed = 0, 0
        while turns < 1500:
            state = close_fight(game, rng)
            if game.to_act(state):
                table = table_of(game, state)
                turns += compare(game, state, table, rng, 60, any_action)
                missed += sum(move is None for _, move in table.past)
        assert missed > 50  # the rule occurred often enough to be tested


# ---- GR-10 ---------------------------------------------------------------------------------------------------------


def close_fight(game: Game, rng: np.random.Generator) -> State:
    """A position with a few pieces of both sides in a corner closed by Bombs. Some have the same rank."""
    cells = {(x, y): ".." for x in range(10) for y in range(10)}
    cells.update((read_square(name), "~~") for name in game.info.ruleset.data["board"]["blocked"])
    cells[9, 0], cells[9, 9] = "rF", "bF"
    width, height = int(rng.integers(2, 5)), int(rng.integers(3, 5))
    side = "rb"[int(rng.integers(2))]
    wall = [(k, height) for k in range(width)] + [(width, k) for k in range(height)]
    for k, square in enumerate(wall):
        if cells[square] == "..":
            cells[square] = f"{'rb'[k % 2] if len(wall) > 6 else side}B"
    free = [(x, y) for x in range(width) for y in range(height)]
    free = [free[k] for k in rng.permutation(len(free))]
    for army in (["r3", "r3", "r7"], ["b5", "b5", "b2"]):
        for cell in army[: 1 + int(rng.integers(min(3, len(free) // 3)))]:
            cells[free.pop()] = cell
    rows = [f"{y + 1} {' '.join(cells[x, y] for x in range(10))}" for y in range(10)]
    return game.parse_state("\n".join((game.info.variant, "turn 0 quiet 0", *rows)))


def chasing(table: Table, legal: Actions, rng: np.random.Generator) -> int:
    """Threatens and evades more often than not, and seldom attacks."""
    assert isinstance(table, ChaseTable)
    moves = [move_of(int(action)) for action in legal]
    quiet = [move for move in moves if move[1] not in table.pieces] or moves
    near = [
        m for m in quiet if table.next_to_enemy(m[1], table.mover, {k: v for k, v in table.pieces.items() if k != m[0]})
    ]
    away = [m for m in quiet if table.next_to_enemy(m[0], table.mover, table.pieces)]
    wanted = near if table.mover == 0 else [m for m in away if m not in near]
    pool = wanted if wanted and rng.random() < 0.9 else moves if rng.random() < 0.05 else quiet
    return action_of(pool[int(rng.integers(len(pool)))])


@pytest.mark.parametrize(
    ("limit", "switches"), [(0, {}), (3, {}), (5, {}), (0, {"rescue": True}), (3, {"no_move_passes": True})]
)
def test_gr_10_working_form_as_the_oracle(limit: int, switches: dict[str, bool]) -> None:
    game = make("original", two_square_limit=limit, **switches)
    rng = np.random.default_rng(limit)
    turns, banned = 0, 0
    while turns < 2500:
        state = close_fight(game, rng)
        if not game.to_act(state):
            continue
        table = table_of(game, state, ChaseTable)
        assert isinstance(table, ChaseTable)

        def choose(at: Table, legal: Actions, rng: np.random.Generator) -> int:
            nonlocal banned
            banned += len(legal) < sum(not at.crosses_too_often(move) for move in at.possible())
            return chasing(at, legal, rng)

        turns += compare(game, state, table, rng, 120, choose)
    assert banned > 8  # the rule occurred often enough to be tested
