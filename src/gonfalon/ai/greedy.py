"""The agent that looks one turn ahead. It tries its actions, and the opponents' answers, in worlds that fit its
knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.ai.agent import Question
from gonfalon.engine.game import CHANCE, Actions, Game, State
from gonfalon.engine.view import View, copy_rows, zero_rows

TRIALS, LEAST_WORLDS, MOST_WORLDS = 400, 3, 24
"""Number of worlds per decision; every action is tried in each. In all about `TRIALS` actions are tried, but there are
at least `LEAST_WORLDS` worlds. The maximum is `MOST_WORLDS` divided by the number of players, since more players make
more decisions.
"""
PREFIXES = 24
"""Maximum number of beginnings of compound choices, each tried with every action that can complete it."""
FIRST_ANSWERS = 2
"""Number of worlds in which the answers to every action are tried."""
FINALISTS = 5
"""Number of best actions whose answers are tried in up to `LAST_ANSWERS` more worlds."""
LAST_ANSWERS = 6
MANY = 50
"""If more actions are legal, answers are tried only for the finalists."""
LONG_ANSWER = 2
"""Maximum number of decisions in an answer, such as a card and then a move."""
CAUTION = 0.5
"""Weight of the loss that the best answer causes. It is below 1, because an opponent knows less than the resampled
world shows.
"""
NOISE = 0.00005
"""Width of the random tie-break, in units of `Game.evaluate`."""

Path = tuple[int, ...]
"""The actions of a decision: one, or several for a compound choice."""


class GreedyAgent:
    """Takes the action with the best average result over worlds drawn from the view of its player.

    Within a turn of several actions it keeps the worlds of the previous decision. Those that still look like the true
    state are as likely as newly drawn ones.
    """

    name = "greedy"

    def __init__(self) -> None:
        self._last: _Decision | None = None

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """See `Agent.act`. This agent ignores `question.seconds`; most decisions take a few milliseconds."""
        view = question.view
        legal = view.legal
        if not len(legal):
            raise ValueError(f"player {view.observer} cannot act")
        last, self._last = self._last, None
        if not (last and last.is_like(legal)) and game.standing(view).deploys:
            return [int(action) for action in game.sensible_deployment(view, rng)]
        if len(legal) == 1:
            return [int(legal[0])]
        decision = _Decision(game, view, rng, last)
        chosen = decision.choose()
        if decision.continue_turn(chosen):
            self._last = decision
        return list(chosen)


class _Decision:
    """One decision: its worlds, its options, and their results.

    Legal actions depend only on the player's knowledge, so they are equal in all worlds. The later actions of a
    compound choice are equal too, because nobody else can see the choice yet.
    """

    def __init__(self, game: Game, view: View, rng: np.random.Generator, last: _Decision | None = None) -> None:
        self.game = game
        self.player = view.observer
        self.legal = view.legal
        self.rng = rng
        most = MOST_WORLDS // game.info.players
        self.count = min(most, max(LEAST_WORLDS, TRIALS // len(self.legal)))
        self.worlds = zero_rows(game.initial_state().dtype, self.count)
        fitting = last.list_fitting_worlds(view) if last else iter(())
        for row in self.worlds.view(np.uint8).reshape(self.count, -1):
            world = next(fitting, None)
            row[:] = (game.resample(view, rng) if world is None else world).view(np.uint8)
        self.lines = _Lines(game, rng, self.legal)

    def is_like(self, legal: Actions) -> bool:
        """Return whether another decision is of this kind: at least one action is legal in both."""
        return bool(np.isin(legal, self.legal, assume_unique=True).any())

    def continue_turn(self, chosen: Path) -> bool:
        """Return whether the turn goes on after `chosen`. If it does, replace the worlds by the states after
        `chosen`.
        """
        if self.game.to_act(self._play_in(0, chosen)) != (self.player,):
            return False
        self.worlds = self._play_everywhere(chosen)
        return True

    def list_fitting_worlds(self, view: View) -> Iterator[State]:
        """Yield the worlds that the viewer cannot tell from the true state now."""
        seen = view.tobytes()
        for world in range(self.count):
            if self.game.view(state := self.worlds[world : world + 1], self.player).tobytes() == seen:
                yield state

    def choose(self) -> Path:
        """Return the actions to take."""
        paths, values = self._try_options()
        scores: NDArray[np.float64] = values.mean(axis=0) + self.rng.random(len(paths)) * NOISE
        if self.lines.find_worst(self._play_in(0, paths[int(scores.argmax())]), self.player) is None:
            return paths[int(scores.argmax())]
        losses = np.zeros(values.shape)
        looked = FIRST_ANSWERS if len(paths) <= MANY else 0
        self._look_at_answers(paths, values, losses, range(looked), range(len(paths)))
        first = scores - CAUTION * losses[: max(looked, 1)].mean(axis=0)
        finalists = np.argsort(-first)[:FINALISTS].tolist()
        last = min(looked + LAST_ANSWERS, self.count)
        self._look_at_answers(paths, values, losses, range(looked, last), finalists)
        total = scores - CAUTION * losses[:last].mean(axis=0)
        chosen: int = max(finalists, key=lambda i: total[i])
        return paths[chosen]

    def _try_options(self) -> tuple[list[Path], NDArray[np.float64]]:
        """Return the options, and the value of each in each world: shape (worlds, options)."""
        opening = [a for a in self.legal.tolist() if self.game.is_open(self._play_in(0, (a,)), self.player)]
        at_once = np.setdiff1d(self.legal, opening).astype(np.int32)
        paths: list[Path] = [(action,) for action in at_once.tolist()]
        found = [self._score(self.worlds, at_once)] if paths else []
        for prefix in self._draw_prefixes(opening):
            rows = self._play_everywhere(prefix)
            ends = self.lines.legal(rows, self.player)
            paths += [(*prefix, action) for action in ends.tolist()]
            found.append(self._score(rows, ends))
        return paths, np.concatenate(found, axis=1)

    def _draw_prefixes(self, opening: list[int]) -> Iterator[Path]:
        """Yield compound choices without their last action, drawn at random: some for each first action."""
        if len(opening) > PREFIXES:
            opening = self.rng.choice(opening, PREFIXES, replace=False).tolist()
        seen: set[Path] = set()
        for first in opening:
            for _ in range(PREFIXES // len(opening)):
                prefix = self._draw_prefix(first)
                if prefix in seen and len(prefix) == 1:
                    break
                if prefix not in seen:
                    seen.add(prefix)
                    yield prefix

    def _draw_prefix(self, first: int) -> Path:
        path: Path = (first,)
        state = self._play_in(0, path)
        while True:
            legal = self.lines.legal(state, self.player)
            action = int(legal[self.rng.integers(len(legal))])
            state = self.game.apply(state, self.player, action)
            if not self.game.is_open(state, self.player):
                return path
            path = (*path, action)

    def _play_everywhere(self, path: Path) -> State:
        """Return copies of all worlds after these actions."""
        rows = copy_rows(self.worlds)
        for world in range(self.count):
            for action in path:
                self.game.kernels.step(rows, world, self.lines.rules, self.player, action)
        return rows

    def _play_in(self, world: int, path: Path) -> State:
        """Return a copy of one world after these actions."""
        state = copy_rows(self.worlds[world : world + 1])
        for action in path:
            self.game.kernels.step(state, 0, self.lines.rules, self.player, action)
        return state

    def _score(self, rows: State, actions: Actions) -> NDArray[np.float64]:
        worlds = (rows[world : world + 1] for world in range(self.count))
        scores = (self.lines.score(world, self.player, actions, self.player) for world in worlds)
        return np.stack(list(scores))

    def _look_at_answers(
        self,
        paths: Sequence[Path],
        values: NDArray[np.float64],
        losses: NDArray[np.float64],
        worlds: Sequence[int],
        options: Sequence[int],
    ) -> None:
        """Fill `losses`, shape (worlds, options): the cost of the worst answer to each option, at least 0. An option
        that does not end the player's turn has no answer yet. It gets the mean loss of the other options, so that
        ending the turn does not look too bad.
        """
        for world in worlds:
            worst = [self.lines.find_worst(self._play_in(world, paths[i]), self.player) for i in options]
            found = [values[world, i] if low is None else low for i, low in zip(options, worst, strict=True)]
            lost = np.maximum(0, values[world, options] - found)
            own = np.array([low is None for low in worst])
            lost[own] = lost[~own].mean() if not own.all() else 0
            losses[world, options] = lost


class _Lines:
    """Plays on in given worlds, with full knowledge of them."""

    def __init__(self, game: Game, rng: np.random.Generator, known: Actions | None = None) -> None:
        """`known`: legal actions of a decision that is not an arrangement."""
        self.game = game
        self.rng = rng
        self._known = known
        self._scratch = zero_rows(game.initial_state().dtype)
        self.rules = copy_rows(game.rules)
        self._counter = rng.integers(0, 2**63, 1).astype(np.uint64)

    def legal(self, state: State, player: int) -> Actions:
        """Return the player's legal actions in the first row of `state`."""
        n = self.game.kernels.legal(state, 0, self.rules, player)
        legal: Actions = self.rules["ids"][0, :n].copy()
        return legal

    def score(self, state: State, mover: int, actions: Actions, player: int) -> NDArray[np.float64]:
        """Return the value for `player` (as `Game.evaluate`) of the state after each of `mover`'s actions, shape
        (actions,).
        """
        values = np.empty(len(actions))
        self.game.kernels.score(state, self._scratch, self.rules, mover, actions, player, values)
        return values

    def find_worst(self, state: State, player: int) -> float | None:
        """Return the value for `player` after the most harmful answer; None if `player` acts next. Changes `state`."""
        state = self.finish_arranging(state, player)
        actors = self.game.to_act(state)
        if not actors:
            return self.game.evaluate(state, player)
        other, worst = actors[0], None
        for _ in range(LONG_ANSWER):
            if self.game.to_act(state)[:1] != (other,) or other == player:
                break
            answers = self.legal(state, other)
            values = self.score(state, other, answers, player)
            lowest = len(values) - 1 - int(values[::-1].argmin())  # the last of equal ones, since declining comes last
            worst = float(values[lowest])
            self.game.kernels.step(state, 0, self.rules, other, int(answers[lowest]))
            self.draw_due(state)
        return worst

    def finish_arranging(self, state: State, player: int) -> State:
        """Play on until another player can answer: make the draws that are due, and the arrangements that `player` must
        still complete in this turn. Changes `state` and returns it.
        """
        while True:
            self.draw_due(state)
            if self.game.to_act(state) != (player,):
                return state
            if self._known is not None and np.isin(self.legal(state, player), self._known, assume_unique=True).any():
                return state
            view = self.game.view(state, player)
            if not self.game.standing(view).deploys:
                return state
            for action in self.game.sensible_deployment(view, self.rng):
                self.game.kernels.step(state, 0, self.rules, player, int(action))

    def draw_due(self, state: State) -> None:
        """Make all draws that are due, in place."""
        while self.game.to_act(state) == (CHANCE,):
            self.game.kernels.random_play(state, 0, self.rules, self._counter, 1)


AGENTS = (GreedyAgent,)
