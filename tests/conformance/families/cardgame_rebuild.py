"""Rebuilds lines, hands, piles and lost cards, only from an observer's events."""

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
    """Side and face by space ("" for an unknown face), number of cards in hands by side, lost cards by side and
    face.
    """

    tokens: dict[str, tuple[str, str]] = field(default_factory=dict)
    hands: Counter[str] = field(default_factory=Counter)
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    own: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Cards in hands by side and face, if the events name the drawn cards."""


def rebuild(events: Iterable[Event]) -> Picture:
    picture = Picture()
    for event in events:
        _add(picture, event.code, event.args)
    return picture


def _add(picture: Picture, code: str, args: dict[str, Any]) -> None:
    side = args.get("side", "")
    match code:
        case "drew" | "drew-hidden":
            picture.hands[side] += 1
            picture.own[side, args.get("face", "")] += 1
        case "placed":
            picture.tokens[args["space"]] = (side, args["face"])
            picture.own[side, args["face"]] -= 1
        case "start":
            for space, owner in args["spaces"].items():
                picture.tokens.setdefault(space, (owner, ""))
                picture.hands[owner] -= 1
        case "laid":
            for space in args["spaces"]:
                picture.tokens.setdefault(space, (side, ""))
            picture.hands[side] -= args["count"]
        case "revealed" | "saw":
            picture.tokens[args["space"]] = (side, args["face"])
        case "trick":
            for space in [space for space, (owner, _) in picture.tokens.items() if owner == side]:
                del picture.tokens[space]
            picture.hands[side] = 0
            picture.own = Counter({key: count for key, count in picture.own.items() if key[0] != side})
        case _ if code.startswith("battle-"):
            _battle(picture, code, args)


def _battle(picture: Picture, code: str, args: dict[str, Any]) -> None:
    for space, face, stays in (
        (args["from"], args["attacker_face"], code == "battle-won"),
        (args["space"], args["defender_face"], code == "battle-lost"),
    ):
        owner, _ = picture.tokens.pop(space)
        if stays:
            picture.tokens[space] = (owner, face)
        else:
            picture.lost[owner, face] += 1


def agrees(game: Game, scene: Scene, picture: Picture) -> bool:
    """Return whether the scene agrees with the rebuilt facts. If `show_known` is off, the scene may omit faces."""
    shown = {token.place: (token.side, token.face) for token in scene.tokens}
    if shown.keys() != picture.tokens.keys():
        return False
    show = bool(game.info.ruleset.values["show_known"])
    for space, (owner, face) in picture.tokens.items():
        side, seen = shown[space]
        if side != owner or (face and seen != face and (show or seen)):
            return False
    return _lost(scene) == +picture.lost and _hands(scene, picture) and _piles(game, scene)


def _lost(scene: Scene) -> Counter[tuple[str, str]]:
    return Counter({(t.side, item.face): item.count for t in scene.trays if t.kind == "lost" for item in t.items})


def _hands(scene: Scene, picture: Picture) -> bool:
    """Return whether the hands agree: their sizes, and the faces of the observer's own hand."""
    for tray in scene.trays:
        if tray.kind != "hand":
            continue
        told = Counter({face: count for (side, face), count in picture.own.items() if side == tray.side and count})
        if "" in told:
            if sum(item.count for item in tray.items) != picture.hands[tray.side]:
                return False
        elif Counter({item.face: item.count for item in tray.items}) != told:
            return False
    return True


def _piles(game: Game, scene: Scene) -> bool:
    """Return whether all cards that are not in line, hand or lost are in the pile."""
    for side in game.info.sides:
        others = sum(item.count for t in scene.trays if t.side == side and t.kind != "pile" for item in t.items)
        line = sum(token.side == side for token in scene.tokens)
        pile = sum(item.count for t in scene.trays if t.side == side and t.kind == "pile" for item in t.items)
        if pile != game.info.ruleset.facts.pieces - others - line:
            return False
    return True
