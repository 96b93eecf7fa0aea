"""Counts how a player of the Card Game lays cards and which cards do nothing, and writes the table `[habits]` of
`games/cardgame/data/play.toml`.

    python tools/data/cardgame_habits.py [MATCHES]

The players decide without a search, like the players in the lines of the search. The tool counts what an opponent can
see: since when each hidden card of the enemy line lies there, and what it could have done but did not do.
"""

from __future__ import annotations

import sys

import numpy as np

import gonfalon
from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.view import copy_rows
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.policy import BOX
from gonfalon.games.cardgame.play.quick import decide
from gonfalon.games.cardgame.play.story import Story
from gonfalon.games.cardgame.play.tables import weights
from gonfalon.games.cardgame.ruleset import DATA

MATCHES = 3000
SMOOTH = 5.0
"""Number of imaginary cards with average behaviour, added to the counts."""
SURE = 0.6
"""Weight of these habits for real opponents, who may differ from these players; from 0 to 1."""
RAREST = 0.1
"""Minimum factor for a type because of its place: real opponents may do what these players never do."""


class Tally:
    """Counts by type. The odds of a type in a place are its count (`found`), divided by the count expected by chance
    (`due`).
    """

    def __init__(self) -> None:
        self.found = {name: np.zeros(g.TYPES) for name in ("first", "filled", "hand", "pile")}
        self.due = {name: np.zeros(g.TYPES) for name in ("first", "filled", "hand", "pile")}
        self.turns = np.zeros((g.TYPES, g.TYPES))
        self.acted = np.zeros((g.TYPES, g.TYPES))

    def count_turn(self, state: State, story: Story, actor: int) -> None:
        """Count a decision of the enemy, who is about to act with the card on place `actor` of its line."""
        row, enemy = state[0], 1 - story.side
        context = story.context()
        for k in range(g.LINE):
            place = enemy * g.SIDE_PLACES + k
            if row["kind"][place] and not row["known"][story.side, place]:
                self.turns[context, row["kind"][place]] += 1
                self.acted[context, row["kind"][place]] += k == actor

    def count_cards(self, state: State, story: Story) -> None:
        """Count the types of the enemy's hidden cards that lie in the line since its last turn, or are in hand or
        pile.
        """
        row, enemy = state[0], 1 - story.side
        first = enemy * g.SIDE_PLACES
        hidden = [p for p in range(first, first + g.SIDE_PLACES) if row["kind"][p] and not row["known"][story.side, p]]
        unseen = row["pile"][enemy] + np.bincount(row["kind"][hidden], minlength=g.TYPES)
        if row["n_hand"][enemy] + row["n_pile"][enemy] < g.HAND or not unseen.sum():
            return  # a forced choice of cards shows no habit
        for place in hidden:
            k = place - first
            if k < g.LINE and story.stayed[k].sum():
                continue
            name = "hand" if k >= g.LINE else "first" if story.first[k] else "filled"
            self.found[name][row["kind"][place]] += 1
            self.due[name] += unseen / unseen.sum()
        self.found["pile"] += row["pile"][enemy]
        self.due["pile"] += row["pile"][enemy].sum() * unseen / unseen.sum()

    def table(self) -> dict[str, list[list[float]]]:
        """Return the table, with each number rounded to three digits."""
        odds = {name: (self.found[name] + SMOOTH) / (self.due[name] + SMOOTH) for name in self.found}
        found = {
            name: [np.maximum(RAREST, odds[name] / odds["pile"]).round(3).tolist()]
            for name in ("first", "filled", "hand")
        }
        share = self.acted.sum() / self.turns.sum()
        stays = 1 - SURE * (self.acted + SMOOTH * share) / (self.turns + SMOOTH)
        stays[:, g.BOMB :] = 1.0
        return {**found, "stays": stays.round(3).tolist()}


class Match:
    """A match between two players who decide without a search."""

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self.game, self.rng = game, rng
        self.rules, self.box = copy_rows(game.rules), np.zeros(BOX)
        self.counter = rng.integers(0, 2**63, 1).astype(np.uint64)
        self.chosen = np.zeros(g.LINE, np.int32)

    def play(self, tally: Tally) -> None:
        state, stories = self.game.initial_state(), (Story(0), Story(1))
        while actors := self.game.to_act(state):
            player = actors[0]
            for action in self._decide(state, player):
                if state[0]["phase"] == g.ACT:
                    tally.count_cards(state, stories[1 - player])
                    tally.count_turn(state, stories[1 - player], actor_of(state, player, action))
                state = self.game.apply(state, player, action)
                for story in stories:
                    for event in self.game.events(action, state, story.side):
                        story.hear(event)

    def _decide(self, state: State, player: int) -> list[int]:
        if player == CHANCE:
            return [draw(self.game, state, self.rng)]
        n = decide(copy_rows(state), self.rules, player, weights(), self.box, self.counter, self.chosen)
        return [int(action) for action in self.chosen[:n]]


def actor_of(state: State, player: int, action: int) -> int:
    """Return the place, from 0, of the card that acts."""
    if action == g.ACT_TRICK:
        return int(np.flatnonzero(state[0]["kind"][player * g.SIDE_PLACES :][: g.LINE] == g.FLAG)[0])
    if action < g.ACT_LOOK_HAND:
        return (action - g.ACT_ATTACK) // g.LINE
    return action - g.ACT_LOOK_HAND if action < g.ACT_LOOK_LINE else (action - g.ACT_LOOK_LINE) // g.LOOKS


def write(table: dict[str, list[list[float]]]) -> None:
    """Replace the table at the end of the file."""
    path = DATA / "play.toml"
    head = path.read_text(encoding="utf-8").split("\n[habits]\n")[0]
    lines = ["", "[habits]"]
    for name, rows in table.items():
        cells = [", ".join(f"{x:.3g}" for x in row) for row in rows]
        lines += [f"{name} = [{cells[0]}]"] if len(rows) == 1 else [f"{name} = [", *(f"    [{c}]," for c in cells), "]"]
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def main(matches: int) -> None:
    tally, match = Tally(), Match(gonfalon.make("cardgame"), np.random.default_rng(1))
    for _ in range(matches):
        match.play(tally)
    write(tally.table())


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else MATCHES)
