"""Golden playthroughs: all scenes and events of every observer of a match, as text in `games/*/tests/playthroughs`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import gonfalon
from conformance.cases import Case, Step, all_observers, eyes, game_of, is_deploying, pick, possible
from gonfalon import games
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, State
from gonfalon.engine.view import View

SEED = 2026
MOST = 100_000
"""Maximum number of bytes of a playthrough."""
ACTIONS = 110
"""Maximum number of decisions after the deployments. Then Red resigns."""
ACTIONS_WITH_CHANCE = 68
"""Maximum number of decisions in games with chance, where draws have lines of their own. If the first match ends
earlier, several matches follow.
"""
LIVELY = 0.5
CHECKPOINTS = 20
"""Number of actions between two complete lists of all views."""


def path_of(variant: str) -> Path:
    family = games.variants(unlisted=True)[variant]
    return Path(games.__file__).parent / family / "tests" / "playthroughs" / f"{variant}.txt"


def write(variant: str) -> str:
    """Return a variant's playthrough with default switches: one match, or several short ones in games with chance."""
    game = game_of(Case(variant))
    lines = [f"# playthrough of {variant}; made by tests/playthrough.py, seed {SEED}", ""]
    rng = np.random.default_rng(SEED)
    left = ACTIONS_WITH_CHANCE if game.info.chance else ACTIONS
    while left > 0:
        match = list(_match(game, rng, left))
        lines += _account(game, match)
        played = sum(_counts(game, step.before, step.player) for step in match)
        left = left - played if game.info.chance else 0
    return "\n".join(lines) + "\n"


def _account(game: Game, match: list[Step]) -> list[str]:
    """Return the lines of one match."""
    lines = _checkpoint(game, match[0].before)
    for number, step in enumerate(match):
        lines += _told(game, step)
        if number % CHECKPOINTS == 0 or game.outcome(step.after) or _groups_change(game, step):
            lines += _checkpoint(game, step.after)
    last = match[-1].after
    if game.outcome(last) is None:
        last = game.withdraw(last, 0)
        lines += _checkpoint(game, last)
    return [*lines, f"outcome {game.outcome(last)}", f"actions {len(match)}"]


def _groups_change(game: Game, step: Step) -> bool:
    """Whether some observer's groups of pieces change by this step."""
    for observer in all_observers(game):
        before, after = (game.scene(game.view(state, observer)).groups for state in (step.before, step.after))
        if after and before != after:
            return True
    return False


def _counts(game: Game, state: State, player: int) -> bool:
    """Whether an action counts as a decision in play."""
    return player != CHANCE and not is_deploying(game, state)


def _match(game: Game, rng: np.random.Generator, most: int) -> Iterator[Step]:
    """Yield a match: sensible deployments, then random actions (rare kinds are frequent), and draws of chance."""
    state = game.initial_state()
    plans: dict[int, list[int]] = {}
    played = 0
    while played < most and game.to_act(state):
        deploying = is_deploying(game, state)
        for player in game.to_act(state):
            if deploying and player != CHANCE and not plans.get(player):
                plans[player] = game.sensible_deployment(game.view(state, player), rng).tolist()
        player = int(rng.choice(game.to_act(state)))
        played += _counts(game, state, player)
        placing = deploying and player != CHANCE
        action = plans[player].pop(0) if placing else pick(game, state, player, rng, LIVELY)
        after = game.apply(state, player, action)
        yield Step(state, player, action, after)
        state = after


def _name(game: Game, observer: int) -> str:
    return {PUBLIC: "public", EVERYTHING: "everything", CHANCE: "chance"}.get(observer) or game.info.sides[observer]


def _short(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _told(game: Game, step: Step) -> list[str]:
    """Return the action and each observer's events. Observers with the same events share a line."""
    view = game.view(step.before, eyes(step.player))
    legal = possible(game, step.before, step.player)
    text = game.action_text(view, step.action)
    lines = [f"> {_name(game, step.player)}: {text} ({step.action}, one of {len(legal)}, {int(legal.sum())})"]
    by_events: dict[str, list[str]] = {}
    for observer in all_observers(game):
        told = game.events(step.action, step.after, observer)
        if told:
            by_events.setdefault(_short(told), []).append(_name(game, observer))
    return lines + [f"  {' '.join(names)}: {events}" for events, names in by_events.items()]


def _checkpoint(game: Game, state: State) -> list[str]:
    """Return all views: the public's whole scene, and the differences of the other observers' scenes from it."""
    lines = ["", *game.state_text(state).splitlines()]
    public = _scene(game, state, PUBLIC)
    lines.append(f"= public: {' | '.join(' '.join(part) for part in public)}")
    for observer in [other for other in all_observers(game) if other != PUBLIC]:
        scene = _scene(game, state, observer)
        parts = (_different(part, known) for part, known in zip(scene, public, strict=True))
        lines.append(f"= {_name(game, observer)}: {' | '.join(parts)}")
        if observer >= 0:
            view = game.view(state, observer)
            lines.append(f"  legal {' '.join(_texts(game, view, view.legal.tolist()))}")
    draws, odds = game.chance_outcomes(state)
    if len(draws):
        texts = _texts(game, game.view(state, EVERYTHING), draws.tolist())
        lines.append(f"  draws {' '.join(f'{text}:{p:.4f}' for text, p in zip(texts, odds, strict=True))}")
    return [*lines, ""]


def _different(words: list[str], known: list[str]) -> str:
    """Return the lines that only the first text has, and those that only the second has."""
    gone = [f"-{word}" for word in known if word not in words]
    return " ".join([*gone, *(word for word in words if word not in known)])


def _texts(game: Game, view: View, actions: list[int]) -> list[str]:
    return [game.action_text(view, action).replace(" ", "_") for action in actions]


def _scene(game: Game, state: State, observer: int) -> list[list[str]]:
    """Return an observer's scene as words by part: line and buttons, tints, tokens, trays, groups of pieces.

    A token is `place:side.face` with its marks: `'` moved, `!` seen, `&` among, `^` spent. A group is
    `places:faces*count`.
    """
    scene = game.scene(game.view(state, observer))
    marks = {"moved": "'", "seen": "!", "among": "&", "spent": "^"}
    said = [_short(value) for value in (scene.turn, scene.status, scene.buttons, scene.to_act, scene.arrange) if value]
    kinds: dict[str, list[str]] = {}
    for tint in scene.tints:
        kinds.setdefault(tint.kind, []).append(tint.place)
    tints = [f"{kind}:{','.join(places)}" for kind, places in kinds.items()]
    tokens = [f"{t.place}:{t.side[0]}.{t.face or '?'}{''.join(marks.get(m, m) for m in t.marks)}" for t in scene.tokens]
    trays = [
        f"{t.side or '-'}.{t.kind}:" + ",".join(f"{i.face}*{i.count}" for i in t.items) for t in scene.trays if t.items
    ]
    groups = [f"{'+'.join(g.places)}:{','.join(g.faces)}*{g.count}" for g in scene.groups]
    return [said, tints, tokens, trays, groups]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the golden playthroughs, or writes them.")
    parser.add_argument("variants", nargs="*", default=list(gonfalon.variants(unlisted=True)))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    differing = []
    for variant in given.variants or list(gonfalon.variants(unlisted=True)):
        text, path = write(variant), path_of(variant)
        if given.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path}: {len(text.encode())} bytes\n")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            differing.append(variant)
    if differing:
        sys.stdout.write(f"differing: {' '.join(differing)}\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
