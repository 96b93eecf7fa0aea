"""Positions, turns and results as text, so that the tests of the rules read like diagrams.

A diagram is some rows of the board, upper rows first, in the cells of `position.py`. Rows that are left out, and squares
to the right of the last cell, are empty; blocked squares may be written as empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import gonfalon
from gonfalon.engine.game import Game, IllegalActionError, State
from gonfalon.games.grid.ruleset import TYPES

RED, BLUE = 0, 1


@cache
def make(variant: str, **switches: bool | int) -> Game:
    """The game; each set of switches is made once."""
    return gonfalon.make(variant, **switches)


@dataclass(frozen=True)
class Position:
    """A state of a game and the step that led to it."""

    game: Game
    state: State
    step: tuple[State, int, int] | None = None

    @property
    def actor(self) -> int:
        """The one player who may act."""
        (actor,) = self.game.to_act(self.state)
        return actor

    @property
    def row(self) -> Any:
        """The fields of the state."""
        return self.state[0]

    def action(self, text: str) -> int:
        return self.game.parse_action(self.game.view(self.state, RED), text)

    def play(self, *texts: str) -> Position:
        """The position after these actions, each by whoever is to act."""
        at = self
        for text in texts:
            action, player = at.action(text), at.actor
            # The text is what the engine calls the action: "x" for an attack, "-" for a move.
            assert at.game.action_text(at.game.view(at.state, player), action) == text
            at = Position(at.game, at.game.apply(at.state, player, action), (at.state, player, action))
        return at

    def legal(self, begin: str = "", player: int | None = None) -> set[str]:
        """Texts of the legal actions that begin with `begin`, of the actor or of `player`; the empty set when it is over."""
        if player is None:
            if not self.game.to_act(self.state):
                return set()
            player = self.actor
        view = self.game.view(self.state, player)
        texts = (self.game.action_text(view, int(a)) for a in self.game.legal_actions(self.state, player))
        return {text for text in texts if text.startswith(begin)}

    def refusal(self, text: str) -> str:
        """The code of the reason why the actor may not do this."""
        with pytest.raises(IllegalActionError) as caught:
            self.game.apply(self.state, self.actor, self.action(text))
        assert not set(self.legal()) & {text, text.replace("-", "x")}
        return caught.value.refusal.code

    def told(self, observer: int) -> list[str]:
        """The events of the last step, as `observer` is told them: code, then the values of the arguments."""
        assert self.step is not None
        before, player, action = self.step
        events = self.game.events(before, player, action, self.state, observer)
        return [" ".join((e.code, *(str(value) for value in e.args.values()))) for e in events]

    def cells(self) -> dict[str, str]:
        """The cell of every square, as the text form of positions writes it."""
        return cells_of(self.game.state_text(self.state))

    def seen(self, square: str, observer: int) -> str:
        """The type that `observer` sees on a square: "" for an empty square, "hidden" for an unknown piece."""
        tokens = self.game.scene(self.game.view(self.state, observer)).tokens
        faces = [token.face or "hidden" for token in tokens if token.place == square]
        return faces[0] if faces else ""

    @property
    def ended(self) -> str:
        """How the match ended: "red flag", "blue no-moves", "draw stalemate"; "" while it goes on."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return ""
        red, blue = outcome.returns
        assert red == -blue
        return f"{'red' if red > 0 else 'blue' if blue > 0 else 'draw'} {outcome.reason}"


def cells_of(text: str) -> dict[str, str]:
    """Cells by square of the rows in a text; other lines are passed over."""
    rows = [line.split() for line in text.splitlines() if line.split() and line.split()[0].isdigit()]
    return {f"{file}{number}": cell for number, *cells in rows for file, cell in zip("abcdefghij", cells, strict=False)}


def full_diagram(game: Game, diagram: str) -> str:
    """The diagram with all its rows, the left out squares empty."""
    data = game.info.ruleset.data["board"]
    given = cells_of(diagram)
    lines = []
    for number in range(data["rows"], 0, -1):
        names = [f"{file}{number}" for file in "abcdefghij"]
        cells = ["~~" if name in data["blocked"] else given.get(name, "..") for name in names]
        lines.append(" ".join((str(number), *cells)))
    return "\n".join(lines)


def position(variant: str, diagram: str, turn: int = 0, quiet: int = 0, lines: str = "", **switches: Any) -> Position:
    """A position of a variant; red is to move after an even number of turns. `lines`: more lines of the text form."""
    game = make(variant, **switches)
    text = f"{variant}\nturn {turn} quiet {quiet}\n{lines}\n{full_diagram(game, diagram)}"
    return Position(game, game.parse_state(text))


def same_board(after: Position, diagram: str) -> None:
    """Asserts that the board is this one, marks (moved, seen, spent) included."""
    assert "\n".join(_pieces(after.cells())) == "\n".join(_pieces(cells_of(full_diagram(after.game, diagram))))


def _pieces(cells: dict[str, str]) -> list[str]:
    return sorted(f"{square} {cell}" for square, cell in cells.items() if cell not in ("..", "~~"))


def lost(after: Position, side: int) -> dict[str, int]:
    """How many pieces of each type a side has lost, by name; none that it has not lost."""
    return {TYPES[k]: int(n) for k, n in enumerate(after.row["lost"][side]) if n and k}


def deployed(variant: str, red: str, blue: str, **switches: Any) -> Position:
    """The position after both deployments: letters, back row first, from the owner's left."""
    game = make(variant, **switches)
    at = Position(game, game.initial_state())
    for player, text in ((RED, red), (BLUE, blue)):
        for action in game.parse_deployment(text, player):
            at = Position(game, game.apply(at.state, player, int(action)), (at.state, player, int(action)))
    return at
