"""Reads the lines of a position's text into a record. `position.py` describes the lines."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State, TextError
from gonfalon.engine.view import zero_rows
from gonfalon.games.grid import kernels
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.ends import judge
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.text.checks import IMMOBILE, check_record
from gonfalon.games.grid.text.notation import LETTERS, move_action, parse_square, square_name
from gonfalon.games.grid.text.position import FIGHTS, MARKS, PHASES, SIDE_CODES


def parse_state(text: str, variant: str, rules: NDArray[np.void]) -> State:
    """Reads a position and checks it. GR-19 is applied after a finished turn: a side that cannot move has lost, or is
    passed over. Raises `TextError`.
    """
    lines = [line.strip() for line in re.split(r"[\n;]", text) if line.strip()]
    if not lines or lines[0] != variant:
        raise TextError(f"a position of this game begins with the line {variant!r}")
    state = zero_rows(g.STATE)
    kernels.initial(state, 0, rules)
    reader = _Reader(state[0], rules)
    for number, line in enumerate(lines[1:], 2):
        try:
            reader.read(line)
        except (ValueError, IndexError, KeyError) as error:
            raise TextError(f"line {number}: {line!r}: {error}") from error
    reader.finish()
    check_record(state, rules)
    if reader.row["phase"] == g.TURN:
        judge(state, 0, rules)
    return state


class _Reader:
    """Fills a state row line by line. `finish` fills in what depends on several lines."""

    def __init__(self, row: np.void, rules: NDArray[np.void]) -> None:
        self.row, self.rules = row, rules[0]
        self.rows, self.columns = int(self.rules["rows"]), int(self.rules["columns"])
        self.find_square = partial(parse_square, rules=rules)
        self.seen_rows: set[int] = set()
        self.words: set[str] = set()
        self.past: list[str] = []
        self.now: list[str] = []
        self.ruled_out: list[str] = []
        self.fight: list[str] = []
        self.phase = ""
        self.placed: list[int] | None = None

    def read(self, line: str) -> None:
        word, *rest = line.split()
        if word in self.words:
            raise TextError(f"a second line {word!r}")
        self.words.add(word)
        if word.isdigit():
            self._diagram(int(word), rest)
        elif word in ("chase", "apple_used", "rescues", "heal"):
            self.row[word] = _two_numbers(rest, int(np.iinfo(self.row[word].dtype).max))
        elif word == "placed":
            self.placed = _two_numbers(rest, g.ARMY)
        elif word == "turn":
            self._turn(rest)
        elif word in ("past", "fight", "now", "ruled_out"):
            setattr(self, word, rest)
        elif word in ("phase", "over", "arrived"):
            getattr(self, f"_{word}")(rest)
        else:
            raise TextError(f"unknown word {word!r}")

    def _turn(self, rest: list[str]) -> None:
        if len(rest) != 3 or rest[1] != "quiet":
            raise TextError("a line `turn N quiet M` is meant")
        turn, quiet = _number(rest[0]), _number(rest[2])
        if not 0 <= quiet <= turn <= int(self.rules["max_turns"]):
            raise TextError(f"quiet is at most turn, turn at most {self.rules['max_turns']}")
        self.row["turn"], self.row["quiet"] = turn, quiet

    def _diagram(self, number: int, cells: list[str]) -> None:
        if not 1 <= number <= self.rows or number in self.seen_rows:
            raise TextError(f"row {number} is not of this board, or comes twice")
        if len(cells) != self.columns:
            raise TextError(f"row {number} has {len(cells)} squares, not {self.columns}")
        self.seen_rows.add(number)
        for column, cell in enumerate(cells):
            self._cell((number - 1) * g.COLUMNS + column, cell)

    def _cell(self, square: int, cell: str) -> None:
        blocked = bool(self.rules["blocked"][square])
        if blocked != (cell == "~~"):
            raise TextError(f"{square_name(square)}: the board has {'a blocked' if blocked else 'an open'} square here")
        if cell in ("..", "~~"):
            return
        match = re.fullmatch(r"([rb])([S2-9MBF])(['!^]*)", cell)
        if match is None:
            raise TextError(f"{square_name(square)}: {cell!r} is no piece")
        side, kind = "rb".index(match[1]), LETTERS.index(match[2])
        marks = sum(bit for sign, bit in MARKS if sign in match[3])
        if marks & g.MOVED and kind >= g.BOMB:
            raise TextError(f"{square_name(square)}: Bomb and Flag never move")
        self.row["board"][square] = kind + SIDE_CODES[side]
        self.row["marks"][square] = marks
        self.row["ruled_out"][square] = IMMOBILE if marks & g.MOVED else 0

    def _phase(self, rest: list[str]) -> None:
        if rest[0] in ("deploy", "turn", "over") or "over" in self.words or len(rest) not in (2, 3):
            raise TextError("an unfinished turn's phase, its actor and a picked piece are meant")
        self.phase = rest[0]
        self.row["phase"] = PHASES.index(rest[0])
        self.row["actor"] = g.SIDES.index(rest[1])
        self.row["chosen"] = TYPES.index(rest[2]) if len(rest) > 2 else 0

    def _over(self, rest: list[str]) -> None:
        if "phase" in self.words or len(rest) != 2:
            raise TextError("how it ended and who won are meant, and no phase")
        self.row["over"] = g.OVER_REASONS.index(rest[0])
        self.row["winner"] = g.NONE if rest[1] == "nobody" else g.SIDES.index(rest[1])
        self.row["phase"] = g.OVER
        self.phase = "over"

    def _arrived(self, rest: list[str]) -> None:
        self.row["arrived"] = self.find_square(rest[0])

    # -- what depends on several lines --

    def finish(self) -> None:
        if len(self.seen_rows) != self.rows:
            missing = sorted(set(range(1, self.rows + 1)) - self.seen_rows)
            raise TextError(f"row {missing[0]} of the board is missing")
        if self.placed is not None:
            self._finish_deployment(self.placed)
            return
        self._finish_play()

    def _finish_deployment(self, placed: list[int]) -> None:
        """During deployment the first `placed` squares of each side, in placement order, are decided."""
        own = int(self.rules["own_squares"])
        if max(placed) > own or (min(placed) == own and not self.phase):
            raise TextError(f"placed: a side has {own} squares, and one side at least is not ready")
        for side in range(2):
            dealt_with = self.rules["own"][side, : placed[side]]
            mine = np.flatnonzero(self.row["board"] & SIDE_CODES[side])
            for square in np.setdiff1d(mine, dealt_with)[:1].tolist():
                raise TextError(f"{square_name(square)}: {g.SIDES[side]} has not come to this square yet")
            for square in dealt_with.tolist():
                self._take(side, int(self.row["board"][square]) & g.TYPE)
        self.row["placed"] = placed

    def _take(self, side: int, kind: int) -> None:
        if self.row["left"][side, kind] == 0:
            raise TextError(f"{g.SIDES[side]} has too many {TYPES[kind] or 'empty squares'}")
        self.row["left"][side, kind] -= 1

    def _finish_play(self) -> None:
        row, own = self.row, int(self.rules["own_squares"])
        row["placed"] = own
        row["left"] = 0
        row["mover"] = int(row["turn"]) % 2
        if self.phase in ("", "turn", "over"):
            row["actor"] = row["mover"]
        if not self.phase:
            row["phase"] = g.TURN
        for side in range(2):
            self._count_side(side)
        self._number_pieces()
        self._finish_past()
        self._finish_fight()
        for item in self.ruled_out:
            name, _, bits = item.partition("=")
            row["ruled_out"][self.find_square(name)] = _number(bits, g.EVERY_TYPE)

    def _count_side(self, side: int) -> None:
        """Counts as lost what is not on the board."""
        army = self.rules["army"].tolist()
        pieces = self.row["board"][: g.SQUARES]
        mine = pieces[(pieces & SIDE_CODES[side]) != 0] & g.TYPE
        for kind in range(1, g.TYPES):
            on_board = int((mine == kind).sum())
            if on_board > army[kind]:
                raise TextError(f"{g.SIDES[side]} has {on_board} {TYPES[kind]}, its army {army[kind]}")
            self.row["lost"][side, kind] = army[kind] - on_board
        if self.row["lost"][side, g.FLAG] and self.row["over"] != g.BY_FLAG:
            raise TextError(f"{g.SIDES[side]} has no Flag")

    def _number_pieces(self) -> None:
        following = [g.FIRST_OF_RED, g.FIRST_OF_BLUE]
        for square in range(g.SQUARES):
            piece = int(self.row["board"][square])
            if piece & g.ANY_SIDE:
                side = 1 if piece & g.BLUE else 0
                self.row["number"][square] = following[side]
                self.row["where"][following[side]] = square
                following[side] += 1

    def _finish_past(self) -> None:
        """Walks back from the board through the past turns to find which piece made each move."""
        turn = int(self.row["turn"])
        if len(self.past) > min(turn, g.RING):
            raise TextError(f"past has {len(self.past)} turns, but only {turn} were made")
        at_square = {square: int(n) for square, n in enumerate(self.row["number"][: g.SQUARES]) if n != g.NONE}
        for name in ("ring_from", "ring_to", "ring_piece"):  # the text leaves out turns that forbid nothing
            self.row[name] = g.NONE
        if self.now:
            broken_off = self.phase == "over" and self.row["arrived"] != g.NONE
            if len(self.now) != 2 or not (self.phase not in ("", "over") or broken_off):
                raise TextError("now: the move of an unfinished turn and its kind are meant")
            self._past_turn(self.now[0], turn, at_square)
            self.row["ring_kind"][turn % g.RING] = _number(self.now[1]) & (g.ATTACKED | g.RETURNED)
        for back, text in enumerate(reversed(self.past), 1):
            self._past_turn(text, turn - back, at_square)

    def _past_turn(self, text: str, turn: int, at_square: dict[int, int]) -> None:
        at = turn % g.RING
        match = re.fullmatch(r"passed|(?:--|([a-j]\d+)([-x])([a-j]\d+)(\+?))(\*?)", text)
        if match is None:
            raise TextError(f"{text!r} is no past turn")
        attacked = match[2] == "x" or text.startswith("--")
        passed = g.PASSED if text == "passed" else 0
        self.row["ring_kind"][at] = (g.ATTACKED if attacked else passed) | (g.RETURNED if match[5] else 0)
        if match[1] is None:
            self.row["ring_from"][at] = self.row["ring_to"][at] = self.row["ring_piece"][at] = g.NONE
            return
        begin, end = self.find_square(match[1]), self.find_square(match[3])
        if move_action(begin, end) is None:
            raise TextError(f"{text!r}: a move ends on another square of the same row or file")
        piece = g.NONE if match[4] else at_square.pop(end, g.NONE)
        if piece != g.NONE and self._may_have_moved(piece, turn % 2):
            at_square[begin] = piece
        elif not match[4]:
            raise TextError(f"{text!r}: no piece that made this move; `+` behind it if the piece is gone")
        self.row["ring_from"][at], self.row["ring_to"][at], self.row["ring_piece"][at] = begin, end, piece

    def _may_have_moved(self, number: int, side: int) -> bool:
        """Return whether the side can move the piece: the last mover is the first asked whether it can move again."""
        piece = int(self.row["board"][self.row["where"][number]])
        return bool(piece & SIDE_CODES[side]) and piece & g.TYPE < g.BOMB

    def _finish_fight(self) -> None:
        if not self.fight:
            return
        kind, fighter, *targets = self.fight
        if kind not in FIGHTS[1:] or len(targets) > 4:
            raise TextError("fight: `sword` or `apple`, the fighter's square, and up to four targets are meant")
        self.row["fight"] = FIGHTS.index(kind)
        self.row["fighter"] = self._number_on(fighter)
        for k, name in enumerate(targets):
            self.row["targets"][k] = self._number_on(name)

    def _number_on(self, name: str) -> int:
        number = int(self.row["number"][self.find_square(name)])
        if number == g.NONE:
            raise TextError(f"fight: no piece on {name}")
        return number


def _number(word: str, most: int = 0xFFFF) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", word) or int(word) > most:
        raise TextError(f"a number up to {most} is meant, not {word!r}")
    return int(word)


def _two_numbers(rest: list[str], most: int) -> list[int]:
    numbers = [_number(word, most) for word in rest]
    if len(numbers) != 2:
        raise TextError("two numbers are meant, red's and blue's")
    return numbers
