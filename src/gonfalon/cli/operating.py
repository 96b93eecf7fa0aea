"""Requests of the operator: the running server performs them, or this command does if no server runs."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from gonfalon.cli.errors import CommandError

if TYPE_CHECKING:
    from gonfalon.server.config import Config
    from gonfalon.server.operator.requests import Answer, AnyRequest


def perform(arguments: argparse.Namespace, request: AnyRequest) -> None:
    """Let the running server perform a request, or do it here if none runs. Print the answer. Raises
    `CommandError`.
    """
    from gonfalon.cli.matches import find_used, reporting

    config = find_used(arguments)
    with reporting():
        answer = asyncio.run(_perform(config, request))
    if answer.problem:
        raise CommandError(answer.problem)
    print("\n".join(answer.lines))


async def _perform(config: Config, request: AnyRequest) -> Answer:
    from gonfalon.server.operator.socket import ask

    answer = await ask(config.data, request)
    return await _perform_here(config, request) if answer is None else answer


async def _perform_here(config: Config, request: AnyRequest) -> Answer:
    """Perform a request on the database, which no server may use meanwhile."""
    from gonfalon.server.net.connection_counts import ConnectionCounts
    from gonfalon.server.operator.acts import Operator
    from gonfalon.server.service import Service

    service = Service(config, ConnectionCounts(config, 1_000))
    await service.registry.store.start()
    try:
        return await Operator(service.people, service.registry).perform(request)
    finally:
        await service.people.close()
        await service.registry.close()
