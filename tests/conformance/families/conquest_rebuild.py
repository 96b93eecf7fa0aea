"""Rebuilds the map, reserves and Flags, only from an observer's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gonfalon.engine.events import Event
from gonfalon.engine.game import Game
from gonfalon.engine.screens.scene import Scene

FLAG = "flag"
LIFTED = 3
"""Number of units of a Regroup."""


@dataclass
class Picture:
    """Side and face by space ("" for an unknown face), size of reserves by side, the unit in hand, and holders of
    Flags.
    """

    tokens: dict[str, tuple[str, str]] = field(default_factory=dict)
    reserves: Counter[str] = field(default_factory=Counter)
    hand: tuple[str, str] | None = None
    flags: dict[str, str] = field(default_factory=dict)
    attack: tuple[str, str] = ("", "")
    aimed: list[str] = field(default_factory=list)
    lifted: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The observer's own units that are being regrouped."""


def rebuild(events: Iterable[Event]) -> Picture:
    told, picture = [*events], Picture()
    # CQ-25: if a resignation ends the match, that player's units stay.
    ends = bool(told) and told[-1].code == "won" and told[-1].args["reason"] == "resigned"
    last = max((k for k, event in enumerate(told) if event.code == "resigned"), default=-1) if ends else -1
    for k, event in enumerate(told):
        for add in (_lifted,) if k == last else (_lifted, _shown, _moved, _beside):
            add(picture, event.code, event.args)
    return picture


def _shown(picture: Picture, code: str, args: dict[str, Any]) -> None:
    """Process events that name a unit and its new place."""
    side, tokens = args.get("side", ""), picture.tokens
    match code:
        case "placed" if args["face"]:
            tokens[args["space"]] = (side, args["face"])
        case "battle-begins":
            for space, owner in args["spaces"].items():
                tokens.setdefault(space, (owner, ""))
        case "put-back" | "saw":
            tokens[args["space"]] = (args.get("other", side), args["face"])
        case "regrouped":
            # The player who regroups knows the order of the units.
            tokens.update((space, (side, "")) for space in args["spaces"] if not picture.lifted)
            picture.lifted = {}
        case "skipped":
            tokens.update((space, (side, "cursed-land")) for space, (owner, _) in [*tokens.items()] if owner == side)
        case "resigned":
            for space in [space for space, (owner, _) in tokens.items() if owner == side]:
                del tokens[space]


def _lifted(picture: Picture, code: str, args: dict[str, Any]) -> None:
    """Process a Regroup: its units are lifted until they are put back. If it is broken off, they stay where they
    were.
    """
    match code:
        case "aimed" if args["card"] == "regroup":
            picture.aimed.append(args["space"])
            if len(picture.aimed) == LIFTED:
                picture.lifted = {space: picture.tokens.pop(space) for space in picture.aimed}
                picture.aimed = []
        case "won" | "drawn" | "resigned":
            picture.tokens.update(picture.lifted)
            picture.aimed, picture.lifted = [], {}


def _moved(picture: Picture, code: str, args: dict[str, Any]) -> None:
    side, tokens = args.get("side", ""), picture.tokens
    match code:
        case "moved" | "ran":
            _, face = tokens.pop(args["from"])
            tokens[args["to"]] = (side, "scout" if code == "ran" else face)
        case "attacked":
            picture.attack = args["from"], args["to"]
        case "hit":
            del tokens[args["space"]]
        case _ if code.startswith("battle-") and code != "battle-begins":
            _battle(picture, code, args)


def _battle(picture: Picture, code: str, args: dict[str, Any]) -> None:
    start, finish = picture.attack
    side, _ = picture.tokens.pop(start)
    other, _ = picture.tokens.pop(finish)
    if code != "battle-lost":
        picture.reserves[other] += args["defender_face"] != FLAG
    else:
        picture.tokens[finish] = (other, args["defender_face"])
    if code == "battle-won":
        picture.tokens[finish] = (side, args["attacker_face"])
    else:
        picture.reserves[side] += 1


def _beside(picture: Picture, code: str, args: dict[str, Any]) -> None:
    side = args.get("side", "")
    match code:
        case "unit" | "unit-hidden":
            picture.reserves[side] -= 1
            picture.hand = (side, args.get("face", ""))
        case "entered" | "entered-hidden":
            if picture.hand is None:
                picture.reserves[side] -= 1
            face = args.get("face", "") or (picture.hand or ("", ""))[1]
            picture.tokens[args["space"]] = (side, face)
            picture.hand = None
        case "raised" | "won":
            picture.hand = None
        case "hit":
            picture.reserves[args["other"]] += args["face"] != FLAG
        case "captured":
            picture.flags[args["other"]] = side
        case "given":
            picture.flags[side] = args["other"]
        case "recaptured":
            picture.flags.pop(side, None)
            picture.hand = (side, FLAG)
        case "resigned":
            picture.reserves[side] = 0
            picture.hand = None if picture.hand and picture.hand[0] == side else picture.hand


def agrees(game: Game, scene: Scene, picture: Picture) -> bool:
    """Return whether the scene shows the rebuilt facts. If `show_known` is off, the scene may omit faces.

    Some faces have no event of their own: they follow from a group (its last unit, or all of one type), or from a draw
    out of a reserve of one type. So the scene may show more faces than the events named one by one.
    """
    shown = {token.place: (token.side, token.face) for token in scene.tokens}
    if shown.keys() != picture.tokens.keys():
        return False
    show = bool(game.info.ruleset.values["show_known"])
    for space, (owner, face) in picture.tokens.items():
        side, seen = shown[space]
        if side != owner or (face and seen != face and (show or seen)):
            return False
    return _reserves(scene) == +picture.reserves and _hands(scene, picture) and _flags(scene) == picture.flags


def _reserves(scene: Scene) -> Counter[str]:
    return Counter({t.side: sum(i.count for i in t.items) for t in scene.trays if t.kind == "reserve" and t.items})


def _hands(scene: Scene, picture: Picture) -> bool:
    hands = [(tray.side, item.face) for tray in scene.trays if tray.kind == "hand" for item in tray.items]
    told = [picture.hand] if picture.hand else []
    return [side for side, _ in hands] == [side for side, _ in told] and all(
        face in ("", seen) for (_, seen), (_, face) in zip(hands, told, strict=True)
    )


def _flags(scene: Scene) -> dict[str, str]:
    return {item.side: tray.side for tray in scene.trays if tray.kind == "flags" for item in tray.items}
