"""The pool of processes: budget, kill, restart."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pytest

from gonfalon.engine.view import View
from gonfalon.server.match.computers.news import News
from gonfalon.server.workers.pool import AgentError, AgentPool
from gonfalon.server.workers.process import LENGTH

PROGRAM = """
import itertools, os, pickle, struct, sys, time
numbers = itertools.count(1)
while head := sys.stdin.buffer.read(4):
    verb, *rest = pickle.loads(sys.stdin.buffer.read(struct.unpack("!I", head)[0]))
{work}
    body = pickle.dumps(answer)
    sys.stdout.buffer.write(struct.pack("!I", len(body)) + body)
    sys.stdout.buffer.flush()
"""


def command(work: str, *arguments: object) -> list[str]:
    """Starts a process of computer players. `work` makes the `answer` to a question: its `verb` and the `rest`."""
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


async def tell_nothing(again: bool) -> News:
    return News(0, 0, ())


def ask(agents: AgentPool, legal: bool = True) -> list[int]:
    async def once() -> list[int]:
        try:
            check = lambda answer: answer if legal else None  # noqa: E731 - once
            return await agents.decide("m", "barrage", {}, "random", 0, VIEW, tell_nothing, check)
        finally:
            await agents.close()

    return asyncio.run(once())


def test_one_that_thinks_too_long_is_killed_and_started_again(tmp_path: Path) -> None:
    assert ask(AgentPool(1, 1, 3, 30, 3, command(FLAKY, tmp_path / "flag"))) == [7]


def test_one_that_dies_every_time_is_given_up() -> None:
    with pytest.raises(AgentError, match="3 times"):
        ask(AgentPool(1, 1, 1, 30, 3, [sys.executable, "-c", "raise SystemExit(1)"]))


def test_an_illegal_answer_is_never_taken(tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    with pytest.raises(AgentError):
        ask(AgentPool(1, 1, 5, 30, 2, command(FLAKY, tmp_path / "flag")), legal=False)


COUNTING = 'answer = [next(numbers)] if verb == "act" else []'


def test_the_rest_of_a_decision_is_asked_for_before_new_ones() -> None:
    async def all_at_once() -> list[list[int]]:
        agents = AgentPool(1, 1, 5, 30, 1, command(COUNTING))
        try:
            return await asyncio.gather(
                *(
                    agents.decide(match, "barrage", {}, "random", 0, VIEW, tell_nothing, list, begun=match == "begun")
                    for match in ("first", "second", "begun")
                )
            )
        finally:
            await agents.close()

    assert asyncio.run(all_at_once()) == [[1], [3], [2]]


FORGETFUL = 'answer = [] if verb == "load" else None if rest[-2].first else [rest[-2].end]'


def test_a_process_that_did_not_hear_what_came_before_is_told_all() -> None:
    asked: list[bool] = []

    async def tell(again: bool) -> News:
        asked.append(again)
        return News(0 if again else 5, 9, ())

    async def once() -> list[int]:
        agents = AgentPool(1, 1, 5, 30, 1, command(FORGETFUL))
        try:
            return await agents.decide("m", "barrage", {}, "random", 0, VIEW, tell, lambda answer: answer)
        finally:
            await agents.close()

    assert asyncio.run(once()) == [9]
    assert asked == [False, True]


TELLING = """
open(sys.argv[1], "a").write(verb + " ")
answer = {"a1": "flag"} if verb == "suggest" else [7] if verb == "act" else []
"""


def test_a_process_that_began_with_a_suggestion_loads_before_it_decides(tmp_path: Path) -> None:
    """What it takes to load does not count as thinking, for which there is less time."""
    told = tmp_path / "told"

    async def script() -> None:
        agents = AgentPool(1, 1, 3, 30, 1, command(TELLING, told))

        async def decide() -> None:
            await agents.decide("m", "barrage", {}, "random", 0, VIEW, tell_nothing, lambda answer: answer)

        await decide()
        await decide()
        await agents.close()
        assert await agents.suggest("m", "barrage", {}, VIEW, {}, 0.1) == {"a1": "flag"}
        await decide()
        await agents.close()

    asyncio.run(script())
    assert told.read_text().split() == ["load", "act", "act", "suggest", "load", "act"]
