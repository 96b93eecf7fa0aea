"""Work in another process: it gets a question and returns an answer; at a deadline it is killed.

A message is a pickled object after its length (4 bytes), in both directions. `WorkerProcess` is the server's end,
`answer_questions` the main loop of the other process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

LENGTH = struct.Struct("!I")


class WorkerError(RuntimeError):
    """The process did not answer in time, or died. It is restarted for the next question."""


class WorkerProcess:
    """One process, started when first needed. Callers must ask one question at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self.killed = 0
        """Number of processes killed so far."""

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process unless it runs. Raises OSError."""
        if not self.running:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )

    async def ask(self, question: Any, within: float) -> Any:
        """Return the answer to a question. Raises `WorkerError`. After any error the process is killed."""
        try:
            await self.start()
            return await self._exchange(question, within)
        except (TimeoutError, OSError, EOFError) as error:
            await self.kill()
            raise WorkerError(f"{type(error).__name__} {error}".strip()) from error
        except BaseException:
            await self.kill()
            raise

    async def _exchange(self, question: Any, within: float) -> Any:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        body = pickle.dumps(question)
        process.stdin.write(LENGTH.pack(len(body)) + body)
        async with asyncio.timeout(within):
            await process.stdin.drain()
            (size,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
            return pickle.loads(await process.stdout.readexactly(size))  # noqa: S301 - from our own process

    async def kill(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            self.killed += 1
            await process.wait()


def answer_questions(answer: Callable[[Any], Any]) -> None:
    """Answer the questions on standard input until it ends, or until nobody reads the answers any more."""
    logging.getLogger("gonfalon.rules").setLevel(logging.ERROR)  # the server itself has warned already
    streams = contextlib.ExitStack()
    with contextlib.suppress(BrokenPipeError), streams:
        source = streams.enter_context(os.fdopen(os.dup(0), "rb"))
        output = streams.enter_context(os.fdopen(os.dup(1), "wb"))
        # Agents may read and print: whoever reads finds the end, and what is printed goes to stderr.
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        while (question := _read(source)) is not None:
            body = pickle.dumps(answer(pickle.loads(question)))  # noqa: S301 - from the server that started us
            output.write(LENGTH.pack(len(body)) + body)
            output.flush()


def _read(source: BinaryIO) -> bytes | None:
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    return source.read(size)
