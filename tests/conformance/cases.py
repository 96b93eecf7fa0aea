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
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Actions, Game, State
from gonfalon.engine.ruleset import Ruleset, Switch

VARIANTS = tuple(games.variants(unlisted=True))


class Case(NamedTuple):
    """A variant with house rules set."""

    variant: str
    switches: tuple[tuple[str, bool | int], ...] = ()

    @property
    def name(self) -> str:
        return "-".join((self.variant, *(f"{name}={value}" for name, value in self.switches)))


class Step(NamedTuple):
    """One action of a match. `player` may be CHANCE. `action` may be WITHDRAW in tests that resign."""

    before: State
    player: int
    action: int
    after: State


@cache
def list_alike(variant: str) -> tuple[str, ...]:
    """The variants with the same rules as this one, on another map or for another number of players."""
    family, chosen = games.variants(unlisted=True)[variant], games.ruleset(variant)
    rulesets = [games.ruleset(name) for name in games.families(unlisted=True)[family]]
    found = tuple(other.variant for other in rulesets if _has_same_rules(chosen, other))
    seats = {len(ruleset.facts.sides) for ruleset in rulesets if ruleset.variant in found}
    return found if len(seats) > 1 else (variant,)


def _has_same_rules(one: Ruleset, other: Ruleset) -> bool:
    return one.family == other.family and one.switches == other.switches


SMALLEST = tuple(variant for variant in VARIANTS if variant == list_alike(variant)[-1])
"""All variants, but only the last of those with the same rules. For tests of rules that do not depend on the map."""


def variations(variant: str) -> Iterator[Case]:
    """The variant with its default switches, then each switch with each other value of interest, and all flags turned
    at once. Variants with the same rules share these values among them.
    """
    yield Case(variant)
    switches, among = games.ruleset(variant).switches, list_alike(variant)
    values = [
        (switch.name, chosen)
        for switch in switches
        for chosen in _values(switch)
        if chosen != switch.default and _is_possible(variant, switch.name, chosen)
    ]
    yield from (Case(variant, (value,)) for value in values[among.index(variant) :: len(among)])
    yield Case(variant, tuple((s.name, not s.default) for s in switches if isinstance(s.default, bool)))


def _values(switch: Switch) -> list[bool | int]:
    values = switch.options or (switch.low, switch.high)
    return [bool(value) for value in values] if isinstance(switch.default, bool) else list(values)


def _is_possible(variant: str, name: str, value: bool | int) -> bool:
    """Whether the switch may have this value while all others have their defaults."""
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
    """All observers from whom something is kept secret."""
    return (*range(game.info.players), PUBLIC)


def all_observers(game: Game) -> tuple[int, ...]:
    return (*observers(game), EVERYTHING)


def eyes(player: int) -> int:
    """The observer whose view words a player's actions. A draw of chance is worded with everything in sight."""
    return EVERYTHING if player == CHANCE else player


def possible(game: Game, state: State, player: int) -> Actions:
    """The legal actions of `player`, or the possible draws of chance, ascending."""
    return game.chance_outcomes(state)[0] if player == CHANCE else game.legal_actions(state, player)


def is_deploying(game: Game, state: State) -> bool:
    """Whether play has not begun yet."""
    return bool(game.to_act(state)) and not game.scene(game.view(state, PUBLIC)).started


def arranges(game: Game, state: State, player: int) -> bool:
    """Whether `player` has pieces to place now."""
    return player != CHANCE and game.scene(game.view(state, player)).arrange is not None


@cache
def catalogue(family: str) -> dict[str, str]:
    """The family's English words by key."""
    path = Path(games.__file__).parent / family / "screen" / "messages" / "en.json"
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return words


# ---- matches -----------------------------------------------------------------------------------------------------

SMALLER = 4
"""With house rules set, this many times fewer steps are enough."""
LIVELY = 0.3
"""The share of actions that are drawn by verb first, so that rare kinds of action occur often."""


def draw(game: Game, state: State, rng: np.random.Generator) -> int:
    """Draws an action of chance by its probability."""
    actions, probabilities = game.chance_outcomes(state)
    return int(rng.choice(actions, p=probabilities))


def pick(game: Game, state: State, player: int, rng: np.random.Generator, lively: float = LIVELY) -> int:
    """A random legal action of `player`, placements included, or a draw of chance. Every one is possible."""
    if player == CHANCE:
        return draw(game, state, rng)
    if rng.random() < lively:
        by_verb: dict[str, list[int]] = {}
        for choice in game.choices(game.view(state, player)):
            by_verb.setdefault(choice.verb, []).append(choice.id)
        if by_verb:
            return int(rng.choice(by_verb[str(rng.choice(sorted(by_verb)))]))
    return int(rng.choice(game.legal_actions(state, player)))


def perform(game: Game, state: State, player: int, action: int) -> State:
    """The state after an action, a draw or a resignation."""
    return game.withdraw(state, player) if action == WITHDRAW else game.apply(state, player, action)


def remaining(game: Game, state: State) -> list[int]:
    """The players who have not left the match."""
    out = game.scene(game.view(state, PUBLIC)).out
    return [player for player, side in enumerate(game.info.sides) if side not in out]


def play(
    game: Game,
    rng: np.random.Generator,
    most: int = 10**9,
    lively: float = LIVELY,
    state: State | None = None,
    resigning: float = 0,
) -> Iterator[Step]:
    """A random match. The deployments of all players are interleaved.

    `resigning` is the probability at each step that a player leaves a match that goes on without them.
    """
    now = game.initial_state() if state is None else state
    for _ in range(most):
        able = game.to_act(now)
        if not able:
            return
        left = remaining(game, now) if resigning and rng.random() < resigning else []
        if len(left) > 2:
            player, action = int(rng.choice(left)), WITHDRAW
        else:
            player = int(rng.choice(able))
            action = pick(game, now, player, rng, lively)
        after = perform(game, now, player, action)
        yield Step(now, player, action, after)
        now = after


def deployed(game: Game, rng: np.random.Generator, sensible: bool = False) -> Iterator[Step]:
    """Only the steps before play: deployments, one side after the other, other choices, and draws of chance."""
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


RESIGNING = 0.003
"""The probability at each step that a player leaves a match that goes on, for tests where that matters."""


def positions(
    game: Game, rng: np.random.Generator, count: int, lively: float = LIVELY, resigning: float = 0
) -> Iterator[list[Step]]:
    """Steps of matches, one after the other, `count` in all."""
    left = count
    while left > 0:
        match = list(play(game, rng, left, lively, resigning=resigning))
        left -= len(match)
        yield match


def samples(case: Case, seed: int, count: int, lively: float = LIVELY) -> Iterator[list[Step]]:
    """Matches of a ruleset, with `count` steps in all for default switches, placements and draws included.

    With house rules set there are fewer steps, and only the last placements, since deployments are the same.
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
