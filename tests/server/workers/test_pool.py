"""The pool of processes of computer players: time limits, killing and restarting."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from subprocess import PIPE
from typing import Any, TypeVar

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.view import View
from gonfalon.server.config import Config
from gonfalon.server.match.computers.news import NewsFeed
from gonfalon.server.storage.entries import Resigned
from gonfalon.server.workers.pool import AgentError, AgentPool, HistoryMissingError, OutdatedError
from gonfalon.server.workers.process import LENGTH
from gonfalon.server.workers.requests import AgentRequest, News
from server.against import HEADER, sit
from server.socketless import Host, Table, until
from server.socketless import run as play

Answer = TypeVar("Answer")
PROGRAM = """
import itertools, os, pickle, struct, sys, time
numbers = itertools.count(1)
while head := sys.stdin.buffer.read(4):
    job = pickle.loads(sys.stdin.buffer.read(struct.unpack("!I", head)[0]))
    verb = job.verb
{work}
    body = pickle.dumps(answer)
    sys.stdout.buffer.write(struct.pack("!I", len(body)) + body)
    sys.stdout.buffer.flush()
"""


def command(work: str, *arguments: object) -> list[str]:
    """Return a command that starts a process of computer players. `work` is code that sets `answer` for a `job` whose
    kind is `verb`.
    """
    program = PROGRAM.format(work=textwrap.indent(work.strip(), "    "))
    return [sys.executable, "-c", program, *map(str, arguments)]


def test_a_process_whose_server_is_gone_ends_without_a_word() -> None:
    program = "from gonfalon.server.workers.process import answer_questions; answer_questions(str)"
    started = subprocess.Popen([sys.executable, "-c", program], stdin=PIPE, stdout=PIPE, stderr=PIPE)
    with started as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        question = pickle.dumps("?")
        process.stdin.write(LENGTH.pack(len(question)) + question)
        process.stdin.flush()
        assert process.stderr.read() == b""
    assert process.returncode == 0


FLAKY = """
if verb == "act" and not os.path.exists(sys.argv[1]):
    open(sys.argv[1], "w").close()
    time.sleep(60)
answer = [7] if verb == "act" else []
"""
VIEW = View(np.zeros(1, np.dtype([("legal", "i4", 2)])), 0)


NO_NEWS = News(0, 0, ())


def request(match: str = "m", news: News = NO_NEWS) -> AgentRequest:
    return AgentRequest(match, "barrage", {}, "random", VIEW, news)


def run(script: Callable[[AgentPool], Awaitable[Answer]], work: str, *arguments: object) -> Answer:
    """Run a script with a pool of one process that does this work."""

    async def whole() -> Answer:
        pool = AgentPool(1, 1, 3, 30, command(work, *arguments))
        try:
            return await script(pool)
        finally:
            await pool.close()

    return asyncio.run(whole())


def test_one_that_thinks_too_long_is_killed_and_started_again(tmp_path: Path) -> None:
    async def script(pool: AgentPool) -> list[int]:
        with pytest.raises(AgentError):
            await pool.decide(request())
        return await pool.decide(request())

    assert run(script, FLAKY, tmp_path / "flag") == [7]


COUNTING = 'answer = [next(numbers)] if verb == "act" else []'


def test_the_rest_of_a_decision_is_asked_for_before_new_ones() -> None:
    async def script(pool: AgentPool) -> list[list[int]]:
        names = ("first", "second", "begun")
        return await asyncio.gather(*(pool.decide(request(name), begun=name == "begun") for name in names))

    assert run(script, COUNTING) == [[1], [3], [2]]


def test_a_question_that_nobody_waits_for_is_not_put() -> None:
    async def script(pool: AgentPool) -> list[int]:
        with pytest.raises(OutdatedError):
            await pool.decide(request(), lambda: False)
        return await pool.decide(request())

    assert run(script, COUNTING) == [1]


FORGETFUL = 'answer = [] if verb == "load" else None if job.request.news.first else [job.request.news.end]'


def test_a_process_that_did_not_hear_what_came_before_says_so() -> None:
    async def script(pool: AgentPool) -> list[int]:
        with pytest.raises(HistoryMissingError):
            await pool.decide(request(news=News(5, 9, ())))
        return await pool.decide(request(news=News(0, 9, ())))

    assert run(script, FORGETFUL) == [9]


class Failing:
    """A pool of computer players in which every answer is illegal, or the process dies at each question."""

    def __init__(self, *, dies: bool) -> None:
        self.dies = dies
        self.asked = 0

    async def decide(self, *_: Any, **__: Any) -> list[int]:
        self.asked += 1
        if self.dies:
            raise AgentError("died")
        return [-7]


@pytest.mark.parametrize("dies", [False, True])
def test_one_that_fails_every_time_is_given_up(tmp_path: Path, dies: bool) -> None:
    failing = Failing(dies=dies)

    async def script(host: Host) -> None:
        host.pool = failing  # type: ignore[assignment]
        table = Table(host, HEADER, gonfalon.make("barrage"))
        await table.sit(0)
        await until(lambda: bool(table.match.match.presence.failed))
        assert table.state.steps == []
        await table.match.stop()

    play(script, tmp_path, HEADER)
    assert failing.asked == Config().agent_tries


def test_an_agent_that_forgot_is_asked_again_with_all_news() -> None:
    match_state = sit("barrage", "random")
    asked: list[int] = []

    async def question(news: News) -> str:
        asked.append(news.first)
        if len(asked) == 2:
            raise HistoryMissingError
        return "done"

    async def script() -> None:
        feed = NewsFeed(match_state, 1)
        assert await feed.ask(0, question) == "done"
        match_state.apply(Resigned(0))
        assert await feed.ask(1, question) == "done"
        assert asked == [0, 0, 0]

    asyncio.run(script())


TELLING = """
open(sys.argv[1], "a").write(verb + " ")
answer = {"a1": "flag"} if verb == "suggest" else [7] if verb == "act" else []
"""


def test_a_process_that_began_with_a_suggestion_loads_before_it_decides(tmp_path: Path) -> None:
    """Loading a game does not count as thinking, for which there is less time; a process that has only suggested has
    not loaded yet.
    """
    told = tmp_path / "told"

    async def script(pool: AgentPool) -> None:
        await pool.decide(request())
        await pool.decide(request())
        await pool.close()
        assert await pool.suggest(request(), {}, 0.1) == {"a1": "flag"}
        await pool.decide(request())

    run(script, TELLING, told)
    assert told.read_text().split() == ["load", "act", "act", "suggest", "load", "act"]
