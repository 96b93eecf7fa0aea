"""Tiny solved through the interface alone: builds its whole tree and finds strategies against which no answer wins much
more than the game's value.

Uses regret matching on information states (Zinkevich et al., "Regret Minimization in Games with Incomplete
Information", 2007), with regrets kept at 0 or above (Tammelin, "Solving Large Imperfect Information Games Using CFR+",
2014).
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon import make
from gonfalon.engine.game import CHANCE, Game, State

GAME = make("tiny")
ROUNDS = 80


class Node(NamedTuple):
    """A node of the tree. `knows` is the information state of the actor, `odds` the probabilities of chance. A leaf has
    no `children`, but red's `value`.
    """

    player: int
    knows: bytes
    odds: NDArray[np.float64] | None
    children: tuple[Node, ...]
    value: float = 0.0


def tree(game: Game, state: State, heard: tuple[bytes, bytes]) -> Node:
    """Return the tree of all that can follow a state. `heard`: the events that each player has seen so far, as
    bytes.
    """
    if (outcome := game.outcome(state)) is not None:
        return Node(CHANCE, b"", None, (), outcome.returns[0])
    (player,) = game.to_act(state)
    actions, odds = game.chance_outcomes(state) if player == CHANCE else (game.legal_actions(state, player), None)
    children = []
    for action in actions.tolist():
        after = game.apply(state, player, action)
        told = tuple(known + repr(game.events(action, after, p)).encode() for p, known in enumerate(heard))
        children.append(tree(game, after, told))  # type: ignore[arg-type] # one for each of two players
    return Node(player, heard[player] if player >= 0 else b"", odds, tuple(children))


class Solver:
    """The players' strategies by information state, which each round improves."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.regrets: dict[bytes, NDArray[np.float64]] = {}
        self.sums: dict[bytes, NDArray[np.float64]] = defaultdict(lambda: np.zeros(1))

    def solve(self, rounds: int) -> None:
        for number in range(1, rounds + 1):
            for me in (0, 1):
                self._improve(self.root, me, np.ones(3), number)

    def _improve(self, node: Node, me: int, reach: NDArray[np.float64], number: int) -> float:
        """Improve the strategy of `me` below the node; return the node's value for `me`. `reach`: the probabilities
        with which red, blue and chance play up to the node.
        """
        if not node.children:
            return node.value if me == 0 else -node.value
        policy = node.odds if node.odds is not None else _matched(self.regrets, node)
        values = np.empty(len(node.children))
        for k, child in enumerate(node.children):
            further = reach.copy()
            further[node.player] *= policy[k]
            values[k] = self._improve(child, me, further, number)
        value = float(policy @ values)
        if node.player == me:
            others = reach[1 - me] * reach[CHANCE]
            self.regrets[node.knows] = np.maximum(0, self.regrets[node.knows] + others * (values - value))
            self.sums[node.knows] = self.sums[node.knows] + number * reach[me] * policy
        return value

    def best_answer(self, me: int) -> float:
        """Return the best result that `me` can reach against the opponent's average strategy."""
        answers: dict[bytes, NDArray[np.float64]] = {}
        for depth in range(7, -1, -1):  # deeper answers first, since answers above depend on them
            gains: dict[bytes, NDArray[np.float64]] = defaultdict(lambda: np.zeros(1))
            self._gather(self.root, me, 1.0, depth, answers, gains)
            answers |= gains
        return self._worth(self.root, me, answers)

    def _gather(
        self,
        node: Node,
        me: int,
        reach: float,
        depth: int,
        answers: dict[bytes, NDArray[np.float64]],
        gains: dict[bytes, NDArray[np.float64]],
    ) -> None:
        if depth == 0:
            if node.children and node.player == me:
                worth = np.array([self._worth(child, me, answers) for child in node.children])
                gains[node.knows] = gains[node.knows] + reach * worth
            return
        policy = self._policy(node, me) if node.children else ()
        for k, child in enumerate(node.children):
            self._gather(child, me, reach * policy[k], depth - 1, answers, gains)

    def _worth(self, node: Node, me: int, answers: dict[bytes, NDArray[np.float64]]) -> float:
        if not node.children:
            return node.value if me == 0 else -node.value
        if node.player == me:
            return self._worth(node.children[int(answers[node.knows].argmax())], me, answers)
        policy = self._policy(node, me)
        return float(policy @ np.array([self._worth(child, me, answers) for child in node.children]))

    def _policy(self, node: Node, me: int) -> NDArray[np.float64]:
        """Return the probabilities of the actions for chance and the opponent, but ones for `me`, who may take any
        action.
        """
        if node.odds is not None:
            return node.odds
        even, sums = np.ones(len(node.children)), self.sums[node.knows]
        if node.player == me:
            return even
        return sums / sums.sum() if sums.sum() > 0 else even / len(even)


def _matched(regrets: dict[bytes, NDArray[np.float64]], node: Node) -> NDArray[np.float64]:
    found = regrets.setdefault(node.knows, np.zeros(len(node.children)))
    total = found.sum()
    return found / total if total > 0 else np.full(len(found), 1 / len(found))


def count(node: Node) -> int:
    return 1 + sum(map(count, node.children))


def test_the_whole_tree_is_what_perft_counts() -> None:
    assert count(tree(GAME, GAME.initial_state(), (b"", b""))) == 1 + 6 + 36 + 324 + 1728 + 4608 + 4536 + 1260


def test_nobody_can_do_much_better_than_the_strategies_found() -> None:
    solver = Solver(tree(GAME, GAME.initial_state(), (b"", b"")))
    solver.solve(ROUNDS)
    red, blue = solver.best_answer(0), solver.best_answer(1)
    assert 0 <= red + blue < 0.03, "what both could gain together by answering best"
    assert 0.25 < red < 0.4, "who begins has the better of it"
