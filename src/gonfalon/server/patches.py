"""The difference of two scenes that were filtered for the same observer."""

from __future__ import annotations

from typing import Any

from gonfalon.engine.scene import Scene, Token
from gonfalon.server.messages import ScenePatch

_REST = ("tints", "buttons", "status", "to_act", "turn", "arrange")


def difference(before: Scene, after: Scene) -> ScenePatch:
    """What turns `before` into `after`. Equal objects are found by identity first: games cache their tokens."""
    gone, tokens = _tokens(before.tokens, after.tokens)
    trays = None if before.trays is after.trays or before.trays == after.trays else after.trays
    rest: dict[str, Any] = {}
    for name in _REST:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            rest[name] = new
    return ScenePatch(gone, tokens, trays, rest or None)


def _tokens(before: tuple[Token, ...], after: tuple[Token, ...]) -> tuple[tuple[str, ...], tuple[Token, ...]]:
    if before is after:
        return (), ()
    if len(before) == len(after):
        pairs = [(old, new) for old, new in zip(before, after, strict=True) if old is not new]
        if all(old.id == new.id for old, new in pairs):
            return (), tuple(new for old, new in pairs if old != new)
    had = set(map(id, before))
    has = set(map(id, after))
    fresh = [token for token in after if id(token) not in had]
    left = {token.id: token for token in before if id(token) not in has}
    changed = []
    for token in fresh:
        old = left.pop(token.id, None)
        if old != token:
            changed.append(token)
    return tuple(left), tuple(changed)


def patched(scene: Scene, patch: ScenePatch) -> Scene:
    """`scene` with `patch` done to it: tokens keep their order, new ones come last."""
    fresh = {token.id: token for token in patch.tokens}
    gone = set(patch.gone)
    kept = [fresh.pop(t.id, t) for t in scene.tokens if t.id not in gone]
    rest = dict(patch.rest or {})
    trays = scene.trays if patch.trays is None else patch.trays
    values = {name: rest.get(name, getattr(scene, name)) for name in _REST}
    return Scene(tokens=(*kept, *fresh.values()), trays=trays, **values)
