"""What a screen shows of a view: board, scene, choices. Takes nothing but views (never a state)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.ruleset import Ruleset
from gonfalon.engine.scene import (
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
)
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.notation import LETTERS, move_squares, square_name, sword_squares
from gonfalon.games.grid.ruleset import TYPES

SIDES = ("red", "blue")
SWORD, APPLE, DECLINE = "do.sword", "do.apple", "decline"
_SQUARES = tuple(square_name(square) for square in range(g.SQUARES))
_END = tuple(move_squares(action)[1] for action in range(g.ACT_DEPLOY))


def board_of(rules: NDArray[np.void]) -> Board:
    row = rules[0]
    count, own = int(row["squares"]), int(row["own_squares"])
    zones = {int(square): SIDES[side] for side in range(2) for square in row["own"][side, :own]}
    spaces = tuple(
        Space(
            id=_SQUARES[square],
            name=_SQUARES[square],
            place=(square % g.COLUMNS, square // g.COLUMNS),
            ground="water" if row["blocked"][square] else "land",
            near=tuple(_SQUARES[near] for near in row["near"][square].tolist() if near != g.OFF),
            zone=zones.get(square, ""),
        )
        for square in range(count)
    )
    return Board("grid", g.COLUMNS, int(row["rows"]), spaces)


# ---- scene -------------------------------------------------------------------------------------------------------


def scene_of(view: View, rules: NDArray[np.void], ruleset: Ruleset) -> Scene:
    row = view.record[0]
    phase = int(row["phase"])
    return Scene(
        tokens=_tokens(view, bool(ruleset.values["show_known"])),
        trays=tuple(_lost(side, tuple(row["lost"][side].tolist())) for side in range(2)),
        tints=_tints(row),
        buttons=_buttons(view, phase),
        status=_status(view, phase),
        to_act=_to_act(row, phase),
        turn=int(row["turn"]),
        arrange=_arrange(view, rules) if phase == g.DEPLOY else None,
    )


@cache
def _token(square: int, piece: int, number: int, marks: int, shown: bool) -> Token:
    """Tokens are few and shared: equal ones are the same object, so scenes compare fast."""
    side, kind = (1 if piece & g.BLUE else 0), piece & g.TYPE
    name = f"t{number}" if number != g.NONE else f"p.{_SQUARES[square]}"
    face = TYPES[kind] if kind != g.HIDDEN and shown else ""
    return Token(name, _SQUARES[square], SIDES[side], face, _marks(marks))


def _marks(marks: int) -> tuple[str, ...]:
    named = (("moved", g.MOVED), ("seen", g.SEEN), ("spent", g.SPENT))
    return tuple(name for name, bit in named if marks & bit)


def _tokens(view: View, show_known: bool) -> tuple[Token, ...]:
    """With `show_known` off what was seen of the enemy, and by the enemy, is left to memory."""
    row, observer = view.record[0], view.observer
    board = row["board"]
    squares = (board & g.ANY_SIDE).nonzero()[0].tolist()
    pieces, numbers, marks = board.tolist(), row["number"].tolist(), row["marks"].tolist()
    own = (g.RED << observer) if observer in (0, 1) else g.ANY_SIDE if observer == -3 else 0
    return tuple(
        _token(
            square,
            pieces[square],
            numbers[square],
            marks[square] if show_known else 0,
            show_known or pieces[square] & own != 0,
        )
        for square in squares
    )


@cache
def _lost(side: int, counts: tuple[int, ...]) -> Tray:
    """Lost pieces, the highest rank first."""
    order = (*range(g.MARSHAL, 0, -1), g.BOMB, g.FLAG)
    items = tuple(TrayItem(_tray_item(side, kind), TYPES[kind], counts[kind]) for kind in order if counts[kind])
    return Tray("lost", SIDES[side], items)


def _tray_item(side: int, kind: int) -> str:
    return f"lost.{SIDES[side]}.{TYPES[kind]}"


@cache
def _tint(square: int, kind: str) -> Tint:
    return Tint(_SQUARES[square], kind)


def _tints(row: np.void) -> tuple[Tint, ...]:
    """The last move, this turn's if it has been made; in an unfinished fight who fights whom."""
    if row["phase"] == g.DEPLOY:
        return ()
    unfinished = int(row["phase"]) not in (g.TURN, g.OVER)
    at = int(row["turn"]) - (0 if unfinished else 1)
    tints = []
    if at >= 0 and row["ring_to"][at % g.RING] != g.NONE and (row["turn"] or unfinished):
        tints = [_tint(int(row["ring_from"][at % g.RING]), "from"), _tint(int(row["ring_to"][at % g.RING]), "to")]
    if row["fight"] != g.NO_FIGHT:
        tints.append(_tint(int(row["where"][row["fighter"]]), "fighter"))
        tints += [_tint(int(row["where"][target]), "target") for target in row["targets"] if target != g.NONE]
    return tuple(tints)


