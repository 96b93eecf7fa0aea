"""`GET /metrics`: what it contains, and that it is off by default."""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from gonfalon.server.net.wsgi import MOST_AT_ONCE
from gonfalon.server.trials.attack import attackers
from gonfalon.server.trials.processes.ports import reserve_port
from server.harness import running, wait_for
from server.net.raw import is_closed


def read(port: int) -> dict[str, float]:
    """Return all numbers by name and label."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60).text
    found = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join((sample.name, *sample.labels.values())): sample.value for sample in found}


def test_numbers_of_a_server(tmp_path: Path, rng: random.Random) -> None:
    with reserve_port() as reserved, running(tmp_path, metrics_port=(port := reserved.getsockname()[1])) as server:
        before = read(port)
        assert before["gonfalon_matches"] == 0
        assert before["gonfalon_commits_total"] == 1, "at start the server writes once, to see whether it can"
        match = server.match(("me", "random"))
        red, watcher = match.sit("red"), match.sit()
        red.deploy(rng)
        wait_for(lambda: read(port)["gonfalon_entries_stored_total"] >= 2)  # both have deployed
        now = read(port)
        assert (now["gonfalon_connections player"], now["gonfalon_connections spectator"]) == (1, 1)
        assert now["gonfalon_matches"] == now["gonfalon_agents_running"] == 1
        assert 1 <= now["gonfalon_commits_total"] <= now["gonfalon_entries_stored_total"] + 2
        assert now["gonfalon_writes_failed_total"] == now["gonfalon_agents_killed_total"] == 0
        assert now["gonfalon_tasks"] > before["gonfalon_tasks"]
        waiting = {f"gonfalon_{what}_waiting" for what in ("commands", "writes", "replays", "agents")}
        assert waiting <= now.keys()
        assert now["process_open_fds"] > 0
        wait_for(lambda: read(port)["gonfalon_loop_lag_seconds_count"] > before["gonfalon_loop_lag_seconds_count"])
        for client in (red, watcher):
            client.close()
        server.clients.clear()
        wait_for(lambda: read(port)["gonfalon_connections player"] == 0)


def test_the_dashboard_shows_metrics_that_exist(tmp_path: Path) -> None:
    dashboard = json.loads((Path(__file__).parents[2] / "deploy" / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    shown = {name for text in asked for name in re.findall(r"(?:gonfalon|process)_\w+", text)}
    with reserve_port() as reserved, running(tmp_path, metrics_port=(port := reserved.getsockname()[1])) as server:
        server.match(("me", "random"))
        there = {name.partition(" ")[0] for name in read(port)}
    assert shown <= there
    assert {
        name for name in there if name.startswith("gonfalon_") and not name.endswith(("_sum", "_count", "_created"))
    } <= shown


def test_the_metrics_answer_only_to_names_of_the_server(tmp_path: Path) -> None:
    with reserve_port() as reserved:
        port = reserved.getsockname()[1]
        with running(tmp_path, metrics_port=port, hosts=("play.example",)):
            for host, status in (
                (f"localhost:{port}", 200),
                ("play.example", 200),
                ("127.0.0.1", 200),
                ("evil.example", 403),
                (f"evil.example:{port}", 403),
                ("", 403),
            ):
                answer = httpx.get(f"http://127.0.0.1:{port}/metrics", headers={"host": host}, timeout=60)
                assert (host, answer.status_code) == (host, status)
                assert ("gonfalon_matches" in answer.text) == (status == 200)
            for head in (b"GET /metrics HTTP/1.0", b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example"):
                with attackers.plugged(port) as plug:
                    plug.sendall(head + b"\r\n\r\n")
                    assert b" 403 " in plug.recv(65_536)


def test_silent_clients_do_not_keep_others_from_the_metrics(tmp_path: Path) -> None:
    with reserve_port() as reserved, contextlib.ExitStack() as plugs:
        port = reserved.getsockname()[1]
        plugs.enter_context(running(tmp_path, metrics_port=port))
        silent = [plugs.enter_context(attackers.plugged(port)) for _ in range(MOST_AT_ONCE + 4)]
        assert read(port)["gonfalon_matches"] == 0
        for plug in silent[:5]:
            assert is_closed(plug), "for each newer one the oldest is closed"


def test_no_metrics_by_default_and_none_where_the_page_is(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert "gonfalon_matches" not in server.get("/metrics").text
        assert "gonfalon_matches" not in server.get("/api/metrics").text
