"""The scene of a view: board, tokens, choices. Reads only views, never states."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import EVERYTHING
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.patches import ScenePatch, compare_scenes, compare_tokens
from gonfalon.engine.screens.scene import (
    ArmyPiece,
    Arrange,
    ArrangePiece,
    Board,
    Button,
    Choice,
    Line,
    Scene,
    Space,
    Tint,
    Token,
    Tray,
    TrayItem,
    foretell_draw,
)
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.screen import summary as at
from gonfalon.games.grid.sight.view import standing_of
from gonfalon.games.grid.text.notation import LETTERS, SQUARE_NAMES, move_squares, sword_squares

T = TypeVar("T")
SWORD, APPLE, DECLINE = "do.sword", "do.apple", "decline"
BY_RANK = (*range(g.MARSHAL, 0, -1), g.BOMB, g.FLAG)
"""Types in the order of lists: of an army, of its losses."""


def board_of(rules: NDArray[np.void], hints: tuple[str, ...]) -> Board:
    """Return the board. `hints`: codes of the game's hints."""
    row = rules[0]
    army = row["army"].tolist()
    columns, own = int(row["columns"]), int(row["own_squares"])
    zones = {int(square): g.SIDES[side] for side in range(2) for square in row["own"][side, :own]}
    spaces = tuple(
        Space(
            id=SQUARE_NAMES[square],
            name=SQUARE_NAMES[square],
            place=(square % g.COLUMNS, square // g.COLUMNS),
            ground="water" if row["blocked"][square] else "land",
            near=tuple(SQUARE_NAMES[near] for near in row["near"][square].tolist() if near != g.OFF),
            zone=zones.get(square, ""),
        )
        for square in range(int(row["squares"]))
        if square % g.COLUMNS < columns
    )
    pieces = tuple(ArmyPiece(TYPES[kind], army[kind]) for kind in BY_RANK if army[kind])
    return Board("grid", columns, int(row["rows"]), spaces, army=pieces, hints=hints)


# ---- scene -------------------------------------------------------------------------------------------------------


def scene_of(view: View, rules: NDArray[np.void], ruleset: Ruleset) -> Scene:
    """With the switch `show_known` off, the screen leaves out what was seen of the enemy and by the enemy."""
    out = np.empty(at.SIZE, np.int64)
    own = _own_bits(view.observer)
    seen = out[: at.summary(view.record, 0, own, bool(ruleset.values["show_known"]), out)].tolist()
    phase = _who[seen[at.WHO]].phase
    return Scene(
        tokens=tuple(map(_tokens.__getitem__, seen[at.TOKENS :])),
        trays=_trays(seen[at.LOST : at.TOKENS]),
        tints=_tints[seen[at.LAST]],
        buttons=_buttons(view, phase, seen[at.HIGHEST]),
        status=_status[seen[at.WHO]],
        to_act=_to_act[seen[at.WHO]],
        turn=seen[at.TURNS],
        arrange=_arrange(view, rules) if phase == g.DEPLOY else None,
        started=phase != g.DEPLOY,
        headlines=_headlines(phase, seen[at.QUIET], ruleset),
    )


def patch_of(before: View, after: View, rules: NDArray[np.void], ruleset: Ruleset) -> ScenePatch:
    """Return the difference of two scenes of one observer. Only parts with changed facts are made anew."""
    out = np.empty(at.CHANGES, np.int64)
    own = _own_bits(after.observer)
    shown = bool(ruleset.values["show_known"])
    found = out[: at.changes(before.record, 0, after.record, 0, own, shown, out)].tolist()
    (who, last, turns, highest, quiet), (new_who, new_last, new_turns, new_highest, new_quiet) = (
        found[: at.HEAD],
        found[at.HEAD : at.LOST_DIFFER],
    )
    lost, count, *keys = found[at.LOST_DIFFER :]
    phase, new_phase = _who[who].phase, _who[new_who].phase
    if g.DEPLOY in (phase, new_phase):
        return compare_scenes(scene_of(before, rules, ruleset), scene_of(after, rules, ruleset))
    trays = _trays(keys[-lost:]) if lost else None
    keys = [_tokens[key] for key in keys[: len(keys) - lost]]
    gone, tokens = compare_tokens(keys[:count], keys[count:])
    rest: dict[str, Any] = {}
    if last != new_last and (tints := _tints[new_last]) != _tints[last]:
        rest["tints"] = tints
    if max(highest, new_highest) >= g.ACT_APPLE:
        buttons = _buttons(after, new_phase, new_highest)
        if buttons != _buttons(before, phase, highest):
            rest["buttons"] = buttons
    if who != new_who:
        if (status := _status[new_who]) != _status[who]:
            rest["status"] = status
        if (to_act := _to_act[new_who]) != _to_act[who]:
            rest["to_act"] = to_act
    if turns != new_turns:
        rest["turn"] = new_turns
    headlines = _headlines(new_phase, new_quiet, ruleset)
    if headlines != _headlines(phase, quiet, ruleset):
        rest["headlines"] = headlines
    return ScenePatch(gone, tokens, trays, rest or None)


def _headlines(phase: int, quiet: int, ruleset: Ruleset) -> tuple[Line, ...]:
    """The warning that the match will soon be a draw (GR-20). `quiet`: number of turns without an attack."""
    return () if phase == g.OVER else foretell_draw(quiet, int(ruleset.values["max_quiet_turns"]))


class _Made(dict[int, T]):
    """Cache of scene objects by the whole numbers of a summary. Equal numbers give the same object, which makes scenes
    quick to build and to compare.
    """

    MOST = 50_000
    """Maximum number of cached objects, about 20 MB; the cache is then emptied. Without it, a server that runs for
    months would keep every piece that it ever showed.
    """

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> T:
        if len(self) >= self.MOST:
            self.clear()
        made = self[key] = self._make(key)
        return made


_who = _Made(at.read_who)


def _own_bits(observer: int) -> int:
    """Return the side bits of the pieces whose types the observer always sees."""
    if observer == EVERYTHING:
        return g.ANY_SIDE
    return g.RED << observer if observer in (0, 1) else 0


def _token(key: int) -> Token:
    square, piece, number, marks, shown = at.read_token(key)
    side, kind = (1 if piece & g.BLUE else 0), piece & g.TYPE
    name = f"t{number}" if number != g.NONE else f"p.{SQUARE_NAMES[square]}"
    face = TYPES[kind] if kind != g.HIDDEN and shown else ""
    return Token(name, SQUARE_NAMES[square], g.SIDES[side], face, _marks(marks))


_tokens = _Made(_token)


def _marks(marks: int) -> tuple[str, ...]:
    named = (("moved", g.MOVED), ("seen", g.SEEN), ("spent", g.SPENT))
    return tuple(name for name, bit in named if marks & bit)


def _trays(lost: list[int]) -> tuple[Tray, Tray]:
    return _lost(0, tuple(lost[: g.TYPES])), _lost(1, tuple(lost[g.TYPES :]))


@lru_cache(4096)
def _lost(side: int, counts: tuple[int, ...]) -> Tray:
    """Lost pieces, the highest rank first."""
    items = tuple(TrayItem(_tray_item(side, kind), TYPES[kind], counts[kind]) for kind in BY_RANK if counts[kind])
    return Tray("lost", g.SIDES[side], items)


def _tray_item(side: int, kind: int) -> str:
    return f"lost.{g.SIDES[side]}.{TYPES[kind]}"


def _last(key: int) -> tuple[Tint, ...]:
    """Return the beginning and the end of the last move, and the fighters."""
    return tuple(Tint(SQUARE_NAMES[square], kind) for square, kind in at.read_last(key))


_tints = _Made(_last)


def _buttons(view: View, phase: int, highest: int) -> tuple[Button, ...]:
    if highest < g.ACT_APPLE:
        return ()
    if phase in (g.HEAL, g.RESCUE):
        return (Button(DECLINE),)
    if phase != g.TURN:
        return ()
    legal = view.legal
    apples = ((legal >= g.ACT_APPLE) & (legal < g.ACT_SWORD)).any()
    return (*((Button(APPLE),) if apples else ()), *((Button(SWORD),) if highest >= g.ACT_SWORD else ()))


def _acting(key: int) -> tuple[str, ...]:
    phase, actor, _, ready, _ = _who[key]
    if phase == g.DEPLOY:
        return tuple(g.SIDES[side] for side in range(2) if not ready[side])
    return () if phase == g.OVER else (g.SIDES[actor],)


_to_act = _Made(_acting)

_OWN_STATUS = {
    g.TURN: "your-turn",
    g.HEAL: "heal",
    g.HEAL_PLACE: "place",
    g.TARGET: "target",
    g.RESCUE: "rescue",
    g.RESCUE_PLACE: "place",
}
_OTHER_STATUS = {
    g.TURN: "turn",
    g.HEAL: "healing",
    g.HEAL_PLACE: "healing",
    g.TARGET: "targeting",
    g.RESCUE: "rescuing",
    g.RESCUE_PLACE: "rescuing",
}


def _stands(key: int) -> Line:
    phase, actor, chosen, ready, observer = _who[key]
    if phase == g.OVER:
        return Line("over")
    if phase == g.DEPLOY:
        if observer not in (0, 1):
            return Line("deploying")
        return Line("wait-deploy" if ready[observer] else "deploy")
    side = g.SIDES[actor]
    if observer != actor:
        return Line(_OTHER_STATUS[phase], {"side": side})
    args = {"side": side, "face": TYPES[chosen]} if chosen else {"side": side}
    return Line(_OWN_STATUS[phase], args)


_status = _Made(_stands)


def _arrange(view: View, rules: NDArray[np.void]) -> Arrange | None:
    """Return the rest of the viewer's own deployment."""
    side = view.observer
    if not standing_of(view).arranges:
        return None
    own = rules[0]["own"][side, int(view.placed[side]) : int(rules[0]["own_squares"])].tolist()
    left = view.left[side].tolist()
    order = (g.FLAG, g.BOMB, *range(g.MARSHAL, 0, -1), g.EMPTY)
    pieces = tuple(ArrangePiece(TYPES[k], LETTERS[k], left[k], g.ACT_DEPLOY + k) for k in order if left[k])
    return Arrange(tuple(SQUARE_NAMES[square] for square in own), pieces)


# ---- choices -----------------------------------------------------------------------------------------------------


def choices_of(view: View, rules: NDArray[np.void]) -> tuple[Choice, ...]:
    """The legal actions as paths; placements are `Scene.arrange` instead."""
    if not view.record["n_legal"][0] or view.record["phase"][0] == g.DEPLOY:
        return ()
    out = np.empty(g.MOST_LEGAL, np.int32)
    keys = out[: at.choices(view.record, 0, g.RED << (1 - view.observer), out)].tolist()
    if not keys or at.read_choice(keys[-1])[0] < g.ACT_DEPLOY:
        return tuple(map(_moves.__getitem__, keys))
    choices: list[Choice] = []
    for key in keys:
        action, _ = at.read_choice(key)
        if action < g.ACT_DEPLOY:
            choices.append(_moves[key])
        elif g.ACT_SWORD <= action < g.ACT_TARGET:
            choices += _swords(action, rules)
        else:
            choices.append(_other_choice(action, view.observer))
    return tuple(choices)


def _move(key: int) -> Choice:
    """A move or an attack."""
    action, attacks = at.read_choice(key)
    begin, end = move_squares(action)
    return Choice(action, "attack" if attacks else "move", (SQUARE_NAMES[begin], SQUARE_NAMES[end]))


_moves = _Made(_move)


def _swords(action: int, rules: NDArray[np.void]) -> tuple[Choice, Choice]:
    """The targets may be named in either order."""
    square, one, other = (SQUARE_NAMES[k] for k in sword_squares(action, rules))
    return (
        Choice(action, "sword", (square, SWORD, one, other)),
        Choice(action, "sword", (square, SWORD, other, one)),
    )


@cache
def _other_choice(action: int, player: int) -> Choice:
    if action < g.ACT_SWORD:
        return Choice(action, "apple", (APPLE, SQUARE_NAMES[action - g.ACT_APPLE]))
    if action < g.ACT_PICK:
        return Choice(action, "target", (SQUARE_NAMES[action - g.ACT_TARGET],))
    if action == g.ACT_PICK:
        return Choice(action, "decline", (DECLINE,))
    if action < g.ACT_PLACE:
        return Choice(action, "return", (_tray_item(player, action - g.ACT_PICK),))
    return Choice(action, "place", (SQUARE_NAMES[action - g.ACT_PLACE],))