def _buttons(view: View, phase: int) -> tuple[Button, ...]:
    legal = view.legal
    if phase in (g.HEAL, g.RESCUE) and len(legal):
        return (Button(DECLINE),)
    if phase != g.TURN or not len(legal) or legal[-1] < g.ACT_APPLE:
        return ()
    swords = legal[-1] >= g.ACT_SWORD
    apples = ((legal >= g.ACT_APPLE) & (legal < g.ACT_SWORD)).any()
    return (*((Button(APPLE),) if apples else ()), *((Button(SWORD),) if swords else ()))


def _to_act(row: np.void, phase: int) -> tuple[str, ...]:
    if phase == g.DEPLOY:
        return tuple(SIDES[side] for side in range(2) if not row["ready"][side])
    return () if phase == g.OVER else (SIDES[row["actor"]],)


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


def _status(view: View, phase: int) -> Line:
    row, observer = view.record[0], view.observer
    if phase == g.OVER:
        return Line("over")
    if phase == g.DEPLOY:
        if observer not in (0, 1):
            return Line("deploying")
        return Line("wait-deploy" if row["ready"][observer] else "deploy")
    side = SIDES[row["actor"]]
    if observer != row["actor"]:
        return Line(_OTHER_STATUS[phase], {"side": side})
    args = {"side": side, "face": TYPES[row["chosen"]]} if row["chosen"] else {"side": side}
    return Line(_OWN_STATUS[phase], args)


def _arrange(view: View, rules: NDArray[np.void]) -> Arrange | None:
    """What is left of the viewer's own deployment."""
    side = view.observer
    if side not in (0, 1) or view.ready[side]:
        return None
    own = rules[0]["own"][side, int(view.placed[side]) : int(rules[0]["own_squares"])].tolist()
    left = view.left[side].tolist()
    order = (g.FLAG, g.BOMB, *range(g.MARSHAL, 0, -1), g.EMPTY)
    pieces = tuple(ArrangePiece(TYPES[k], LETTERS[k], left[k], g.ACT_DEPLOY + k) for k in order if left[k])
    return Arrange(tuple(_SQUARES[square] for square in own), pieces)


# ---- choices -----------------------------------------------------------------------------------------------------


def choices_of(view: View, rules: NDArray[np.void]) -> tuple[Choice, ...]:
    """The legal actions as paths; placements are `Scene.arrange` instead."""
    if view.phase == g.DEPLOY:
        return ()
    enemy = (view.board & (g.ANY_SIDE - (g.RED << view.observer)) != 0).tolist() if view.observer in (0, 1) else []
    choices: list[Choice] = []
    for action in view.legal.tolist():
        if action < g.ACT_DEPLOY:
            choices.append(_move(action, enemy[_END[action]]))
        elif g.ACT_SWORD <= action < g.ACT_TARGET:
            choices += _swords(action, rules)
        else:
            choices.append(_other_choice(action, view.observer))
    return tuple(choices)


@cache
def _move(action: int, attacks: bool) -> Choice:
    begin, end = move_squares(action)
    return Choice(action, "attack" if attacks else "move", (_SQUARES[begin], _SQUARES[end]))


def _swords(action: int, rules: NDArray[np.void]) -> tuple[Choice, Choice]:
    """The targets may be named in either order."""
    square, one, other = (_SQUARES[k] for k in sword_squares(action, rules))
    return (
        Choice(action, "sword", (square, SWORD, one, other)),
        Choice(action, "sword", (square, SWORD, other, one)),
    )


@cache
def _other_choice(action: int, player: int) -> Choice:
    if action < g.ACT_SWORD:
        return Choice(action, "apple", (APPLE, _SQUARES[action - g.ACT_APPLE]))
    if action < g.ACT_PICK:
        return Choice(action, "target", (_SQUARES[action - g.ACT_TARGET],))
    if action == g.ACT_PICK:
        return Choice(action, "decline", (DECLINE,))
    if action < g.ACT_PLACE:
        return Choice(action, "return", (_tray_item(player, action - g.ACT_PICK),))
    return Choice(action, "place", (_SQUARES[action - g.ACT_PLACE],))
