"""Perft tables: positions with the number of action sequences of each length, as data of each family.

`python tests/perft.py` counts all tables again with the compiled rules and prints differences. With `--slow` it uses
only the interface; then `GONFALON_PLAIN=1` makes it use the uncompiled rules.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

import gonfalon
from conformance.cases import possible
from gonfalon import games
from gonfalon.engine.game import Game, State
from gonfalon.engine.learning.counting import perft


class Position(msgspec.Struct, frozen=True):
    """A line of a table: from the position `text` there are `counts[k]` sequences of `k + 1` actions."""

    name: str
    variant: str
    text: str
    counts: tuple[int, ...]
    source: str
    switches: dict[str, bool | int] = {}

    @property
    def game(self) -> Game:
        return gonfalon.make(self.variant, **self.switches)


def tables() -> tuple[Position, ...]:
    """The positions of all families."""
    found: list[dict[str, Any]] = []
    for path in sorted(Path(games.__file__).parent.glob("*/tests/perft.toml")):
        found += tomllib.loads(path.read_text(encoding="utf-8"))["position"]
    return tuple(msgspec.convert(position, Position) for position in found)


def count_by_interface(game: Game, state: State, depth: int) -> int:
    """Count only with `legal_actions`, `chance_outcomes` and `apply`. Each possible draw counts once."""
    able = game.to_act(state)[:1]
    legal = [(player, int(action)) for player in able for action in possible(game, state, player)]
    if depth == 1:
        return len(legal)
    return sum(count_by_interface(game, game.apply(state, player, action), depth - 1) for player, action in legal)


SLOW = 10_000
"""Maximum number of sequences that `--slow` counts."""


def main() -> int:
    slow = "--slow" in sys.argv[1:]
    counter, most = (count_by_interface, SLOW) if slow else (perft, sys.maxsize)
    wrong = 0
    for position in tables():
        game = position.game
        state = game.parse_state(position.text)
        wanted = [counted for counted in position.counts if counted <= most]
        found = [counter(game, state, depth) for depth in range(1, len(wanted) + 1)]
        if found != wanted:
            wrong += 1
            sys.stdout.write(f"{position.variant} {position.name}: {found}, not {wanted}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
