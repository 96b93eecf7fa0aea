"""Learns from matches the corrections, by piece type, of the worth in `play/evaluate/pieces.py`.

A sample is a turn: the points of the side to move by a short search of the true position, its surplus of pieces of each
type, its player, and whether it won. The model is a logistic regression in which every match has the same weight. The
result is the correction in points for each type, with its standard error over matches, and the quality of prediction
for held-out matches with and without it, in nats. A correction need not be a cause: a player with Scouts left in
Barrage has not yet guessed wrong. Only the arena tells whether it wins more matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Game, State
from gonfalon.engine.records.record import Record
from gonfalon.engine.records.replay import play_record
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.evaluate.learned import LEARNED, read_learned
from gonfalon.games.grid.play.evaluate.outcome import SURE, WIN
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.play.search.flag_guard import judge_secrecy
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.ruleset import TYPES

EVERY, DEPTH, NODES = 9, 2, 20_000
"""One in EVERY decisions is a sample; depth of its search, and most positions."""
GUESSED = 0.3
"""Assumed probability, for the side to move, that the enemy's Flag stands on its true square."""
FOLDS, STEPS = 5, 30
RIDGES = (0.15, 0.5, 1.5, 5.0, 15.0)
"""Ridge penalties to try, times the root of the number of samples. The one that predicts held-out matches best is
taken.
"""
CERTAIN = 2.0
"""Number of standard errors above which a correction is kept."""
Floats = NDArray[np.float64]


class Sample(NamedTuple):
    match: int
    points: float
    """Points of the side to move, over the scale of a decided match."""
    scale: float
    more: Floats
    """Own pieces less the other side's by type, shape (TYPES,)."""
    first: bool
    """Whether the learning agent is to move."""
    won: bool


class Correction(NamedTuple):
    kind: int
    was: float
    """Correction in points that was in use in these matches."""
    more: float
    """Change of the correction, from these matches."""
    error: float
    """Standard error of that change."""

    @property
    def is_certain(self) -> bool:
        return abs(self.more) > CERTAIN * self.error


class Lesson(NamedTuple):
    """Results of the fit. `before` and `after` are nats for held-out matches, without and with the corrections."""

    turns: int
    matches: int
    before: float
    after: float
    corrections: tuple[Correction, ...]

    def find_learned(self, correction: Correction) -> float:
        """Return the new corrections in points by type. A type keeps its old one unless corrections predict held-out
        matches better and this one is certain.
        """
        taken = self.after < self.before and correction.is_certain
        return correction.was + (correction.more if taken else 0.0)

    def tell(self) -> str:
        """Return the lesson as lines of text."""
        head = f"{self.turns} turns of {self.matches} matches; nats on those left out: "
        lines = [f"{head}{self.before:.4f} without, {self.after:.4f} with the corrections"]
        for each in self.corrections:
            change = f"{each.was:+.0f} {each.more:+.0f} (standard error {each.error:.0f})"
            lines.append(f"{TYPES[each.kind]:12} {self.find_learned(each):+5.0f} points: {change}")
        if self.after >= self.before:
            lines.append("These matches teach nothing: all stays as it was.")
        return "\n".join(lines)


def learn(game: Game, matches: Iterable[tuple[Record, int]]) -> Lesson:
    """Return the lessons of matches: their records, each with the learning agent's seat. Raises ValueError if they are
    too few for the folds.
    """
    samples = [sample for k, (record, seat) in enumerate(matches) for sample in list_samples(game, record, seat, k)]
    if len({sample.match for sample in samples}) < FOLDS:
        raise ValueError(f"at least {FOLDS} matches that somebody won are needed to learn from")
    return fit_worth(samples, read_learned(game.info.variant))


def keep(variant: str, lesson: Lesson) -> None:
    """Writes the lesson into `data/worth.toml`, in place of the variant's old one."""
    points = {TYPES[each.kind]: round(lesson.find_learned(each)) for each in lesson.corrections}
    lines = [f"{kind} = {more}" for kind, more in points.items() if more]
    head, *sections = LEARNED.read_text(encoding="utf-8").split("\n[")
    kept = [f"[{section}".rstrip("\n") for section in sections if not section.startswith(f"{variant}]")]
    if lines:
        kept.append("\n".join([f"[{variant}]", *lines]))
    LEARNED.write_text("\n\n".join([head.rstrip("\n"), *sorted(kept)]) + "\n", encoding="utf-8")


def list_samples(game: Game, record: Record, seat: int, match: int) -> Iterator[Sample]:
    """Return the samples of a match; none of one without a winner."""
    states = [step[-1] for step in play_record(game, record)]
    over = states[-1][0]
    if over["phase"] != g.OVER or over["winner"] == g.NONE:
        return
    for state in states[::EVERY]:
        if state[0]["phase"] == g.TURN:
            player = int(state[0]["mover"])
            points, scale = find_points(game, state, player)
            if abs(points) < SURE:
                more = count_more(state, player)
                yield Sample(match, points / scale, scale, more, seat == player, over["winner"] == player)


