"""The difference of two scenes of the same observer: what a screen that shows the one needs to show the other."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, is_not
from typing import Any

import msgspec

from gonfalon.engine.scene import Scene, Token, Tray

_REST = ("tints", "buttons", "status", "to_act", "turn", "arrange", "groups", "started", "out")
_rest = attrgetter(*_REST)


class ScenePatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """The difference of two filtered scenes: ids of tokens that are gone, tokens new or changed, the rest."""

    gone: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    trays: tuple[Tray, ...] | None = None
    rest: dict[str, Any] | None = None
    """All other fields of a scene where they differ."""


def compare_scenes(before: Scene, after: Scene) -> ScenePatch:
    """What turns `before` into `after`. Equal objects are found by identity first: games cache their tokens."""
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
    """Ids that are gone, and tokens that are new or changed, both in the order of ids. `old` and `new`: all tokens of
    two scenes, or those that are not the same in both.
    """
    if len(old) == len(new) == 1 and old[0].id == new[0].id:  # what most steps do
        return (), () if old[0] == new[0] else (new[0],)
    had = {token.id: token for token in old}
    has = {token.id: token for token in new}
    changed = [has[name] for name in sorted(has) if has[name] != had.get(name)]
    return tuple(sorted(had.keys() - has.keys())), tuple(changed)


def _count_same(one: tuple[Token, ...], other: tuple[Token, ...]) -> int:
    """How many tokens at the start are the very same objects."""
    differ = list(map(is_not, one, other))
    return differ.index(True) if True in differ else len(differ)


def apply_patch(scene: Scene, patch: ScenePatch) -> Scene:
    """`scene` with `patch` done to it: tokens keep their order, new ones come last."""
    fresh = {token.id: token for token in patch.tokens}
    gone = set(patch.gone)
    kept = [fresh.pop(t.id, t) for t in scene.tokens if t.id not in gone]
    rest = dict(patch.rest or {})
    trays = scene.trays if patch.trays is None else patch.trays
    values = {name: rest.get(name, getattr(scene, name)) for name in _REST}
    return Scene(tokens=(*kept, *fresh.values()), trays=trays, **values)
