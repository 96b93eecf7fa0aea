"""The referee's side of the protocol: plays with a program of someone else, as if it were one of our agents."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import subprocess
import time
from collections.abc import Sequence

import numpy as np

from gonfalon.ai.agent import Question
from gonfalon.ai.protocol import OWN_ROWS, ProtocolError
from gonfalon.ai.protocol.player import QUIT, START, SURRENDER
from gonfalon.ai.protocol.table import NO_MOVE, SIDES, Table
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game

LONGEST_LINE = 1000
"""Maximum number of characters of an answer."""
FAREWELL = 1.0
"""Seconds that a program gets to end by itself."""
OPPONENT = "opponent"


class ProgramError(RuntimeError):
    """A program failed. `reason` is one word: silent, died, illegal, surrendered."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


class Program:
    """A program that is started for one match. Its standard error is discarded."""

    def __init__(self, command: str, patience: float, name: str = "") -> None:
        """`patience`: seconds without an answer after which the program has failed (silent). The time of the question
        does not matter.
        """
        self.name = name or command
        self._command = shlex.split(command)
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._table: Table | None = None
        self._read = b""
        self._deployed: list[str] = []
        self._moved = False
        """Whether any player has moved."""
        self._fault: ProgramError | None = None
        """Reason why the program could not begin."""

    def begin(self, game: Game, player: int) -> None:
        """Start the program and get its deployment, so that its start does not count as thinking. If this fails, `act`
        raises the error.
        """
        try:
            self._begin(game, player)
        except ProgramError as error:
            self._fault = error

    def act(self, game: Game, question: Question, _rng: np.random.Generator) -> list[int]:
        """See `Agent.act`. Raises `ProgramError`, and `ProtocolError` for a game that the protocol cannot express."""
        if self._fault is not None:
            raise self._fault
        view = question.view
        table = self._begin(game, view.observer)
        if game.standing(view).deploys:
            try:
                return table.read_deployment(view, self._deployed)
            except ProtocolError as error:
                raise ProgramError("illegal", str(error)) from error
        self.hear(question.events)
        for line in [*([] if self._moved else [START]), *table.draw(view)]:
            self._write(line)
        self._moved = True
        answer = self._ask()
        if answer in (SURRENDER, NO_MOVE):
            raise ProgramError("surrendered", answer)
        try:
            move = table.read_move(answer)
        except ProtocolError as error:
            raise ProgramError("illegal", str(error)) from error
        action = table.find(view, move.begin, move.end)
        if action is None:
            self._write(f"{answer} ILLEGAL")
            raise ProgramError("illegal", answer)
        return [action]

    def hear(self, events: Sequence[Event]) -> None:
        """See `Listener.hear`. Sends every move to the program at once, also the program's own moves and the last
        move, and each turn that a side missed.
        """
        if self._table is None or self._fault is not None:
            return
        try:
            for line in self._table.word_relays(events):
                self._moved = True
                self._write(line)
        except ProgramError as error:
            self._fault = error

    def close(self) -> None:
        """Send `QUIT`; kill the program if it does not end by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdout, process.stdin, contextlib.suppress(BrokenPipeError):
            process.stdin.write(f"{QUIT}\n".encode())
        try:
            process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    # ---- lines -----------------------------------------------------------------------------------------------------

    def _begin(self, game: Game, player: int) -> Table:
        """Start the program and read its deployment. Later calls do nothing more."""
        if self._table is not None:
            return self._table
        self._table = Table(game)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the program that was asked for
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        except OSError as error:
            raise ProgramError("died", f"cannot be started: {error.strerror}") from error
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._write(f"{SIDES[player]} {OPPONENT} {self._table.width} {self._table.height}")
        self._deployed = [self._ask() for _ in range(OWN_ROWS)]
        return self._table

    def _write(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
        except OSError as error:
            raise ProgramError("died", f"does not read: {error.strerror}") from error

    def _ask(self) -> str:
        """Return the program's next line that is not empty."""
        end = time.monotonic() + self._patience
        while True:
            line, found, rest = self._read.partition(b"\n")
            if found:
                self._read = rest
                if text := line.decode("ascii", "replace").strip():
                    return text
            elif len(self._read) > LONGEST_LINE:
                raise ProgramError("illegal", "a line without end")
            else:
                self._read += self._receive(end - time.monotonic())

    def _receive(self, seconds: float) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if seconds <= 0 or not selector.select(seconds):
                raise ProgramError("silent", f"no answer within {self._patience:g} s")
        found = self._process.stdout.read(4096)
        if not found:
            raise ProgramError("died", "has ended")
        return found
