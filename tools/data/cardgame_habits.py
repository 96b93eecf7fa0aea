"""Counts how a player of the Card Game lays its cards and which of them it leaves alone, and writes the table
`[habits]` of `games/cardgame/data/play.toml`.

    python tools/data/cardgame_habits.py [MATCHES]

The players decide at once, as in the lines that the search plays on. Counted is what one of them sees: for each hidden
card of the enemy line, from its own events, since when it lies there and what it left undone.
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
"""So many cards are taken as counted already, of those that did what all did."""
SURE = 0.6
"""Power with which others are taken to act as these players do."""
RAREST = 0.1
"""Nothing is held less likely than this by where it lies: others may do what these players never do."""


class Tally:
    """Counts by type. A card's odds are how often it was there over how often it would be by chance."""

    def __init__(self) -> None:
        self.found = {name: np.zeros(g.TYPES) for name in ("first", "filled", "hand", "pile")}
        self.due = {name: np.zeros(g.TYPES) for name in ("first", "filled", "hand", "pile")}
        self.turns = np.zeros((g.TYPES, g.TYPES))
        self.acted = np.zeros((g.TYPES, g.TYPES))

    def count_turn(self, state: State, story: Story, actor: int) -> None:
        """Note that the enemy is about to act with the card on place `actor` of its line."""
        row, enemy = state[0], 1 - story.side
        context = story.context()
        for k in range(g.LINE):
            place = enemy * g.SIDE_PLACES + k
            if row["kind"][place] and not row["known"][story.side, place]:
                self.turns[context, row["kind"][place]] += 1
                self.acted[context, row["kind"][place]] += k == actor

    def count_cards(self, state: State, story: Story) -> None:
        """Return the places of the enemy's hidden cards that were laid since its last turn or are not laid."""
        row, enemy = state[0], 1 - story.side
        first = enemy * g.SIDE_PLACES
        hidden = [p for p in range(first, first + g.SIDE_PLACES) if row["kind"][p] and not row["known"][story.side, p]]
        unseen = row["pile"][enemy] + np.bincount(row["kind"][hidden], minlength=g.TYPES)
        if row["n_hand"][enemy] + row["n_pile"][enemy] < g.HAND or not unseen.sum():
            return  # what had to be laid says nothing of habits
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
        """The numbers of the table, each with three digits."""
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
    """A match between two players who decide at once."""

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
    """The place, from 0, of the card that acts."""
    if action == g.ACT_TRICK:
        return int(np.flatnonzero(state[0]["kind"][player * g.SIDE_PLACES :][: g.LINE] == g.FLAG)[0])
    if action < g.ACT_LOOK_HAND:
        return (action - g.ACT_ATTACK) // g.LINE
    return action - g.ACT_LOOK_HAND if action < g.ACT_LOOK_LINE else (action - g.ACT_LOOK_LINE) // g.LOOKS


def write(table: dict[str, list[list[float]]]) -> None:
    """Replaces the table at the end of the file."""
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
