"""Views filled in by hand, for tests of screens, refusals, tensors and deployments."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonfalon import games
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import Choice, Scene
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.game import make
from gonfalon.games.conquest.maps import Map
from gonfalon.games.conquest.ruleset import map_of
from gonfalon.games.conquest.screen.choices import choices_of
from gonfalon.games.conquest.screen.explain import explain_action, explain_path
from gonfalon.games.conquest.screen.scene import scene_of
from gonfalon.games.conquest.tables import make_rules
from gonfalon.games.conquest.text.notation import LETTERS, names_of, parse_action

RED, BLUE, GREEN, OCHRE = range(4)


@cache
def ruleset(variant: str = "conquest", **switches: Any) -> Ruleset:
    return games.ruleset(variant, **switches)


class Sight:
    """A view, red's by default, of an empty map in the middle of a battle, with methods to change it."""

    def __init__(self, phase: int = g.MOVE, variant: str = "conquest", observer: int = RED, **fields: Any) -> None:
        self.ruleset = ruleset(variant)
        self.land: Map = map_of(self.ruleset)
        self.rules = make_rules(self.ruleset)
        self.names = names_of(self.land)
        self.record = zero_rows(g.VIEW)
        self.row = self.record[0]
        self.row["observer"] = self.observer = observer
        self.row["phase"], self.row["started"] = phase, phase > g.DEPLOY
        players = int(self.rules[0]["players"])
        for name in ("owner", "control", "at", "playing", "hand", "group", "chosen", "winner", "start", "wins_by"):
            self.row[name] = g.NONE
        self.row["last"] = (g.NO_ACT, g.NONE, g.NONE, g.NONE)
        self.row["holder"] = [side if side < players else g.NONE for side in range(g.PLAYERS)]
        for name, value in fields.items():
            self.row[name] = value

    def zone(self, name: str) -> int:
        return self.names.zone(name)

    def put(self, side: int, **units: str) -> Sight:
        """Put units in zones, each as its letter or `?`; each unit gets the next slot of its side."""
        for name, letter in units.items():
            used = self.row["at"][self.row["at"] // g.ARMY == side]
            slot = side * g.ARMY + len(used)
            self.row["at"][self.zone(name)] = slot
            self.row["kind"][slot] = g.HIDDEN if letter == "?" else LETTERS.index(letter)
        return self

    def slot(self, zone: str) -> int:
        return int(self.row["at"][self.zone(zone)])

    def may(self, *actions: str | int) -> Sight:
        """Make these actions the list of legal actions."""
        ids = sorted(a if isinstance(a, int) else parse_action(a, None, self.names) for a in actions)
        self.row["legal"][: len(ids)] = ids
        self.row["n_legal"] = len(ids)
        return self

    def choose(self, *zones: str) -> Sight:
        for k, zone in enumerate(zones):
            self.row["chosen"][k] = self.zone(zone)
        self.row["n_chosen"] = len(zones)
        return self

    @property
    def view(self) -> View:
        return View(self.record, self.observer, self.ruleset.name)

    @property
    def planes(self) -> dict[str, NDArray[Any]]:
        """The observation by the names of its planes, each of shape (zones,)."""
        tensors = make(self.ruleset).encode(self.view)
        return dict(zip(tensors.channels, tensors.planes[:, 0], strict=True))

    def scene(self, **switches: Any) -> Scene:
        return scene_of(self.view, ruleset(self.ruleset.variant, **switches), self.land, self.rules)

    def choices(self) -> tuple[Choice, ...]:
        return choices_of(self.view, self.land)

    def refusal(self, action: str | int) -> tuple[Any, ...] | None:
        """Return code and arguments of an action's refusal, or None if it is legal."""
        number = action if isinstance(action, int) else parse_action(action, None, self.names)
        found = explain_action(self.view, number, self.land, self.rules)
        return None if found is None else (found.code, *found.args.values())

    def path_refusal(self, *path: str) -> tuple[Any, ...]:
        found = explain_path(self.view, path, self.land, self.rules)
        return (found.code, *found.args.values())

    # ---- the same in words

    def tokens(self, **switches: Any) -> list[str]:
        """Return each token in words: `red1 kf1 king seen`, with `?` for an unknown unit."""
        return [" ".join([t.id, t.place, t.face or "?", *t.marks]) for t in self.scene(**switches).tokens]

    def tray(self, kind: str, side: str = "", **switches: Any) -> list[str]:
        """Return each item of a tray in words: `2 king`, `1 ?`, `1 flag blue`."""
        [tray] = [tray for tray in self.scene(**switches).trays if (tray.kind, tray.side) == (kind, side)]
        return [f"{item.count} {item.face or '?'} {item.side}".strip() for item in tray.items]

    def tints(self) -> list[str]:
        return [f"{tint.place} {tint.kind}" for tint in self.scene().tints]

    def status(self) -> tuple[Any, ...]:
        status = self.scene().status
        return (status.code, *status.args.values())

    def paths(self) -> list[str]:
        """Return each choice in words: `move kf1 kf2`."""
        return [" ".join([choice.verb, *choice.path]) for choice in self.choices()]


def deploying(variant: str = "conquest-two", laid: str = "") -> Sight:
    """Return a view in which red places units. Each of n players owns every n-th territory; `laid` fills red's first
    zones.
    """
    sight = Sight(g.DEPLOY, variant)
    count = int(sight.rules[0]["territories"])
    sight.row["owner"][:count] = np.arange(count) % int(sight.rules[0]["players"])
    sight.row["laid"][RED][: len(laid)] = [LETTERS.index(letter) for letter in laid]
    sight.row["placed"][RED] = len(laid)
    return sight.may(*range(g.ACT_PLACE, g.ACT_PICK))


def grouped(*faces: int, inside: int = 0) -> Sight:
    """Return a view in which blue's units on um1 and um2 and `inside` units of its reserve form one group. Red knows
    the types `faces` in that group.
    """
    sight = Sight().put(RED, kf1="K").put(BLUE, um1="?", um2="?", um3="?")
    first = sight.slot("um1")
    slots = [first, sight.slot("um2")]
    sight.row["marks"][slots], sight.row["group"][slots] = g.AMONG, first
    sight.row["in_reserve"][first] = inside
    sight.row["n_reserve"][BLUE] = inside
    for face in faces:
        sight.row["among"][first][face] += 1
    return sight
