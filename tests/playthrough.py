"""Golden playthroughs: what every observer of one match is shown and told, as text under `games/*/tests/playthroughs`.

`python tests/playthrough.py --write` makes them anew after a change of behaviour; read the difference before you
commit it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import gonfalon
from conformance.cases import Case, Step, all_observers, before_play, eyes, game_of, pick, possible
from gonfalon import games
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, State
from gonfalon.engine.scene import Group

SEED = 2026
DEALS = 12
"""Where chance decides much, the longest match of so many seeds is taken."""
MOST = 100_000
"""Bytes of a playthrough, at most."""
ACTIONS = 110
"""Actions and draws after the deployments, at most; then the first player resigns."""
LIVELY = 0.5
CHECKPOINTS = 15
"""Actions from one full account of all views to the next."""


def path_of(variant: str) -> Path:
    family = games.variants()[variant]
    return Path(games.__file__).parent / family / "tests" / "playthroughs" / f"{variant}.txt"


def write(variant: str) -> str:
    """The playthrough of a variant as it comes."""
    game = game_of(Case(variant))
    seeds = range(SEED, SEED + (DEALS if game.info.chance else 1))
    matches = {seed: list(_match(game, seed)) for seed in seeds}
    longest = max(seeds, key=lambda seed: len(matches[seed]))
    lines = [f"# playthrough of {variant}; made by tests/playthrough.py, seed {longest}", ""]
    number = 0
    for number, step in enumerate(matches[longest]):  # the last one's is used
        if number == 0:
            lines += _checkpoint(game, step.before)
        lines += _told(game, step)
        if number % CHECKPOINTS == 0 or game.outcome(step.after):
            lines += _checkpoint(game, step.after)
        last = step.after
    outcome = game.outcome(last)
    if outcome is None:
        last = game.withdraw(last, 0)
        outcome = game.outcome(last)
        lines += _checkpoint(game, last)
    return "\n".join([*lines, f"outcome {outcome}", f"actions {number + 1}"]) + "\n"


def _match(game: Game, seed: int) -> Iterator[Step]:
    """Sensible deployments mixed with one another, then random actions, rare kinds often; chance as it comes."""
    rng = np.random.default_rng(seed)
    state = game.initial_state()
    plans: dict[int, Iterator[int]] = {}
    played = 0
    while played < ACTIONS and (able := game.to_act(state)):
        deploying = before_play(game, state)
        if deploying and not plans and able != (CHANCE,):
            plans = {p: iter(game.sensible_deployment(game.view(state, p), rng).tolist()) for p in able}
        player = int(rng.choice(able))
        played += not deploying
        planned = deploying and player in plans
        action = next(plans[player]) if planned else pick(game, state, player, rng, LIVELY)
        after = game.apply(state, player, action)
        yield Step(state, player, action, after)
        state = after


def _name(game: Game, observer: int) -> str:
    names = {PUBLIC: "public", EVERYTHING: "everything", CHANCE: "chance"}
    return names.get(observer) or game.info.sides[observer]


def _short(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _told(game: Game, step: Step) -> list[str]:
    """The action and every observer's events of it; observers who are told the same share a line."""
    view = game.view(step.before, eyes(step.player))
    legal = possible(game, step.before, step.player)
    text = game.action_text(view, step.action)
    lines = [f"> {_name(game, step.player)}: {text} ({step.action}, one of {len(legal)}, {int(legal.sum())})"]
    by_events: dict[str, list[str]] = {}
    for observer in all_observers(game):
        told = game.events(step.before, step.player, step.action, step.after, observer)
        if told:
            by_events.setdefault(_short(told), []).append(_name(game, observer))
    return lines + [f"  {' '.join(names)}: {events}" for events, names in by_events.items()]


def _checkpoint(game: Game, state: State) -> list[str]:
    lines = ["", *game.state_text(state).splitlines()]
    for observer in all_observers(game):
        view = game.view(state, observer)
        scene = game.scene(view)
        lines.append(f"= {_name(game, observer)}: {_scene(scene)}")
        if observer >= 0:
            lines.append(f"  legal {' '.join(_texts(game, view))}")
    return [*lines, ""]


def _texts(game: Game, view: Any) -> list[str]:
    return [game.action_text(view, action).replace(" ", "_") for action in view.legal.tolist()]


def _scene(scene: Any) -> str:
    """A scene, tokens as `place:side.face'` (`'` moved, `!` seen, `~` one of a group, `^` spent)."""
    marks = {"moved": "'", "seen": "!", "among": "~", "spent": "^"}
    tokens = [f"{t.place}:{t.side[0]}.{t.face or '?'}{''.join(marks.get(m, m) for m in t.marks)}" for t in scene.tokens]
    trays = [f"{t.side} {t.kind} " + ",".join(f"{i.face}*{i.count}" for i in t.items) for t in scene.trays if t.items]
    rest = {"tints": scene.tints, "buttons": scene.buttons, "status": scene.status, "to_act": scene.to_act}
    arrange = f" arrange {_short(scene.arrange)}" if scene.arrange else ""
    groups = f" | {'; '.join(map(_group, scene.groups))}" if scene.groups else ""
    return f"turn {scene.turn} {_short(rest)}{arrange} | {' '.join(tokens)} | {'; '.join(trays)}{groups}"


def _group(group: Group) -> str:
    """`blue b1,b3,hand.blue: miner,scout of 4`."""
    return f"{group.side} {','.join(group.places)}: {','.join(group.faces)} of {group.count}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the golden playthroughs, or writes them.")
    parser.add_argument("variants", nargs="*", default=list(gonfalon.variants()))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    differing = []
    for variant in given.variants or list(gonfalon.variants()):
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
