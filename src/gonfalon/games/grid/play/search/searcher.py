"""Memory of the alpha-beta search: scratch rows and the transposition table, for one decision."""

from __future__ import annotations

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.view import zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.outcome import WIN
from gonfalon.games.grid.play.search.alpha_beta import find_exposed, search_action
from gonfalon.games.grid.play.search.frame import FRAME, FRAMES
from gonfalon.games.grid.play.search.transposition_table import SIZE, TRANSPOSITION


class Searcher:
    """Searches worlds. What it finds in a world shortens the next search there."""

    def __init__(self, rules: Rows) -> None:
        """`rules`: a copy of the game's, since kernels write their lists into it."""
        self._rules = rules
        self._rows, self._frames = zero_rows(g.STATE, FRAMES), zero_rows(FRAME, FRAMES)
        self._transpositions = zero_rows(TRANSPOSITION, SIZE)

    def search(
        self, world: Rows, context: Rows, action: int, depth: int, alpha: float = -2 * WIN, beta: float = 2 * WIN
    ) -> float:
        """Return the points of a legal action in a world, one row each, as `search_action` says."""
        start = self._frames[0]
        start["depth"], start["alpha"], start["beta"] = depth, alpha, beta
        memory = self._rows, self._frames, self._transpositions
        return float(search_action(world, self._rules, context, *memory, action))

    def find_exposed(self, world: Rows, context: Rows, actions: Rows) -> None:
        """Mark the actions that lose the Flag, as the function `find_exposed` says."""
        find_exposed(world, self._rules, context, self._rows, self._frames, self._transpositions, actions)
