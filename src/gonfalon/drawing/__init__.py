"""Pictures of views as SVG, with the drawings of the page. They know layouts, no game.

>>> import gonfalon
>>> game = gonfalon.make("barrage")
>>> gonfalon.draw(game, game.view(game.initial_state(), 0)).save("start.svg")

A notebook shows a view as `draw(view.game, view)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from gonfalon.drawing.layouts import LAYOUTS
from gonfalon.drawing.pieces import Likely
from gonfalon.engine.game import EVERYTHING, Game, State
from gonfalon.engine.view import View


class Picture:
    """An SVG picture. Notebooks show it by itself."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture of {len(self.svg):,} characters>"

    def save(self, path: str | Path) -> None:
        """Write the picture to a file. Raises OSError."""
        Path(path).write_text(self.svg + "\n", encoding="utf-8")


def draw(
    game: Game, shown: View | State, worlds: State | Iterable[State] | None = None, *, turned: bool = False
) -> Picture:
    """Return a picture of the board, the pieces beside it and what is known of them.

    `shown`: a view, or a state, of which everything is shown. `worlds`: states that the viewer cannot tell from the
    true one, as an array of shape (n,) from `game.sample_worlds` or several from `game.resample`; hidden pieces then
    show their most frequent type and its share. `turned`: from the far side. Raises ValueError for a view of another
    ruleset.
    """
    view = shown if isinstance(shown, View) else game.view(shown, EVERYTHING)
    if view.ruleset != game.info.ruleset.name:
        raise ValueError(f"this view is of {view.ruleset}, not of {game.info.ruleset.name}")
    board = game.board()
    likely = {} if worlds is None else _count_faces(game, worlds)
    return Picture(LAYOUTS[board.layout](board, game.scene(view), likely, turned))


def _count_faces(game: Game, worlds: State | Iterable[State]) -> dict[str, Likely]:
    """Return by place the most frequent type of the piece there, and its share."""
    counts: dict[str, Counter[str]] = {}
    total = 0
    for states in [worlds] if isinstance(worlds, np.ndarray) else worlds:
        for number in range(len(states)):
            total += 1
            for token in game.scene(game.view(states[number : number + 1], EVERYTHING)).tokens:
                counts.setdefault(token.place, Counter())[token.face] += 1
    best = {place: found.most_common(1)[0] for place, found in counts.items()}
    return {place: Likely(face, count / total) for place, (face, count) in best.items()}
