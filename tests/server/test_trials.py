"""The trials of `gonfalon bench` find faults planted for the test, and lose nothing when the server is killed a few
times.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from pathlib import Path

import pytest

from gonfalon.cli import main
from gonfalon.server.protocol.secrets import new_secret
from gonfalon.server.storage.entries import Played, Resigned
from gonfalon.server.trials import crowd, kills, soak, speed
from gonfalon.server.trials.attack import attacks, bounds
from gonfalon.server.trials.processes.server import on_trial, request
from server.harness import PATIENCE, find_database


def test_what_is_lost_or_doubled_is_found() -> None:
    log = kills.Log("m", 0, {1: (5, 6), 2: (7,), 3: (8,)})
    first, second, third = Played(0, (5, 6), 1), Played(0, (7,), 2), Played(0, (8,), 3)
    other = Played(1, (7,), 2)
    assert kills.compare(log, [first, other, second, third, Resigned(1)]) == (0, 0)
    assert kills.compare(log, [first, other, second]) == (1, 0), "the last one"
    assert kills.compare(log, [first, Played(0, (9,), 2), third]) == (1, 0), "another one in its place"
    assert kills.compare(log, [first, second, third, Played(0, (9,), 3)]) == (1, 1)
    assert kills.compare(log, [first, second, second, third]) == (0, 1)
    assert kills.compare(log, []) == (3, 0)


def test_kills_under_load_lose_and_double_nothing(tmp_path: Path) -> None:
    found = kills.run(4, find_database(tmp_path))
    assert (found.kills, found.lost, found.doubled, found.overcharged) == (4, 0, 0, 0)
    assert found.acknowledged > 4 * kills.MATCHES
    assert found.resent > 0


def test_who_stops_a_trial_waits_for_the_sockets_of_all_its_clients() -> None:
    playing, closed = list[float](), list[float]()

    class Closing:
        def __init__(self, seconds: float) -> None:
            self._seconds = seconds

        async def play(self) -> None:
            playing.append(self._seconds)
            try:
                await asyncio.sleep(PATIENCE)
            finally:
                await asyncio.sleep(self._seconds)
                closed.append(self._seconds)

    async def script() -> list[float]:
        task = asyncio.create_task(speed.play_all([Closing(0), Closing(0.1)]))
        while len(playing) < 2:
            await asyncio.sleep(0)
        await speed.stop([task])
        return closed[:]

    assert asyncio.run(script()) == [0, 0.1]


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n"])
def test_an_answer_that_breaks_off_is_an_error_of_the_connection(answer: bytes) -> None:
    def break_off(door: socket.socket) -> None:
        plug, _ = door.accept()
        with plug:
            plug.recv(65_536)
            plug.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as door:
        server = threading.Thread(target=break_off, args=[door])
        server.start()
        with pytest.raises(OSError, match=r"broke off|closed connection"):
            request(door.getsockname()[1], "/api/version")
        server.join()


def test_the_command_fails_when_something_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong, status in (((0, 0, 0), 0), ((1, 0, 0), 1), ((0, 1, 0), 1), ((0, 0, 1), 1)):
        lost, doubled, overcharged = wrong
        result = kills.Result(1, 100, lost, doubled, 3, overcharged)
        monkeypatch.setattr(kills, "run", lambda *_, found=result: found)
        assert main(["bench", "kills", "--kills", "1"]) == status


def test_a_soak_sees_what_the_server_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "QUIET", 0.0)
    monkeypatch.setattr(soak, "LOOKS", 1)
    before, first, last, after = soak.run(5, 0.05, find_database(tmp_path))
    assert before.moves == 0 < first.moves < last.moves <= after.moves
    # Five matches of two sockets each. Connections to PostgreSQL come and go beside them.
    assert min(first.files, last.files) >= after.files + 8
    assert min(first.tasks, last.tasks) >= before.tasks + 5
    assert before.memory > 1


@pytest.mark.parametrize("variant", ["barrage", "conquest-two"])
def test_waits_for_the_computer_are_measured(
    variant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(crowd, "WINDOW", 2.0)
    command = ["bench", "server", "--computer", "level-1", "--matches", "2", "--variant", variant, "--json"]
    assert main(command) == 0
    rows = {row["name"]: row["value"] for row in json.loads(capsys.readouterr().out)}
    assert list(rows) == [
        "move of people, alone, p50",
        "move of people, alone, p99",
        "move of people, beside level-1, p50",
        "move of people, beside level-1, p99",
        "answer of level-1, 2 matches, p50",
        "answer of level-1, 2 matches, p99",
        "answer of level-1, 2 matches, slowest",
    ]
    p50, p99, slowest = list(rows.values())[-3:]
    assert 0 < p50 <= p99 <= slowest


def test_the_bounds_for_strangers_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bounds, "LOADED", 3)
    with on_trial() as trial:
        match, _ = attacks._make_match(trial, "barrage")
        bounds.load_matches(trial)
        bounds.share_spectators(trial, match)
    told = capsys.readouterr().out
    assert "3 matches loaded by requests: 3 in memory at most" in told
    assert "200 spectators of one address: 10 of 10 others may watch" in told


@pytest.mark.parametrize("kind", ["bursts of drafts, 16 sockets", "bursts of invitations, 16 sockets", "rematches"])
def test_a_player_is_measured_beside_the_attackers(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(attacks, "SECONDS", 2.0)
    with on_trial(limited=True) as trial:
        match, invitations = attacks._make_match(trial, "barrage")
        hello = {"type": "hello", "secret": new_secret(), "invitation": invitations[0]}
        figures = asyncio.run(attacks._measure(trial, match, hello, kind, match))
        made = asyncio.run(trial.list_matches())
    assert 0 < figures.p50 <= figures.p99 <= figures.worst
    assert 1 < len(made) < 40, "the attacker's matches, within its limit"
