"""The pool of processes: budget, kill, restart."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest

from gonfalon.engine.view import View
from gonfalon.server.agents import AgentError, Agents
from gonfalon.server.news import News

FLAKY = """
import numpy, os, pickle, struct, sys, time
flag = sys.argv[1]
while head := sys.stdin.buffer.read(4):
    verb, *rest = pickle.loads(sys.stdin.buffer.read(struct.unpack("!I", head)[0]))
    if verb == "act" and not os.path.exists(flag):
        open(flag, "w").close()
        time.sleep(60)
    body = pickle.dumps([7] if verb == "act" else [])
    sys.stdout.buffer.write(struct.pack("!I", len(body)) + body)
    sys.stdout.buffer.flush()
"""


VIEW = View(np.zeros(1, np.dtype([("legal", "i4", 2)])), 0)


async def tell_nothing(again: bool) -> News:
    return News(0, 0, ())


def ask(agents: Agents, legal: bool = True) -> list[int]:
    async def once() -> list[int]:
        try:
            check = lambda answer: answer if legal else None  # noqa: E731 - once
            return await agents.decide("m", "barrage", {}, "random", 0, VIEW, tell_nothing, check)
        finally:
            await agents.close()

    return asyncio.run(once())


def test_one_that_thinks_too_long_is_killed_and_started_again(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FLAKY, str(tmp_path / "flag")]
    assert ask(Agents(1, 1, 3, 30, 3, command)) == [7]


def test_one_that_dies_every_time_is_given_up() -> None:
    with pytest.raises(AgentError, match="3 times"):
        ask(Agents(1, 1, 1, 30, 3, [sys.executable, "-c", "raise SystemExit(1)"]))


def test_an_illegal_answer_is_never_taken(tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    with pytest.raises(AgentError):
        ask(Agents(1, 1, 5, 30, 2, [sys.executable, "-c", FLAKY, str(tmp_path / "flag")]), legal=False)


COUNTING = """
import itertools, pickle, struct, sys
numbers = itertools.count(1)
while head := sys.stdin.buffer.read(4):
    verb, *rest = pickle.loads(sys.stdin.buffer.read(struct.unpack("!I", head)[0]))
    body = pickle.dumps([next(numbers)] if verb == "act" else [])
    sys.stdout.buffer.write(struct.pack("!I", len(body)) + body)
    sys.stdout.buffer.flush()
"""


def test_the_rest_of_a_decision_is_asked_for_before_new_ones() -> None:
    async def all_at_once() -> list[list[int]]:
        agents = Agents(1, 1, 5, 30, 1, [sys.executable, "-c", COUNTING])
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


FORGETFUL = """
import pickle, struct, sys
told = 0
while head := sys.stdin.buffer.read(4):
    verb, *rest = pickle.loads(sys.stdin.buffer.read(struct.unpack("!I", head)[0]))
    answer = [] if verb == "load" else None if rest[-2].first else [rest[-2].end]
    body = pickle.dumps(answer)
    sys.stdout.buffer.write(struct.pack("!I", len(body)) + body)
    sys.stdout.buffer.flush()
"""


def test_a_process_that_did_not_hear_what_came_before_is_told_all() -> None:
    asked: list[bool] = []

    async def tell(again: bool) -> News:
        asked.append(again)
        return News(0 if again else 5, 9, ())

    async def once() -> list[int]:
        agents = Agents(1, 1, 5, 30, 1, [sys.executable, "-c", FORGETFUL])
        try:
            return await agents.decide("m", "barrage", {}, "random", 0, VIEW, tell, lambda answer: answer)
        finally:
            await agents.close()

    assert asyncio.run(once()) == [9]
    assert asked == [False, True]


TELLING = """
import pickle, struct, sys
while head := sys.stdin.buffer.read(4):
    verb, *rest = pickle.loads(sys.stdin.buffer.read(struct.unpack("!I", head)[0]))
    open(sys.argv[1], "a").write(verb + " ")
    body = pickle.dumps({"a1": "flag"} if verb == "suggest" else [7] if verb == "act" else [])
    sys.stdout.buffer.write(struct.pack("!I", len(body)) + body)
    sys.stdout.buffer.flush()
"""


def test_a_process_that_began_with_a_suggestion_loads_before_it_decides(tmp_path: Path) -> None:
    """What it takes to load does not count as thinking, for which there is less time."""
    told = tmp_path / "told"

    async def script() -> None:
        agents = Agents(1, 1, 3, 30, 1, [sys.executable, "-c", TELLING, str(told)])

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
