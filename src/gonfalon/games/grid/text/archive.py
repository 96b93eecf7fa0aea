"""Matches and deployments in the form of the public archive of gravon.de.

A match is XML: `<game type="classic">`, one `<field content="...">` with a letter for each of the 100 squares,
`<move source="A4" target="A5"/>`, two `<player>` and `<result type="1" winner="1"/>`. Columns are A to K without J, but
a few files have J for K. Letters: A empty, B Bomb, C Spy, D Scout, ... L Marshal, M Flag of red; N to Y the same of
blue; `_` water (V. de Boer, Invincible, MSc thesis, Delft 2007, p. 90).
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import Game, IllegalActionError, TextError
from gonfalon.engine.records.record import Record
from gonfalon.engine.records.replay import BROKEN_OFF, CLAIM, NOBODY, OUT_OF_TIME, make_record, perform
from gonfalon.games.grid.validation import FILES

VARIANTS = {40: "original", 8: "barrage", 10: "duel-10x10"}
"""Our variant by the number of pieces of a side. The type in the file is not the same in all files of a game."""
SWITCHES: dict[str, bool | int] = {
    "two_square_limit": 0,
    "chase_rule": False,
    "max_turns": 2000,
    "max_quiet_turns": 2000,
}
"""House rules under which archived matches are legal: that site counts repetitions in another way."""
SIDE, COLUMNS = 10, "ABCDEFGHIK"
OWN = 40
"""Squares of a deployment."""
LETTERS = "ABCDEFGHIJKLM"
"""Letters of the archive, in the order of `OURS`; blue's are `BLUE` further."""
OURS = ".BS23456789MF"
BLUE = 12
MOST_CHARACTERS = 2_000_000
RED_WINS, BLUE_WINS = "1", "2"
FORFEIT, AGREED, BOTH_MISSING, MISSING = "3", "4", "10", "14"
TIME = ("11", "12", "13")


def find_variant(text: str) -> str:
    """Return our variant of an archived match. Raises `TextError` for games that we do not have."""
    pieces = sum(map(_is_red, _find(_parse(text), "field").get("content", "")))
    if pieces not in VARIANTS:
        known = ", ".join(f"{count} ({variant})" for count, variant in VARIANTS.items())
        raise TextError(f"no game here has {pieces} pieces a side; there are {known}")
    return VARIANTS[pieces]


def read_game(text: str, game: Game) -> Record:
    """Return the record of an archived match. `game`: of `find_variant`, with `SWITCHES`. Raises `TextError`."""
    root = _parse(text)
    content = _find(root, "field").get("content", "")
    board = _Board(content, [(move.get("source", ""), move.get("target", "")) for move in root.iter("move")])
    steps: list[tuple[int, int]] = []
    state = game.initial_state()
    for player, deployment in enumerate(board.deployments):
        for action in game.parse_deployment(deployment, player):
            steps.append((player, int(action)))
            state = game.apply(state, player, int(action))
    for number, move in enumerate(board.moves, start=1):
        (player, *_), told = game.to_act(state) or (NOBODY,), f"move {number} ({move})"
        if player == NOBODY:
            raise TextError(f"{told}: the match is over")
        try:
            action = game.parse_action(game.view(state, player), move)
            state = game.apply(state, player, action)
        except IllegalActionError as error:
            raise TextError(f"{told} is not allowed: {error.refusal.code}") from error
        steps.append((player, action))
    if game.outcome(state) is None:
        for step in _find_ending(root):
            perform(game, state, *step)
            steps.append(step)
    names = [(player.text or "").strip() for player in root.iter("player")]
    return make_record(game, steps, {side: name for side, name in zip(game.info.sides, names, strict=False) if name})


def read_deployment(line: str, front_first: bool = False) -> str:
    """Return a deployment of the archive, 40 letters, in our form. `front_first`: the first ten letters are the front
    row. Raises `TextError`.
    """
    letters = line.strip()
    if len(letters) != OWN or not set(letters) <= set(LETTERS):
        raise TextError(f"a deployment has {OWN} letters from A to M, not {letters[: OWN + 1]!r}")
    rows = [letters[at : at + SIDE] for at in range(0, OWN, SIDE)]
    return "".join(_translate(letter) for row in (reversed(rows) if front_first else rows) for letter in row)


