"""Computer players on other machines: workers come and go, share questions and fail, and tables are emptied."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from gonfalon.server.trials.processes.postgres import Cluster, find_binaries
from gonfalon.server.workers.pool import AgentError, AgentPool, HistoryMissingError, LoadError, OutdatedError
from gonfalon.server.workers.priority_lock import Urgency
from gonfalon.server.workers.remote.asking import RemoteWorkers
from gonfalon.server.workers.requests import Job
from server.workers.halls import ECHO, END_CONNECTIONS, MEMORY, ON_POSTGRES, SLOW, Hall, play, request
from server.workers.test_pool import command

pytestmark = ON_POSTGRES


def test_a_worker_answers_and_remembers_the_match(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        waiting = asyncio.create_task(hall.ask())
        await hall.until_rows(1)
        await hall.arrive(1)
        assert await waiting == [1, 0], "a question from before the worker came"
        await hall.arrive(2)
        for step in range(1, 20):
            assert await hall.ask("m", step) == [1, step], "the worker that knows the match is preferred"
        assert await hall.run("SELECT * FROM questions") == []

    play(tmp_path, script)


def test_two_workers_share_the_questions_of_many_matches(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        for number in (1, 2):
            await hall.arrive(number, SLOW + ECHO)
        answers = await asyncio.gather(*(hall.ask(f"match {number}") for number in range(4)))
        assert {number for number, _ in answers} == {1, 2}

    play(tmp_path, script)


def test_the_question_of_a_worker_that_is_gone_goes_to_another(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        await hall.arrive(1, SLOW + MEMORY)
        assert await hall.ask() == [1, 0]
        asked = asyncio.create_task(hall.ask("m", 1))
        await hall.until_taken()
        give_back = hall.cut_off(1)
        hall.work(2, MEMORY)
        with pytest.raises(HistoryMissingError):
            await asked
        assert await hall.ask() == [2, 0], "asked anew with all news"
        give_back()
        await hall.until(lambda: hall.asker.living == 2)
        assert await hall.ask("m", 1) == [2, 1], "the match lives on the second worker now"
        assert await hall.run("SELECT * FROM questions") == [], "the late answer of the first worker was dropped"

    play(tmp_path, script)


def test_a_worker_that_is_killed_is_gone_at_once(tmp_path: Path) -> None:
    """Its connection ends with it, so nobody waits for its row to grow old."""

    async def script(hall: Hall) -> None:
        await hall.arrive(1, SLOW + ECHO)
        asked = asyncio.create_task(hall.ask())
        await hall.until_taken()
        hall.cut_off(1)
        await hall.run("UPDATE workers SET seen = now() + interval '1 hour'")
        await hall.workers[1]._connection.close()
        hall.work(2)
        assert await asked == [2, 0]
        assert hall.asker.living == 1

    play(tmp_path, script)


def test_workers_of_other_versions_are_not_asked_and_named_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(hall: Hall) -> None:
        await hall.arrive(1)
        await hall.run(
            "INSERT INTO workers (name, seen, backend, processes, version, agents)"
            " SELECT 'old', seen + interval '1 hour', backend, processes, '0.0.1', agents FROM workers"
        )
        for _ in range(2):
            await hall.asker._look_at_workers()
        assert hall.asker.living == 1
        assert caplog.text.count("the worker old is not asked: its version is 0.0.1") == 1

    play(tmp_path, script)


def test_a_question_is_asked_again_when_the_tables_are_emptied(tmp_path: Path) -> None:
    """PostgreSQL does that after a crash."""

    async def script(hall: Hall) -> None:
        await hall.arrive(1, SLOW + ECHO)
        asked = asyncio.create_task(hall.ask())
        await hall.until_taken()
        await hall.run("TRUNCATE questions, workers")
        assert await asked == [1, 0]
        await hall.run(END_CONNECTIONS)
        assert await hall.ask("other") == [1, 0], "after lost connections too"
        assert await hall.run("SELECT * FROM questions") == []

    play(tmp_path, script)


def test_a_crash_of_the_database_costs_a_thought() -> None:
    binaries = find_binaries()
    assert binaries is not None
    with tempfile.TemporaryDirectory(prefix="gonfalon-crash-") as name:  # short enough for the name of a socket
        cluster = Cluster(binaries, Path(name))
        cluster.create()
        cluster.start()

        async def script(hall: Hall) -> None:
            await hall.arrive(1, SLOW + ECHO)
            asked = asyncio.create_task(hall.ask())
            await hall.until_taken()
            await asyncio.to_thread(cluster.stop)
            await asyncio.to_thread(cluster.start)
            assert await asked == [1, 0]
            assert await hall.ask("other") == [1, 0]

        try:
            play(Path(name), script, cluster.make_database())
        finally:
            cluster.stop()


def test_a_worker_that_ends_finishes_its_thought_and_takes_nothing_new(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        await hall.arrive(1, SLOW + ECHO)
        first = asyncio.create_task(hall.ask())
        await hall.until_taken()
        second = asyncio.create_task(hall.ask("other"))
        await hall.end(1)
        assert await first == [1, 0]
        assert await hall.run("SELECT name FROM workers") == []
        await hall.arrive(2)
        assert await second == [2, 0]

    play(tmp_path, script)


def test_a_worker_that_ends_gives_back_a_game_that_it_still_loads(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        await hall.arrive(1, 'time.sleep(60) if verb == "load" else None\n' + ECHO)
        hall.workers[1]._budget = 0.5
        asked = asyncio.create_task(hall.ask())
        await hall.until_taken()
        await hall.end(1)
        await hall.arrive(2)
        assert await asked == [2, 0]

    play(tmp_path, script)


def test_an_urgent_question_goes_first_and_waiting_ones_share_the_time(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        kinds = {"new": Urgency.NEW, "patient": Urgency.PATIENT, "later": Urgency.NEW, "begun": Urgency.BEGUN}
        asked = []
        for number, (match, urgency) in enumerate(kinds.items(), 1):
            asked.append(asyncio.create_task(hall.ask(match, urgency=urgency)))
            await hall.until_rows(number)
        assert hall.asker.waiting == 4
        await hall.arrive(1, 'answer = [next(numbers), round(job.seconds * 1000)] if verb == "act" else []')
        answers = dict(zip(kinds, await asyncio.gather(*asked), strict=True))
        assert sorted(kinds, key=lambda match: answers[match][0]) == ["begun", "new", "later", "patient"]
        assert {time for _, time in answers.values()} == {667}, "two seconds for three; the patient one does not count"

    play(tmp_path, script)


def test_all_questions_of_a_match_go_to_one_process_of_a_worker(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        await hall.arrive(1, 'answer = [os.getpid()] if verb == "act" else []', processes=2)
        matches = [f"match {number}" for number in range(8)] * 2
        answers = await asyncio.gather(*(hall.ask(match) for match in matches))
        assert answers[:8] == answers[8:]
        assert len({process for (process,) in answers}) == 2

    play(tmp_path, script)


@pytest.mark.parametrize(
    ("work", "error"),
    [
        ('answer = "broken" if verb == "act" else []', AgentError),
        ('answer = "broken"', LoadError),
        ('answer = None if verb == "act" else []', HistoryMissingError),
        ('answer = ["a"] if verb == "act" else []', AgentError),
        ('answer = [{1, 2}] if verb == "act" else []', AgentError),
    ],
)
def test_a_failure_there_is_the_same_failure_here(tmp_path: Path, work: str, error: type[Exception]) -> None:
    async def script(hall: Hall) -> None:
        await hall.arrive(1, work)
        with pytest.raises(error):
            await hall.ask()
        assert hall.asker.living == 1

    play(tmp_path, script)


def test_a_question_that_nobody_waits_for_is_removed(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        wanted = True
        asked = asyncio.create_task(hall.asker.ask(Job("act", request()), Urgency.NEW, lambda: wanted))
        await hall.until_rows(1)
        wanted = False
        with pytest.raises(OutdatedError):
            await asked
        cancelled = asyncio.create_task(hall.ask())
        await hall.until_rows(1)
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        await hall.until_rows(0)

    play(tmp_path, script)


def test_questions_of_a_server_that_is_gone_are_removed_unanswered(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        gone = RemoteWorkers(hall.url, 5, 30, alone=True)
        asked = asyncio.create_task(gone.ask(Job("act", request()), Urgency.NEW, lambda: True))
        await hall.until_rows(1)  # it is never renewed, because `gone` was not started
        await hall.run("UPDATE questions SET seen = now() - interval '11 s', asked = now() - interval '11 s'")
        await hall.arrive(1)
        await hall.until_rows(0)
        assert not asked.done()
        asked.cancel()
        await gone.close()

    play(tmp_path, script)


def test_a_server_asks_its_own_processes_when_no_worker_is_there(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        beside = RemoteWorkers(hall.url, 5, 30, alone=False)
        pool = AgentPool(1, 1, 5, 30, command(ECHO, 0), elsewhere=beside)
        await pool.start()
        try:
            assert await pool.decide(request()) == [0, 0]
            await hall.arrive(1, SLOW + ECHO)
            await hall.until(lambda: beside.living == 1)
            assert await pool.decide(request()) == [1, 0]
            asked = asyncio.create_task(pool.decide(request()))
            await hall.until_taken()
            hall.cut_off(1)
            assert await asked == [0, 0], "the worker has gone in the middle of its thought"
        finally:
            await pool.close()

    play(tmp_path, script)
