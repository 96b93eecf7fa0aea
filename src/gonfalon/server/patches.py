"""The difference of two scenes that were filtered for the same observer."""

from __future__ import annotations

from operator import is_not
from typing import Any

from gonfalon.engine.scene import Scene, Token
from gonfalon.server.messages import ScenePatch

_REST = ("tints", "buttons", "status", "to_act", "turn", "arrange", "groups")


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
    """Ids that are gone, and tokens that are new or changed, both in the order of ids."""
    if before is after:
        return (), ()
    head = _alike(before, after)
    tail = min(_alike(before[::-1], after[::-1]), len(before) - head, len(after) - head)
    had = {token.id: token for token in before[head : len(before) - tail]}
    has = {token.id: token for token in after[head : len(after) - tail]}
    changed = [has[name] for name in sorted(has) if has[name] != had.get(name)]
    return tuple(sorted(had.keys() - has.keys())), tuple(changed)


def _alike(one: tuple[Token, ...], other: tuple[Token, ...]) -> int:
    """How many tokens at the start are the very same objects."""
    differ = list(map(is_not, one, other))
    return differ.index(True) if True in differ else len(differ)


def patched(scene: Scene, patch: ScenePatch) -> Scene:
    """`scene` with `patch` done to it: tokens keep their order, new ones come last."""
    fresh = {token.id: token for token in patch.tokens}
    gone = set(patch.gone)
    kept = [fresh.pop(t.id, t) for t in scene.tokens if t.id not in gone]
    rest = dict(patch.rest or {})
    trays = scene.trays if patch.trays is None else patch.trays
    values = {name: rest.get(name, getattr(scene, name)) for name in _REST}
    return Scene(tokens=(*kept, *fresh.values()), trays=trays, **values)
