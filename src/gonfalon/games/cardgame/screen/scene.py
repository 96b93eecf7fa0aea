"""The scene of a view: table, tokens, choices. Reads only views, never states."""

from __future__ import annotations

from functools import cache

from gonfalon.engine.game import EVERYTHING
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import (
    ArmyPiece,
    Arrange,
    ArrangePiece,
    Board,
    Button,
    Choice,
    Group,
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
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.screen.hints import CODES
from gonfalon.games.cardgame.sight.view import standing_of
from gonfalon.games.cardgame.text.notation import LETTERS, places_of, space_name

LOOK_HAND, LOOK_LINE, TRICK = "do.look-hand", "do.look-line", "do.trick"
BY_RANK = (*range(g.MARSHAL, 0, -1), g.BOMB, g.FLAG)
"""Types in the order in which trays show them."""


@cache
def board(deck: tuple[int, ...]) -> Board:
    """Return the board: two lines that face each other. `deck`: number of cards of each type that a side has."""
    spaces = []
    for side, name in enumerate(g.SIDES):
        for k in range(g.LINE):
            beside = [line_place(side, near) for near in (k - 1, k + 1) if 0 <= near < g.LINE]
            near = tuple(space_name(place) for place in (*beside, line_place(1 - side, k)))
            spaces.append(Space(_name(side, k), _name(side, k), (k, side), near=near, zone=name))
    army = tuple(ArmyPiece(TYPES[kind], deck[kind]) for kind in BY_RANK if deck[kind])
    return Board("table", g.LINE, 2, tuple(spaces), army=army, hints=CODES)


def line_place(side: int, k: int) -> int:
    return side * g.SIDE_PLACES + k


def hand_place(side: int, j: int) -> int:
    return side * g.SIDE_PLACES + g.LINE + j


def _name(side: int, k: int) -> str:
    return space_name(line_place(side, k))


# ---- scene -------------------------------------------------------------------------------------------------------


def scene_of(view: View, ruleset: Ruleset) -> Scene:
    """Return the scene of a view. If the switch `show_known` is off, the scene omits what the viewer saw of the enemy's
    cards, and what the enemy saw of the viewer's.
    """
    shown, standing = bool(ruleset.values["show_known"]), standing_of(view)
    return Scene(
        tokens=tuple(_tokens(view, shown)),
        trays=tuple(tray for side in range(2) for tray in _trays(view, side, shown)),
        tints=_tints(view),
        buttons=_buttons(view),
        status=_status(view),
        to_act=_to_act(view),
        turn=standing.turn,
        arrange=arrange_of(view),
        groups=_groups(view) if shown else (),
        started=standing.started,
        headlines=_headlines(view, ruleset),
    )


def _headlines(view: View, ruleset: Ruleset) -> tuple[Line, ...]:
    """Return the warning that the match will soon be a draw (CG-14)."""
    return () if view.phase == g.OVER else foretell_draw(int(view.quiet), int(ruleset.values["max_quiet_turns"]))


def is_own(view: View, side: int) -> bool:
    return view.observer in (side, EVERYTHING)


def _tokens(view: View, shown: bool) -> list[Token]:
    kinds, marks = view.kind.tolist(), view.marks.tolist()
    numbers, laid = view.number.tolist(), view.laid.tolist()
    tokens = []
    for side, name in enumerate(g.SIDES):
        for k in range(g.LINE):
            place, number = line_place(side, k), numbers[side][k]
            if number:
                known = shown or is_own(view, side)
                face = TYPES[kinds[place]] if known and kinds[place] != g.HIDDEN else ""
                mark = _MARKS[marks[place]] if shown else ()
                tokens.append(Token(f"{name}{number}", space_name(place), name, face, mark))
            elif laid[side][k]:
                tokens.append(Token(f"p.{space_name(place)}", space_name(place), name, TYPES[laid[side][k]]))
    return tokens


_MARKS = {g.UNKNOWN: (), g.AMONG: ("among",), g.SEEN: ("seen",)}


def _trays(view: View, side: int, shown: bool) -> tuple[Tray, Tray, Tray]:
    lost, pile = (field[side].tolist() for field in (view.lost, view.pile))
    name = g.SIDES[side]
    return (
        Tray("hand", name, _hand(view, side, shown)),
        Tray("pile", name, _items("pile", side, pile) or _hidden(f"pile.{name}", int(view.n_pile[side]))),
        Tray("lost", name, _items("lost", side, lost)),
    )


def count_hand(view: View, side: int) -> list[int]:
    """Return the number of cards of each type known in the hand, minus those laid in an open choice."""
    counts = [0] * (g.HIDDEN + 1)
    for kind in view.kind[hand_place(side, 0) : hand_place(side, g.DEALT)].tolist():
        counts[kind] += 1
    for kind in view.laid[side].tolist():
        counts[kind] -= 1
    return counts


def _hand(view: View, side: int, shown: bool) -> tuple[TrayItem, ...]:
    counts = count_hand(view, side)
    if counts[g.HIDDEN] or not (shown or is_own(view, side)):
        return _hidden(f"hand.{g.SIDES[side]}.hidden", int(view.n_hand[side]))
    return _items("hand", side, counts)


def _items(tray: str, side: int, counts: list[int]) -> tuple[TrayItem, ...]:
    name = f"{tray}.{g.SIDES[side]}"
    return tuple(TrayItem(f"{name}.{TYPES[k]}", TYPES[k], counts[k]) for k in BY_RANK if counts[k])


def _hidden(name: str, count: int) -> tuple[TrayItem, ...]:
    return (TrayItem(name, "", count),) if count else ()


def _groups(view: View) -> tuple[Group, ...]:
    """Return the viewer's knowledge of hidden cards as groups (CG-9). The viewer's own cards need none: their marks say
    enough.
    """
    groups = []
    labels, among = view.group.tolist(), view.among.tolist()
    for side, name in enumerate(g.SIDES):
        if is_own(view, side):
            continue
        places = range(line_place(side, 0), line_place(1 + side, 0))
        for label in sorted({labels[place] for place in places} - {g.NONE}):
            members = [place for place in places if labels[place] == label]
            spaces = [space_name(place) for place in members if place < hand_place(side, 0)]
            hand = [f"hand.{name}"] if len(spaces) < len(members) else []
            faces = tuple(TYPES[k] for k in BY_RANK for _ in range(among[label][k]))
            groups.append(Group(name, (*spaces, *hand), faces, len(members)))
    return tuple(groups)


def _tints(view: View) -> tuple[Tint, ...]:
    """Return the tints of the last attack or look."""
    _, place, *others = view.last.tolist()
    if place == g.NONE:
        return ()
    return (Tint(space_name(place), "from"), *(Tint(space_name(other), "to") for other in others if other != g.NONE))


def _buttons(view: View) -> tuple[Button, ...]:
    legal = view.legal
    if view.phase != g.ACT or not len(legal):
        return ()
    spans = (
        (LOOK_HAND, g.ACT_LOOK_HAND, g.ACT_LOOK_LINE),
        (LOOK_LINE, g.ACT_LOOK_LINE, g.ACT_TRICK),
        (TRICK, g.ACT_TRICK, g.ACT_DRAW),
    )
    return tuple(Button(name) for name, low, high in spans if ((legal >= low) & (legal < high)).any())


def _to_act(view: View) -> tuple[str, ...]:
    if view.phase in (g.DRAW, g.OVER):
        return ()
    if view.phase == g.LAY and not view.started:
        return tuple(name for side, name in enumerate(g.SIDES) if not view.ready[side])
    return (g.SIDES[view.mover],)


def _status(view: View) -> Line:
    phase, observer, mover = int(view.phase), view.observer, int(view.mover)
    if phase == g.OVER:
        return Line("over")
    if not view.started:
        if observer not in (0, 1):
            return Line("deploying")
        if phase == g.DRAW:
            return Line("dealing")
        return Line("wait-deploy" if view.ready[observer] else "deploy")
    own, other = _STATUS["anew" if view.anew and phase == g.LAY else phase]
    return Line(own if observer == mover else other, {"side": g.SIDES[mover]})


_STATUS = {
    g.DRAW: ("drawing", "drawing"),
    g.ACT: ("act", "turn"),
    g.LAY: ("lay", "laying"),
    "anew": ("lay-anew", "laying-anew"),
}
"""Status codes by phase: for the player who acts, and for all others."""


def arrange_of(view: View) -> Arrange | None:
    """Return what is left to lay: the undecided gaps, the hand, and the number of gaps that must stay."""
    if not standing_of(view).arranges:
        return None
    side = view.observer
    gaps = [k for k in range(g.LINE) if not view.number[side][k]][int(view.placed[side]) :]
    counts = count_hand(view, side)
    pieces = [ArrangePiece(TYPES[k], LETTERS[k], counts[k], g.ACT_LAY + k) for k in BY_RANK if counts[k]]
    short = len(gaps) - sum(counts[1 : g.TYPES])
    if short > 0:
        pieces.append(ArrangePiece("", LETTERS[0], short, g.ACT_LAY))
    return Arrange(tuple(_name(side, k) for k in gaps), tuple(pieces))


# ---- choices -----------------------------------------------------------------------------------------------------


def choices_of(view: View) -> tuple[Choice, ...]:
    """Return the legal actions as paths. Laying is not among them; see `Scene.arrange`."""
    if view.phase != g.ACT or not len(view.legal):
        return ()
    side = view.observer
    choices: list[Choice] = []
    for action in view.legal.tolist():
        if action == g.ACT_TRICK:
            flag = view.kind[line_place(side, 0) : line_place(side, g.LINE)].tolist().index(g.FLAG)
            choices.append(Choice(action, "trick", (_name(side, flag), TRICK)))
        else:
            choices += _choices(action, side)
    return tuple(choices)


@cache
def _choices(action: int, side: int) -> tuple[Choice, ...]:
    """Return the choices for an attack or a look. The two cards at which a Scout looks may be named in either order."""
    if action < g.ACT_LOOK_HAND:
        own, enemy = divmod(action - g.ACT_ATTACK, g.LINE)
        return (Choice(action, "attack", (_name(side, own), _name(1 - side, enemy))),)
    if action < g.ACT_LOOK_LINE:
        return (Choice(action, "look-hand", (_name(side, action - g.ACT_LOOK_HAND), LOOK_HAND)),)
    own, look = divmod(action - g.ACT_LOOK_LINE, g.LOOKS)
    spaces = [_name(1 - side, k) for k in places_of(look)]
    orders = [spaces] if len(spaces) == 1 else [spaces, spaces[::-1]]
    return tuple(Choice(action, "look-line", (_name(side, own), LOOK_LINE, *order)) for order in orders)
