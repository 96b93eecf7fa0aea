"""The operator's commands: a running server performs them; without a server the command does it itself."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from server.harness import Server, running
from server.visitors import PASSWORD, log_in, make_account, new_match, refused, sit


def gonfalon(server: Server, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command on the data of a server."""
    places = ["--data", str(server.settings["data"]), "--database", str(server.settings["database"])]
    command = [sys.executable, "-m", "gonfalon", *words, *places]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def told(server: Server, *words: str) -> str:
    """Run a command that succeeds; return its output."""
    done = gonfalon(server, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("runs", [True, False], ids=["beside a server", "alone"])
def test_people(tmp_path: Path, runs: bool) -> None:
    with running(tmp_path) as server:
        browser = server.browser()
        name, codes = make_account(browser)
        if not runs:
            server.kill()
        assert name in told(server, "people", "list")
        assert "sessions  1" in told(server, "people", "show", name.lower())
        assert told(server, "people", "rename", name, "Ada-2") == f"{name} is called Ada-2 now\n"
        assert "1 sessions have ended" in told(server, "people", "ban", "ada-2")
        code = told(server, "people", "reset-code", "Ada-2").split()[-1]
        for words, problem in (
            (("show", name), "there is no account"),
            (("rename", "Ada-2", "x"), "account-name"),
            (("rename", "Ada-2", "admin"), "name-taken"),
        ):
            done = gonfalon(server, "people", *words)
            assert done.returncode != 0
            assert problem in done.stderr
        if not runs:
            server.start()
        fresh = server.browser()
        recovery = {"name": "Ada-2", "code": code, "password": "another good password"}
        assert refused(fresh.post("/api/login/recovery", json=recovery | {"code": codes[0]})) == "code-wrong"
        assert refused(fresh.post("/api/login", json={"name": "Ada-2", "password": PASSWORD})) == "banned"
        assert browser.get("/api/me").json()["name"] == ""
        told(server, "people", "unban", "Ada-2")
        log_in(server, "Ada-2")


@pytest.mark.parametrize("runs", [True, False], ids=["beside a server", "alone"])
def test_matches_are_ended_and_deleted(tmp_path: Path, runs: bool) -> None:
    with running(tmp_path) as server:
        browser = server.browser()
        make_account(browser)
        match = new_match(browser)["match"]
        client = sit(server, match, browser) if runs else None
        if client is None:
            server.kill()
        assert "has ended without a result" in told(server, "matches", "end", match)
        if client is not None:
            assert client.until("ended")["ending"]["reason"] == "no-result"
        assert "is over already" in gonfalon(server, "matches", "end", match).stderr
        assert "1 deleted" in told(server, "matches", "delete", match)
        assert "there is no match" in gonfalon(server, "matches", "delete", match).stderr
        if client is None:
            server.start()
        assert server.get(f"/api/matches/{match}").status_code == 404
        assert browser.get("/api/account/matches").json() == []


def test_only_the_servers_user_may_open_the_socket(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        path = tmp_path / "operator.sock"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        server.kill()
        server.start()
        assert stat.S_ISSOCK(path.stat().st_mode), "a socket that a killed server left is replaced"
    assert not path.exists()
