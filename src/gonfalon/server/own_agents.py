"""Computer players of the operator's own (`gonfalon serve --agent NAME=ENTRANT`), checked before the server starts.
Each is made, and asked which games it plays, in a process of the kind in which it will play.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence

from gonfalon.ai import agents
from gonfalon.ai.arena.entrants import COMMAND, PYTHON, EntrantError, check_entrant
from gonfalon.engine.rulesets.ruleset import Written
from gonfalon.server.config import Config, OwnAgent
from gonfalon.server.library import Library
from gonfalon.server.page_facts import read_page_facts
from gonfalon.server.protocol.names import MOST_LETTERS, NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.workers.process import WorkerError, WorkerProcess
from gonfalon.server.workers.requests import GameQuery

FORM = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{MOST_LETTERS - 1}}}")
TAKEN = frozenset({"me", "person", "agent", "link", "device", "mixed"})
"""Words that mean other opponents in requests, and in the results that a browser keeps."""
LEVEL = re.compile(r"level(-|$)", re.IGNORECASE)
"""Names that would look like a level with a rating."""


class OwnAgentError(ValueError):
    """A computer player of the operator's own cannot play. The message says why."""


def read_agent(text: str, config: Config) -> tuple[str, str]:
    """Return name and entrant of `NAME=ENTRANT`. Raises `OwnAgentError` for a bad name or an entrant that does not
    exist. Runs no code of a Python file.
    """
    name, equals, entrant = text.partition("=")
    if not equals or not entrant:
        raise OwnAgentError(f"{text}: write NAME=py:FILE:NAME, such as ppo=py:ppo.py:Learned")
    if not FORM.fullmatch(name):
        raise OwnAgentError(f"{name!r}: a name has letters, digits, - and _, at most {MOST_LETTERS}")
    if name in TAKEN or LEVEL.match(name) or not _is_new(name, config):
        raise OwnAgentError(f"{name!r} names another player on the page; choose another name")
    if entrant.startswith(COMMAND):
        raise OwnAgentError(
            f"{name}: programs ({COMMAND}) play in arenas only; write an agent in Python that asks yours"
        )
    if not entrant.startswith(PYTHON):  # code in Python runs in its own process only
        try:
            check_entrant(entrant)
        except EntrantError as error:
            raise OwnAgentError(f"{name}: {error}") from error
    return name, entrant


def _is_new(name: str, config: Config) -> bool:
    """Return whether no computer player of ours has a name or title like this one, in any language."""
    try:
        NameRules((*agents(), *read_page_facts(config.static).agents)).require_person(name)
    except Declined:
        return False
    return True


async def _check_agent(name: str, entrant: str, games: Mapping[str, str | Written], config: Config) -> OwnAgent:
    """Make the agent in a process of its own, and return it with the variants that it plays of `games` (sources by
    variant). Raises `OwnAgentError`.
    """
    worker = WorkerProcess((*config.agent_command, f"{name}={entrant}"))
    try:
        plays = [variant for variant, rules in games.items() if await _ask(worker, GameQuery(name, rules), config)]
    finally:
        await worker.kill()
    if not plays:
        raise OwnAgentError(f"{name}: {entrant} plays no game of this server: {', '.join(games)}")
    return OwnAgent(name, entrant, tuple(plays))


async def _ask(worker: WorkerProcess, query: GameQuery, config: Config) -> bool:
    try:
        answer = await worker.ask(query, config.agent_start)
    except WorkerError as error:
        reason = f"its process ended, or was silent for {config.agent_start:g} s ({error})"
        raise OwnAgentError(f"{query.agent}: {reason}") from error
    if not isinstance(answer, bool):
        raise OwnAgentError(f"{query.agent}: {answer}")
    return answer


def check_agents(texts: Sequence[str], config: Config) -> tuple[OwnAgent, ...]:
    """Return the agents of all `--agent` options, with the variants of this server that each plays. Raises
    `OwnAgentError`.
    """
    games = Library(config.own_variants).sources
    read = [read_agent(text, config) for text in texts]
    _require_different([name for name, _ in read])

    async def check_all() -> list[OwnAgent]:
        return [await _check_agent(name, entrant, games, config) for name, entrant in read]

    return tuple(asyncio.run(check_all()))


def _require_different(names: Collection[str]) -> None:
    """Check that no name is given twice, in small letters or capitals. Raises `OwnAgentError`."""
    seen = set[str]()
    for name in names:
        if name.lower() in seen:
            raise OwnAgentError(f"{name!r} is given twice")
        seen.add(name.lower())