def find_points(game: Game, state: State, player: int) -> tuple[float, float]:
    """Return the points of the best turn of the side to move, and the scale of a decided match."""
    rules, context = copy_rows(game.rules), zero_rows(CONTEXT)
    view = game.view(state, player)
    context["player"], context["bluff"] = player, 1.0
    context["learned"] = read_learned(game.info.variant)
    judge_secrecy(view, rules, context)
    context["flag_share"][0, : g.SQUARES][state["board"][0, : g.SQUARES] == g.FLAG + (g.RED << (1 - player))] = GUESSED
    prepare_context(state, rules, context)
    searcher, best = Searcher(rules), -2 * WIN
    for action in view.legal.tolist():
        context["nodes"] = NODES
        best = max(best, searcher.search(state, context, action, DEPTH, best))
    return best, float(context["scale"][0])


def count_more(state: State, player: int) -> Floats:
    """Return the own pieces less the other side's, by type."""
    board = state["board"][0, : g.SQUARES]
    own, other = (
        np.bincount(board[board & (g.RED << side) != 0] & g.TYPE, minlength=g.TYPES) for side in (player, 1 - player)
    )
    return np.asarray(own - other, np.float64)


def fit_worth(samples: list[Sample], was: Floats) -> Lesson:
    """Return the corrections that predict the results of the samples best. `was`: see `Correction`, shape (TYPES,)."""
    points, won = np.array([each.points for each in samples]), np.array([float(each.won) for each in samples])
    matches = np.array([each.match for each in samples])
    weights = 1 / np.bincount(matches)[matches]
    weights *= len(samples) / weights.sum()
    known = np.stack(
        [points, points * np.abs(points), [2.0 * each.first - 1 for each in samples], np.ones(len(won))], axis=1
    )
    more = np.array([each.more for each in samples])
    kinds = np.flatnonzero(
        (more.std(axis=0) > 0) | (was != 0)
    )  # types without any difference in the samples keep their correction
    features = np.concatenate([known, more[:, kinds]], axis=1)
    folds = np.unique(matches, return_inverse=True)[1] % FOLDS
    plain = np.ones(known.shape[1])
    ridges = [np.r_[plain, np.full(len(kinds), size * np.sqrt(len(won)))] for size in RIDGES]
    after, ridge = min(((judge(features, won, weights, each, folds), each) for each in ridges), key=lambda x: x[0])
    found = fit(features, won, weights, ridge)
    factor = np.mean([each.scale for each in samples]) / found[0]
    spread = find_spread(features, won, weights, ridge, found, matches)
    return Lesson(
        turns=len(won),
        matches=len(set(matches.tolist())),
        before=judge(known, won, weights, plain, folds),
        after=after,
        corrections=tuple(
            Correction(kind, float(was[kind]), float(factor * found[k]), float(abs(factor) * spread[k]))
            for k, kind in enumerate(kinds.tolist(), known.shape[1])
        ),
    )


def fit(features: Floats, won: Floats, weights: Floats, ridge: Floats) -> Floats:
    """The coefficients that predict best, by Newton's method."""
    found = np.zeros(features.shape[1])
    for _ in range(STEPS):
        chances = predict(features, found)
        slope = features.T @ (weights * (chances - won)) + ridge * found
        found -= np.linalg.solve(bend(features, chances, weights, ridge), slope)
    return found


def predict(features: Floats, coefficients: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-features @ coefficients)))


def bend(features: Floats, chances: Floats, weights: Floats, ridge: Floats) -> Floats:
    """The second derivative of the function that `fit` minimizes."""
    return np.asarray(
        (features * (weights * chances * (1 - chances))[:, None]).T @ features + ridge * np.eye(features.shape[1])
    )


def judge(features: Floats, won: Floats, weights: Floats, ridge: Floats, folds: NDArray[np.int64]) -> float:
    """Return the nats for each sample, where each fold is predicted from the other folds."""
    nats = np.zeros(len(won))
    for fold in range(FOLDS):
        out = folds == fold
        odds = features[out] @ fit(features[~out], won[~out], weights[~out], ridge)
        nats[out] = np.logaddexp(0, np.where(won[out] > 0, -odds, odds))
    return float(np.average(nats, weights=weights))


def find_spread(
    features: Floats, won: Floats, weights: Floats, ridge: Floats, found: Floats, matches: NDArray[np.int64]
) -> Floats:
    """Standard errors, matches being independent and not turns (White, Econometrica 48, 1980)."""
    chances = predict(features, found)
    pulls = np.zeros((matches.max() + 1, features.shape[1]))
    np.add.at(pulls, matches, features * (weights * (won - chances))[:, None])
    inverse = np.linalg.inv(bend(features, chances, weights, ridge))
    return np.asarray(np.sqrt(np.diag(inverse @ (pulls.T @ pulls) @ inverse)))
