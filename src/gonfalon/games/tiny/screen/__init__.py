"""Screens: board, scene, choices, and reasons why an action is not possible."""

from gonfalon.engine.events import Refusal
from gonfalon.engine.screens.scene import Board, Choice, Line, Scene, Space, Token
from gonfalon.engine.view import View
from gonfalon.games.tiny import state as g
from gonfalon.games.tiny.ruleset import TYPES
from gonfalon.games.tiny.text import SPACES

BOARD = Board(
    "grid", 3, 2, tuple(Space(name, name, (k % 3, k // 3), near=(SPACES[k - 3],)) for k, name in enumerate(SPACES))
)


def scene_of(view: View) -> Scene:
    board, dealt = view.board.tolist(), view.phase != g.DEAL
    tokens = tuple(_token(view, place, rank) for place, rank in enumerate(board) if rank)
    side = {"side": g.SIDES[view.mover]}
    codes = {g.DEAL: "dealing", g.TURN: "your-turn" if view.observer == view.mover else "turn", g.OVER: "over"}
    acts = (g.SIDES[view.mover],) if view.phase == g.TURN else ()
    status = Line(codes[view.phase], side if view.phase == g.TURN else {})
    return Scene(tokens, (), (), (), status, acts, int(view.turn), started=bool(dealt))


def _token(view: View, place: int, rank: int) -> Token:
    side = g.SIDES[place // g.COLUMNS]
    face = "" if rank == g.HIDDEN else TYPES[rank]
    return Token(f"{side}{place % g.COLUMNS}", SPACES[place], side, face, ("seen",) * int(view.seen[place]))


def choices_of(view: View) -> tuple[Choice, ...]:
    ways = [(action, *divmod(action - g.ACT_ATTACK, g.COLUMNS)) for action in view.legal.tolist()]
    me = view.observer
    return tuple(Choice(k, "attack", (SPACES[3 * me + own], SPACES[3 * (1 - me) + other])) for k, own, other in ways)


def explain(view: View, action: int) -> Refusal | None:
    """Return why the viewer may not do this; None exactly for the legal actions."""
    if action in view.legal:
        return None
    if view.phase == g.OVER:
        return Refusal("over")
    if not g.ACT_ATTACK <= action < g.ACTIONS:
        return Refusal("unknown-action")
    return Refusal("nobody-there" if view.n_legal else "not-your-turn")
