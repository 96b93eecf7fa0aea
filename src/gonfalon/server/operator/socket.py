"""The operator's socket: a Unix socket in the data folder, which only the server's user may open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from gonfalon.server.operator.acts import Operator
from gonfalon.server.operator.requests import Answer, AnyRequest, find_socket

log = logging.getLogger("gonfalon.operator")
LIMIT = 1_000_000
"""Maximum number of bytes of a request."""
WITHIN = 10.0
"""Seconds in which a request must arrive."""
LONGEST = 100
"""Maximum number of bytes of the socket's path: systems allow little more."""
_requests = msgspec.json.Decoder(AnyRequest)
_answers = msgspec.json.Decoder(Answer)


@contextlib.asynccontextmanager
async def serving_operator(data: Path, operator: Operator) -> AsyncIterator[None]:
    """Answer requests while the block runs. The server must own the database, so an old socket is nobody's."""
    path = find_socket(data).absolute()
    if len(os.fsencode(path)) > LONGEST:
        log.warning("the path of the data folder is too long for a socket; `gonfalon people` will not find this server")
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    mask = os.umask(0o177)  # the socket never exists with other rights
    try:
        server = await asyncio.start_unix_server(lambda r, w: _serve(operator, r, w), path, limit=LIMIT)
    finally:
        os.umask(mask)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def _serve(operator: Operator, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        async with asyncio.timeout(WITHIN):
            line = await reader.readline()
        answer = await _answer(operator, line)
        writer.write(msgspec.json.encode(answer) + b"\n")
        await writer.drain()
    except (TimeoutError, ValueError, ConnectionError):
        log.warning("a request of the operator did not arrive")
    finally:
        writer.close()


async def _answer(operator: Operator, line: bytes) -> Answer:
    try:
        return await operator.perform(_requests.decode(line))
    except msgspec.DecodeError as error:
        return Answer(problem=f"the server does not know this request: {error}")
    except Exception:
        log.exception("a request of the operator failed")
        return Answer(problem="the server failed; its log says why")


async def ask(data: Path, request: AnyRequest) -> Answer | None:
    """Return the answer of the server with this data folder; None if none runs."""
    try:
        reader, writer = await asyncio.open_unix_connection(find_socket(data), limit=LIMIT)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    try:
        writer.write(msgspec.json.encode(request) + b"\n")
        await writer.drain()
        return _answers.decode(await reader.readline())
    finally:
        writer.close()
        await writer.wait_closed()
