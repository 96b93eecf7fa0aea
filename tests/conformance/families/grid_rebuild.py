"""Rebuilds a grid game's board and lost pieces, only from events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gonfalon.engine.events import Event
from gonfalon.engine.game import Game
from gonfalon.engine.screens.scene import Scene


@dataclass
class Picture:
    """Side and face by space, lost pieces by side and face."""

    tokens: dict[str, tuple[str, str]] = field(default_factory=dict)
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    attack: tuple[str, str] = ("", "")

    def face(self, space: str, face: str) -> None:
        self.tokens[space] = (self.tokens[space][0], face)

    def move(self, begin: str, end: str) -> None:
        self.tokens[end] = self.tokens.pop(begin)

    def lose(self, space: str) -> None:
        self.lost[self.tokens.pop(space)] += 1


def rebuild(events: Iterable[Event]) -> Picture:
    picture = Picture()
    for event in events:
        _add(picture, event.code, event.args)
    return picture


def _add(picture: Picture, code: str, args: dict[str, Any]) -> None:
    match code:
        case "start":
            for space, side in args["spaces"].items():
                picture.tokens.setdefault(space, (side, ""))
        case "moved" | "ran":
            picture.move(args["from"], args["to"])
            if "face" in args:
                picture.face(args["to"], args["face"])
        case "attacked":
            picture.attack = (args["from"], args["to"])
        case "sword" | "apple":
            picture.attack = ("", "")
            if code == "apple":
                picture.face(args["flag_space"], "flag")
        case "revealed":
            picture.face(args["space"], args["face"])
        case "placed" | "healed" | "rescued":
            picture.tokens[args["space"]] = (args["side"], args["face"])
            if code != "placed":
                picture.lost[args["side"], args["face"]] -= 1
        case _ if code.startswith("battle-"):
            _battle(picture, code, args)


def _battle(picture: Picture, code: str, args: dict[str, Any]) -> None:
    begin, space = args["from"], args["space"]
    if begin not in picture.tokens:  # a Captain that attacks two Captains has left with the first (GR-32)
        picture.lose(space)
        return
    picture.face(begin, args["attacker_face"])
    if "defender_face" in args:
        picture.face(space, args["defender_face"])
    if code in ("battle-won", "battle-both"):
        picture.lose(space)
    if code != "battle-won":
        picture.lose(begin)
    elif picture.attack == (begin, space):
        picture.move(begin, space)


def agrees(game: Game, scene: Scene, picture: Picture) -> bool:
    """Return whether the scene agrees with the rebuilt facts. If `show_known` is off, the scene may omit faces."""
    shown = {token.place: (token.side, token.face) for token in scene.tokens}
    if not game.info.ruleset.values["show_known"]:
        shown = {k: (side, face or picture.tokens.get(k, ("", ""))[1]) for k, (side, face) in shown.items()}
    trays = {(tray.side, item.face): item.count for tray in scene.trays for item in tray.items}
    return shown == picture.tokens and trays == {key: count for key, count in picture.lost.items() if count}
