"""Counting of action sequences, to check rules against known numbers."""

from __future__ import annotations

from operator import index

from gonfalon.engine.game import Game, State
from gonfalon.engine.view import as_bytes, zero_rows


def perft(game: Game, state: State, depth: int) -> int:
    """Count the sequences of exactly `depth` actions from `state`. A sequence that ends the match earlier does not
    count.

    If several players may act, the first one acts. Each possible draw of chance counts once. Raises ValueError for a
    depth below 0.
    """
    depth = index(depth)
    if depth < 0:
        raise ValueError(f"the depth is at least 0, not {depth}")
    stack = zero_rows(state.dtype, depth + 1)
    as_bytes(stack)[:1] = as_bytes(state)
    return int(game.kernels.perft(stack, game.rules, depth, game.kernels.list_rows(depth + 1)))
