"""The scramble check: it changes everything that an observer cannot know. All output must stay equal, byte for byte."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from conformance.cases import RESIGNING, Case, Step, draw, game_of, observers, perform, positions, possible, remaining
from conformance.worlds import Family, Watcher, family_of
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Game, State

SCENES = 4
"""Scenes and choices are compared in one of this many positions. They depend only on the view, which is always
compared.
"""
TENSORS = 32
SAMPLED = 6
"""Number of actions per position whose refusals are compared."""

encode = msgspec.json.Encoder().encode


class LeakError(AssertionError):
    """An observer learned a secret."""


class Tally(NamedTuple):
    """Number of comparisons in a run."""

    positions: int = 0
    worlds: int = 0
    steps: int = 0

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def same(what: str, one: object, other: object, game: Game, state: State, observer: int) -> None:
    if one != other:
        where = f"{game.info.variant} {dict(game.info.ruleset.changed)}, observer {observer}"
        raise LeakError(f"{what} differ for {where}:\n{one!r}\n{other!r}\n{game.state_text(state)}")


def compare(game: Game, state: State, world: State, observer: int, rng: np.random.Generator) -> None:
    """Compare everything that the observer gets of a position in both worlds."""
    views = [game.view(s, observer) for s in (state, world)]

    def check(what: str, one: object, other: object) -> None:
        same(what, one, other, game, state, observer)

    check("views", *(view.tobytes() for view in views))
    check("who acts", *(game.to_act(s) for s in (state, world)))
    check("legal actions", *(game.legal_actions(s, observer).tobytes() for s in (state, world)))
    check("shown legal actions", *(view.legal.tobytes() for view in views))
    if observer >= 0:
        check("open choices", *(game.is_open(s, observer) for s in (state, world)))
        for action in rng.integers(-1, game.info.actions + 1, SAMPLED).tolist():
            check("refusals", *(game.explain(s, observer, action) for s in (state, world)))
    if rng.integers(SCENES) == 0:
        check("scenes", *(encode(game.scene(view)) for view in views))
        check("choices", *(encode(game.choices(view)) for view in views))
        check("hints", *(encode(game.hints(view)) for view in views))
    if rng.integers(TENSORS) == 0:
        check("tensors", *(game.encode(view).planes.tobytes() for view in views))


def compare_step(game: Game, family: Family, step: Step, action: int, world: State, observer: int) -> bool:
    """Compare the observer's events of one step in both worlds. Return False if the step is not possible in the other
    world, or if it shows the difference between the worlds.

    `action`: the action in the other world: the same action, or another draw or secret.
    """
    if action != WITHDRAW and action not in possible(game, world, step.player):
        if step.player == observer:
            raise LeakError(f"{observer} may do {action} in one world only:\n{game.state_text(step.before)}")
        return False
    after = perform(game, world, step.player, action)
    if family.shows(game, step, world, after, observer) or game.outcome(after) != game.outcome(step.after):
        return False
    told = [
        encode(game.events(done, s, observer))
        for before, done, s in ((step.before, step.action, step.after), (world, action, after))
    ]
    same("events", *told, game, step.before, observer)
    views = [game.view(s, observer).tobytes() for s in (step.after, after)]
    same("views after a step", *views, game, step.before, observer)
    return True


def check_step(game: Game, family: Family, watcher: Watcher, step: Step, rng: np.random.Generator) -> Tally:
    """Compare the position before a step for all observers. Then let `watcher` see the step, and compare the observers'
    events.
    """
    worlds = {}
    for observer in observers(game):
        world = family.scramble(game, step.before, watcher, observer, rng)
        if world is not None:
            worlds[observer] = world
            compare(game, step.before, world, observer, rng)
    watcher.see(step)
    steps = 0
    for observer, world in worlds.items():
        # An observer who does not see a draw cannot tell it from any other draw.
        hidden = step.player == CHANCE and not watcher.tellable(observer)
        action = draw(game, world, rng) if hidden else family.likewise(game, step, world, observer, rng)
        steps += compare_step(game, family, step, action, world, observer)
    return Tally(1, len(worlds), steps)


def check(case: Case, count: int, rng: np.random.Generator) -> Tally:
    """Check `count` positions of random matches, including final ones. Raises `LeakError`."""
    game = game_of(case)
    family = family_of(game)
    tally = Tally()
    for match in positions(game, rng, count, resigning=RESIGNING):
        watcher = family.Watcher(game)
        for step in match:
            tally = tally.plus(check_step(game, family, watcher, step, rng))
        _check_end(game, family, watcher, match[-1].after, rng)
    return tally


def _check_end(game: Game, family: Family, watcher: Watcher, state: State, rng: np.random.Generator) -> None:
    """Check a match that is over or broken off. A resignation, at any time, reveals nothing."""
    _check_position(game, family, watcher, state, rng)
    if game.outcome(state) is None:
        player = int(rng.choice(remaining(game, state)))
        after = game.withdraw(state, player)
        watcher.see(Step(state, player, WITHDRAW, after))
        _check_position(game, family, watcher, after, rng)


def _check_position(game: Game, family: Family, watcher: Watcher, state: State, rng: np.random.Generator) -> None:
    for observer in observers(game):
        world = family.scramble(game, state, watcher, observer, rng)
        if world is not None:
            compare(game, state, world, observer, rng)