class _Board:
    """The deployments and moves of a match, with red in the rows from 1 on."""

    def __init__(self, content: str, moves: list[tuple[str, str]]) -> None:
        if len(content) != SIDE * SIDE:
            raise TextError(f"the field has {SIDE * SIDE} squares, not {len(content)}")
        pieces = {(at % SIDE, at // SIDE): letter for at, letter in enumerate(content)}
        squares = [(_read_square(source), _read_square(target)) for source, target in moves]
        if squares and not _is_red(pieces[squares[0][0]]):
            # The first ten letters are the highest row.
            pieces = {(column, SIDE - 1 - row): letter for (column, row), letter in pieces.items()}
        if sum(_is_red(letter) for (_, row), letter in pieces.items() if row >= SIDE // 2) > 0:
            pieces = {_turn(square): letter for square, letter in pieces.items()}
            squares = [(_turn(source), _turn(target)) for source, target in squares]
        home = [(column, row) for row in range(OWN // SIDE) for column in range(SIDE)]
        if not all(_is_red(pieces[square]) or pieces[square] == "A" for square in home):
            raise TextError("the rows of one side hold pieces of the other")
        self.deployments = [
            "".join(_translate(pieces[square]) for square in home),
            "".join(_translate(pieces[_turn(square)]) for square in home),
        ]
        self.moves = [f"{_name(source)}-{_name(target)}" for source, target in squares]


def _parse(text: str) -> ElementTree.Element:
    if len(text) > MOST_CHARACTERS:
        raise TextError(f"the file is longer than {MOST_CHARACTERS} characters")
    try:
        return ElementTree.fromstring(text)  # noqa: S314 - expat bounds what entities may become
    except ElementTree.ParseError as error:
        raise TextError(f"not XML: {error}") from error


def _find(root: ElementTree.Element, name: str) -> ElementTree.Element:
    found = next(root.iter(name), None)
    if found is None:
        raise TextError(f"there is no <{name}>")
    return found


def _read_square(name: str) -> tuple[int, int]:
    """Return column and row of a square, from 0."""
    column, row = COLUMNS.find(name[:1].upper().replace("J", "K")), name[1:]
    if column < 0 or not row.isascii() or not row.isdecimal() or not 1 <= int(row) <= SIDE:
        raise TextError(f"{name!r} is no square; squares are A1 to K10, without J")
    return column, int(row) - 1


def _name(square: tuple[int, int]) -> str:
    return f"{FILES[square[0]]}{square[1] + 1}"


def _turn(square: tuple[int, int]) -> tuple[int, int]:
    """Return the same square seen from the other side."""
    return SIDE - 1 - square[0], SIDE - 1 - square[1]


def _is_red(letter: str) -> bool:
    return "B" <= letter <= "M"


def _translate(letter: str) -> str:
    """Return our letter of a piece of either side, or of an empty square."""
    number = ord(letter) - ord("A")
    number -= BLUE if number > BLUE else 0
    if not 0 <= number < len(OURS):
        raise TextError(f"{letter!r} stands for no piece")
    return OURS[number]


def _find_ending(root: ElementTree.Element) -> Iterator[tuple[int, int]]:
    """Yield the step that ended a match which the moves did not end; none if the file does not say it."""
    result = next(root.iter("result"), None)
    if result is None:
        return
    kind, winner = result.get("type", ""), result.get("winner", "")
    if kind == AGREED:
        yield NOBODY, AGREE
    elif kind == BOTH_MISSING:
        yield NOBODY, BROKEN_OFF
    elif winner in (RED_WINS, BLUE_WINS):
        loser = int(winner == RED_WINS)
        if kind == MISSING:
            yield 1 - loser, CLAIM
        else:
            yield loser, OUT_OF_TIME if kind in TIME else WITHDRAW
