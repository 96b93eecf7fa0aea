"""The rulesets that are tested, and matches to test them on. Nothing here names a game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import gonfalon
from gonfalon import games
from gonfalon.engine.events import WITHDRAW, Event, Refusal
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Actions, Game, State
from gonfalon.engine.rulesets.ruleset import Ruleset, Switch, Written
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View

VARIANTS = tuple(games.variants(unlisted=True))


class Case(NamedTuple):
    """A variant with house rules set: the name of a shipped one, or a ruleset of one's own."""

    variant: str | Written
    switches: tuple[tuple[str, bool | int], ...] = ()

    @property
    def name(self) -> str:
        variant = self.variant if isinstance(self.variant, str) else self.variant.variant
        return "-".join((variant, *(f"{name}={value}" for name, value in self.switches)))


class Step(NamedTuple):
    """One action of a match. `player` may be CHANCE. `action` may be WITHDRAW in tests of resignations."""

    before: State
    player: int
    action: int
    after: State


@cache
def list_alike(variant: str) -> tuple[str, ...]:
    """Return the variants with the same rules as this one, on another map or for another number of players."""
    family, chosen = games.variants(unlisted=True)[variant], games.ruleset(variant)
    rulesets = [games.ruleset(name) for name in games.families(unlisted=True)[family]]
    found = tuple(other.variant for other in rulesets if _has_same_rules(chosen, other))
    seats = {len(ruleset.facts.sides) for ruleset in rulesets if ruleset.variant in found}
    return found if len(seats) > 1 else (variant,)


def _has_same_rules(one: Ruleset, other: Ruleset) -> bool:
    return one.family == other.family and one.switches == other.switches


SMALLEST = tuple(variant for variant in VARIANTS if variant == list_alike(variant)[-1])
"""All variants, except that only the last one of those with equal rules is included; for tests of rules that do not
depend on the map.
"""


def variations(variant: str) -> Iterator[Case]:
    """Yield the variant with its default switches, then with each switch set to each other interesting value, and last
    with all flags changed at once. Variants with the same rules share out these values.
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
    """Return whether the switch may have this value while all others have their defaults."""
    try:
        games.ruleset(variant, **{name: value})
    except ValueError:
        return False
    return True


CASES = tuple(case for variant in VARIANTS for case in variations(variant))
PLAIN_CASES = tuple(Case(variant) for variant in VARIANTS)
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
"""Run a test with each case."""
STEPS = 250
"""Number of steps that the tests of the interface share."""


def cases_of(variant: str) -> tuple[Case, ...]:
    return tuple(case for case in CASES if case.variant == variant)


@cache
def game_of(case: Case) -> Game:
    return gonfalon.make(case.variant, **dict(case.switches))


def observers(game: Game) -> tuple[int, ...]:
    """Return all observers from whom something is kept secret."""
    return (*range(game.info.players), PUBLIC)


def all_observers(game: Game) -> tuple[int, ...]:
    return (*observers(game), EVERYTHING)


def eyes(player: int) -> int:
    """Return the observer from whose view the text of a player's action is made. For chance it is EVERYTHING."""
    return EVERYTHING if player == CHANCE else player


def possible(game: Game, state: State, player: int) -> Actions:
    """Return the legal actions of `player`, or the possible draws of chance, ascending."""
    return game.chance_outcomes(state)[0] if player == CHANCE else game.legal_actions(state, player)


def is_deploying(game: Game, state: State) -> bool:
    """Return whether play has not begun yet."""
    return bool(game.to_act(state)) and not game.scene(game.view(state, PUBLIC)).started


def arranges(game: Game, state: State, player: int) -> bool:
    """Return whether `player` has pieces to place now."""
    return player != CHANCE and game.scene(game.view(state, player)).arrange is not None


@cache
def catalogue(family: str) -> dict[str, str]:
    """Return the family's English messages by key."""
    path = Path(games.__file__).parent / family / "screen" / "messages" / "en.json"
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return words


# ---- matches -----------------------------------------------------------------------------------------------------

SMALLER = 4
"""Divisor of the number of steps if house rules are set, when fewer steps are enough."""
LIVELY = 0.3
"""Share of actions for which first a verb is drawn, so that rare kinds of actions occur often."""


def draw(game: Game, state: State, rng: np.random.Generator) -> int:
    """Draw an action of chance by its probability."""
    actions, probabilities = game.chance_outcomes(state)
    return int(rng.choice(actions, p=probabilities))


def pick(game: Game, state: State, player: int, rng: np.random.Generator, lively: float = LIVELY) -> int:
    """Return a random legal action of `player`, including placements, or a draw of chance. Each legal action can
    occur.
    """
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
    """Return the state after an action, a draw or a resignation."""
    return game.withdraw(state, player) if action == WITHDRAW else game.apply(state, player, action)


def remaining(game: Game, state: State) -> list[int]:
    """Return the players who have not left the match."""
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
    """Play a random match. The players' deployments are interleaved.

    `resigning`: probability, at each step, that a player resigns while more than two are left.
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
    """Play only the steps before play: deployments, one side after another, other choices, and draws of chance."""
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
"""Probability, at each step, that a player resigns and the match goes on; for tests in which this matters."""


def positions(
    game: Game, rng: np.random.Generator, count: int, lively: float = LIVELY, resigning: float = 0
) -> Iterator[list[Step]]:
    """Yield the steps of matches, one match after another, `count` steps in all."""
    left = count
    while left > 0:
        match = list(play(game, rng, left, lively, resigning=resigning))
        left -= len(match)
        yield match


def samples(case: Case, seed: int, count: int, lively: float = LIVELY) -> Iterator[list[Step]]:
    """Yield matches of a ruleset, with `count` steps in all for default switches, including placements and draws.

    With house rules set there are fewer steps, and only the last placement, because deployments do not depend on them.
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


@cache
def steps_of(case: Case) -> tuple[Step, ...]:
    """Return the steps of the matches that the tests of the interface share."""
    return tuple(step for match in samples(case, 1, STEPS) for step in match)


def assert_worded(words: dict[str, str], kind: str, said: Refusal | Event) -> None:
    """Check that the catalogue has the code, and that the arguments fill its placeholders."""
    text = words.get(f"{kind}.{said.code}")
    assert text, f"no words for {kind}.{said.code}"
    assert set(re.findall(r"\{([a-z_]+)\}", text)) <= said.args.keys(), (text, said)


def plan_deployment(game: Game, view: View, rng: np.random.Generator) -> Actions:
    """Return a deployment that was planned for a moment."""
    return game.plan_deployment(view, Mind(seconds=0.02), rng)
