"""A program for this protocol, which plays with one of our agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from gonfalon.ai.agent import Agent, Asker
from gonfalon.ai.protocol import ProtocolError
from gonfalon.ai.protocol.table import ENEMY, NO_MOVE, SIDES, Move, Table
from gonfalon.ai.protocol.world import World
from gonfalon.engine.game import Game

START, QUIT, SURRENDER = "START", "QUIT", "SURRENDER"


def play_lines(
    game: Game,
    agent: Agent,
    seconds: float,
    rng: np.random.Generator,
    lines: Iterable[str],
    write: Callable[[str], None],
    *,
    cores: int = 1,
) -> None:
    """Read the referee's lines and answer by `write`, until `QUIT` or the end of the lines. `seconds`, `cores`: see
    `Question`. Raises `ProtocolError`.
    """
    player: Player | None = None
    for line in map(str.strip, lines):
        if not line:
            continue
        if line.split()[0] == QUIT:
            return
        if player is None:
            player = Player(game, agent, seconds, rng, line, cores=cores)
            answer = player.deploy()
        else:
            answer = player.hear(line)
        for each in answer:
            write(each)


class Player:
    """One match, as the lines of the referee show it."""

    def __init__(
        self, game: Game, agent: Agent, seconds: float, rng: np.random.Generator, greeting: str, *, cores: int = 1
    ) -> None:
        """`greeting`: the referee's first line. `cores`: see `Question`. Raises `ProtocolError`."""
        words = greeting.split()
        self._table = Table(game)
        size = [str(self._table.width), str(self._table.height)]
        if len(words) < 3 or words[0] not in SIDES:
            raise ProtocolError(f"the first line names side, opponent, width and height, not {greeting[:60]!r}")
        if words[-2:] != size:
            raise ProtocolError(f"{game.info.variant} is played on {' by '.join(size)}, not {' by '.join(words[-2:])}")
        self._game = game
        self._me = SIDES.index(words[0])
        self._asker = Asker(game, {self._me: agent}, seconds, cores=cores)
        self._rng = rng
        self._world: World | None = None
        self._moves: list[tuple[int, Move]] = []
        """Moves relayed before the first board."""
        self._awaits_relay = False
        """Whether this player's last move has not been relayed yet."""
        self._rows: list[str] = []
        self._told = 0
        """Number of steps whose events the agent has got."""

    def deploy(self) -> list[str]:
        """Return the agent's deployment as lines."""
        start = self._game.initial_state()
        chosen = self._asker.ask(self._me, start, self._rng)
        return self._table.word_deployment(self._game.view(start, self._me), chosen)

    def hear(self, line: str) -> list[str]:
        """Return the answer to a line; empty if the line needs none. Raises `ProtocolError`."""
        if line == START:
            return []
        if self._table.is_row(line):
            self._rows.append(line)
            if len(self._rows) < self._table.height:
                return []
            rows, self._rows = self._rows, []
            return [self._decide(rows)]
        if line.split(maxsplit=1)[0] in (NO_MOVE, SURRENDER):
            return []  # the next board shows whose turn was missed, also if the referee relays nothing
        self._follow(self._table.read_relay(line))
        return []

    def _follow(self, move: Move) -> None:
        """Apply a relayed move: this player's answer, or else a move of the enemy. Turns do not tell whose it is, since
        sides without a move miss theirs.
        """
        by = self._me if self._awaits_relay else 1 - self._me
        self._awaits_relay = False
        if not move.legal:
            return
        if self._world is None:
            self._moves.append((by, move))
        else:
            self._world.move(by, move)

    def _decide(self, rows: list[str]) -> str:
        board = self._table.read(rows)
        if self._world is None:
            for by, move in reversed(self._moves):
                put_back(board, move, by == self._me)
            self._world = World(self._table, self._me, board)
            for by, move in self._moves:
                self._world.move(by, move)
        world = self._world
        if not world.begin_turn():
            return NO_MOVE
        view = self._game.view(world.state, self._me)
        if self._table.draw(view) != rows:
            raise ProtocolError("the board is not what the moves have led to")
        steps = world.list_steps(self._told)
        self._told += len(steps)
        for action, after in steps:
            self._asker.note(action, after)
        action = self._asker.ask(self._me, world.state, self._rng)[0]
        self._awaits_relay = True
        return self._table.word_action(view, action)


def put_back(board: dict[str, str], move: Move, own: bool) -> None:
    """Take a move back, on a board that shows the position after it."""
    mover = board.pop(move.end, ENEMY)
    if own or move.faces is None:
        board[move.begin] = mover
        return
    board[move.begin] = ENEMY
    board[move.end] = move.faces[1]
