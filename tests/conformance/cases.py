"""Which rulesets are tested, and matches to test them on. Nothing here names a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import gonfalon
from gonfalon import games
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Actions, Game, State

VARIANTS = tuple(games.variants())


class Case(NamedTuple):
    """A variant with house rules set."""

    variant: str
    switches: tuple[tuple[str, bool | int], ...] = ()

    @property
    def name(self) -> str:
        return "-".join((self.variant, *(f"{name}={value}" for name, value in self.switches)))


class Step(NamedTuple):
    """One action of a match; `player` may be CHANCE."""

    before: State
    player: int
    action: int
    after: State


def variations(variant: str) -> Iterator[Case]:
    """The variant as it comes, each switch set to each other value of interest, and all flags turned at once."""
    yield Case(variant)
    switches = games.ruleset(variant).switches
    for switch in switches:
        for value in switch.options or (switch.low, switch.high):
            chosen = bool(value) if isinstance(switch.default, bool) else value
            if chosen != switch.default and _is_possible(variant, switch.name, chosen):
                yield Case(variant, ((switch.name, chosen),))
    yield Case(variant, tuple((s.name, not s.default) for s in switches if isinstance(s.default, bool)))


def _is_possible(variant: str, name: str, value: bool | int) -> bool:
    """Whether the switch may have this value with all others as they come."""
    try:
        games.ruleset(variant, **{name: value})
    except ValueError:
        return False
    return True


CASES = tuple(case for variant in VARIANTS for case in variations(variant))
PLAIN_CASES = tuple(Case(variant) for variant in VARIANTS)


def cases_of(variant: str) -> tuple[Case, ...]:
    return tuple(case for case in CASES if case.variant == variant)


@cache
def game_of(case: Case) -> Game:
    return gonfalon.make(case.variant, **dict(case.switches))


def observers(game: Game) -> tuple[int, ...]:
    """Everyone from whom something is kept."""
    return (*range(game.info.players), PUBLIC)


def all_observers(game: Game) -> tuple[int, ...]:
    return (*observers(game), EVERYTHING)


def eyes(player: int) -> int:
    """The observer whose view words a player's actions; chance is worded with everything in sight."""
    return EVERYTHING if player == CHANCE else player


def possible(game: Game, state: State, player: int) -> Actions:
    """What `player` may do, or chance may draw, ascending."""
    return game.chance_outcomes(state)[0] if player == CHANCE else game.legal_actions(state, player)


def is_deploying(game: Game, state: State) -> bool:
    """Whether play has not begun: pieces are dealt or placed."""
    return game.scene(game.view(state, PUBLIC)).status.code == "deploying"


def arranges(game: Game, state: State, player: int) -> bool:
    """Whether `player` has pieces to place now."""
    return player != CHANCE and game.scene(game.view(state, player)).arrange is not None


@cache
def catalogue(family: str) -> dict[str, str]:
    """The family's English words by key."""
    path = Path(games.__file__).parent / family / "messages" / "en.json"
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return words


# ---- matches -----------------------------------------------------------------------------------------------------

SMALLER = 4
"""With house rules set, one in so many steps is enough."""
LIVELY = 0.3
"""Share of actions that are drawn by verb first, so that rare kinds of action occur often."""


def draw(game: Game, state: State, rng: np.random.Generator) -> int:
    """A chance action, by its probability."""
    actions, probabilities = game.chance_outcomes(state)
    return int(rng.choice(actions, p=probabilities))


def pick(game: Game, state: State, player: int, rng: np.random.Generator, lively: float = LIVELY) -> int:
    """A legal action of `player`, placements included, or a draw of chance; every one is possible."""
    if player == CHANCE:
        return draw(game, state, rng)
    if rng.random() < lively:
        by_verb: dict[str, list[int]] = {}
        for choice in game.choices(game.view(state, player)):
            by_verb.setdefault(choice.verb, []).append(choice.id)
        if by_verb:
            return int(rng.choice(by_verb[str(rng.choice(sorted(by_verb)))]))
    return int(rng.choice(game.legal_actions(state, player)))


def play(
    game: Game, rng: np.random.Generator, most: int = 10**9, lively: float = LIVELY, state: State | None = None
) -> Iterator[Step]:
    """A match by random actions and chance, the deployments of both mixed with one another."""
    now = game.initial_state() if state is None else state
    for _ in range(most):
        able = game.to_act(now)
        if not able:
            return
        player = int(rng.choice(able))
        action = pick(game, now, player, rng, lively)
        after = game.apply(now, player, action)
        yield Step(now, player, action, after)
        now = after


def deployed(game: Game, rng: np.random.Generator, sensible: bool = False) -> Iterator[Step]:
    """Only the deployments, one side after the other, and what chance draws before and between them."""
    now = game.initial_state()
    make = game.sensible_deployment if sensible else game.random_deployment
    while is_deploying(game, now):
        player = game.to_act(now)[0]
        actions = [draw(game, now, rng)] if player == CHANCE else make(game.view(now, player), rng).tolist()
        assert actions, "before play begins, who is to act places pieces"
        for action in actions:
            after = game.apply(now, player, action)
            yield Step(now, player, action, after)
            now = after


def positions(game: Game, rng: np.random.Generator, count: int, lively: float = LIVELY) -> Iterator[list[Step]]:
    """Matches, one after the other, with `count` steps in all."""
    left = count
    while left > 0:
        match = list(play(game, rng, left, lively))
        left -= len(match)
        yield match


def samples(case: Case, seed: int, count: int, lively: float = LIVELY) -> Iterator[list[Step]]:
    """Matches of a ruleset, `count` steps in all for the variant as it comes, placements and draws included.

    With house rules set there are fewer steps, and none but the last placements: deployments are the same.
    """
    game, rng = game_of(case), np.random.default_rng(seed)
    if not case.switches:
        yield from positions(game, rng, count, lively)
        return
    left = count // SMALLER
    while left > 0:
        *_, last = deployed(game, rng)
        match = [last, *play(game, rng, left, lively, last.after)]
        left -= len(match)
        yield match
