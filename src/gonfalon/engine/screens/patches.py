"""Patches: the difference between two scenes of one observer. A screen makes the second scene from the first one and
the patch.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, is_not
from typing import Any

import msgspec

from gonfalon.engine.screens.scene import Scene, Token, Tray

_REST = tuple(name for name in Scene.__struct_fields__ if name not in ("tokens", "trays"))
_rest = attrgetter(*_REST)


class ScenePatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes from one scene to the next."""

    gone: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    trays: tuple[Tray, ...] | None = None
    rest: dict[str, Any] | None = None
    """The other fields of the scene that differ, by name; None if all are equal."""


def compare_scenes(before: Scene, after: Scene) -> ScenePatch:
    """Return the patch from `before` to `after`. Tokens are compared by identity first, because games cache them."""
    head = _count_same(before.tokens, after.tokens)
    most = min(len(before.tokens), len(after.tokens)) - head
    tail = min(_count_same(before.tokens[::-1], after.tokens[::-1]), most)
    old, new = before.tokens[head : len(before.tokens) - tail], after.tokens[head : len(after.tokens) - tail]
    gone, tokens = compare_tokens(old, new)
    trays = None if before.trays is after.trays or before.trays == after.trays else after.trays
    both = zip(_REST, _rest(before), _rest(after), strict=True)
    rest = {name: other for name, one, other in both if one is not other and one != other}
    return ScenePatch(gone, tokens, trays, rest or None)


def compare_tokens(old: Sequence[Token], new: Sequence[Token]) -> tuple[tuple[str, ...], tuple[Token, ...]]:
    """Return the ids of removed tokens, and the new or changed tokens, both sorted by id. `old` and `new` may omit
    tokens that are equal in both scenes.
    """
    if len(old) == len(new) == 1 and old[0].id == new[0].id:  # most steps change one token
        return (), () if old[0] == new[0] else (new[0],)
    had = {token.id: token for token in old}
    has = {token.id: token for token in new}
    changed = [has[name] for name in sorted(has) if has[name] != had.get(name)]
    return tuple(sorted(had.keys() - has.keys())), tuple(changed)


def _count_same(one: tuple[Token, ...], other: tuple[Token, ...]) -> int:
    """Count the tokens at the start of both tuples that are the same objects."""
    differ = list(map(is_not, one, other))
    return differ.index(True) if True in differ else len(differ)


def apply_patch(scene: Scene, patch: ScenePatch) -> Scene:
    """Return `scene` after `patch`. Tokens keep their order; new tokens come last."""
    fresh = {token.id: token for token in patch.tokens}
    gone = set(patch.gone)
    kept = [fresh.pop(t.id, t) for t in scene.tokens if t.id not in gone]
    rest = dict(patch.rest or {})
    trays = scene.trays if patch.trays is None else patch.trays
    values = {name: rest.get(name, getattr(scene, name)) for name in _REST}
    return Scene(tokens=(*kept, *fresh.values()), trays=trays, **values)
