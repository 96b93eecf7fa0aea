"""Promises of docs/running.md: the files in deploy/ work as they are, and a backup can be restored."""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from gonfalon.cli import main
from gonfalon.server.trials.processes.ports import reserve_port
from server.harness import DATABASE, Server, find_database, play, running, wait_for
from server.proxy import DEPLOY, UPSTREAM, Proxy, need, replace

ROOT = Path(__file__).resolve().parents[2]
GONFALON = Path(sys.executable).with_name("gonfalon")
SCRIPT = b"// " + b"x" * 5_000


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[tuple[Server, Proxy]]:
    """A server behind the proxy; every client's own address is on loopback."""
    settings = {"trusted_proxies": ["127.0.0.1"], "create_rate": 0.001, "create_burst": 3}
    with running(tmp_path / "data", **settings) as server:
        script = tmp_path / "data" / "page" / "assets" / "main-AbCd1234.js"
        script.parent.mkdir(parents=True)
        script.write_bytes(SCRIPT)
        script.with_name(f"{script.name}.gz").write_bytes(gzip.compress(SCRIPT))
        proxy = Proxy(tmp_path, replace(UPSTREAM, {"127.0.0.1:8000": f"127.0.0.1:{server.port}"}))
        with proxy.run():
            yield server, proxy


def test_a_match_through_the_proxy_over_tls(behind: tuple[Server, Proxy], rng: random.Random) -> None:
    server, proxy = behind
    address = f"https://localhost:{proxy.port}"
    match = server.match()
    with httpx.Client(verify=proxy.trust, base_url=address) as browser:
        assert browser.get("/healthz").text == "ok"
        assert browser.get(f"/api/matches/{match.id}").json()["id"] == match.id
        script = browser.get("/assets/main-AbCd1234.js", headers={"accept-encoding": "gzip"})
        assert (script.headers["content-encoding"], script.content) == ("gzip", SCRIPT)
        known = {"accept-encoding": "gzip", "if-none-match": script.headers["etag"]}
        assert browser.get("/assets/main-AbCd1234.js", headers=known).status_code == 304
        info = browser.get(f"/api/matches/{match.id}", headers={"accept-encoding": "gzip, br"})
        assert "content-encoding" not in info.headers
        assert "max-age" in browser.get("/healthz").headers["strict-transport-security"]
        assert browser.get("/healthz", headers={"host": "evil.example"}).status_code == 403
        assert browser.post("/api/replays", content=b"x" * 2_000_000).status_code == 413
    moved = httpx.get(f"http://127.0.0.1:{proxy.plain}/match/x?y", headers={"host": "localhost"})
    assert (moved.status_code, moved.headers["location"]) == (301, "https://localhost/match/x?y")
    # The client reads in a thread of its own. TLS 1.3 sends tickets after the handshake: that thread would read them
    # while this one writes the request, both on one object of OpenSSL, which may hang then.
    one_at_a_time = proxy.trust
    one_at_a_time.maximum_version = ssl.TLSVersion.TLSv1_2
    secure = {"uri": f"wss://localhost:{proxy.port}", "ssl": one_at_a_time, "origin": address}
    clients = tuple(match.sit(side, **secure) for side in ("red", "blue"))
    assert play(clients, rng, 12) == 12
    errors = (proxy.folder / "errors").read_text().splitlines()
    assert [line for line in errors if "client intended to send too large body" not in line] == []
    assert not (proxy.folder / "lines").exists() or not (proxy.folder / "lines").read_text()


def test_a_client_cannot_claim_another_address(behind: tuple[Server, Proxy]) -> None:
    """The proxy drops such headers that a client sends; the server trusts those that the proxy sets."""
    _, proxy = behind
    with httpx.Client(verify=proxy.trust, base_url=f"https://localhost:{proxy.port}") as browser:
        codes = [
            browser.post("/api/matches", json={}, headers={"x-forwarded-for": f"10.1.{i}.7"}).status_code
            for i in range(5)
        ]
    assert codes == [400, 400, 400, 429, 429]


# ---- units, container ----------------------------------------------------------------------------------------------

UNITS = {"gonfalon.service": "serve", "gonfalon@.service": "serve", "gonfalon-worker.service": "worker"}
"""The command that each unit runs."""


@pytest.mark.parametrize("name", UNITS)
def test_the_units_are_valid(tmp_path: Path, name: str) -> None:
    (analyze,) = need("systemd-analyze")
    unit = tmp_path / name
    unit.write_text(replace((DEPLOY / name).read_text(), {"/opt/gonfalon/.venv/bin/gonfalon": str(GONFALON)}))
    checked = subprocess.run([analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


@pytest.mark.parametrize(("name", "command"), UNITS.items())
def test_the_units_options_are_those_of_the_commands(name: str, command: str) -> None:
    unit = (DEPLOY / name).read_text()
    (line,) = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
    require_options(command, line)


def test_the_compositions_options_are_those_of_the_command() -> None:
    """The composition itself is tried by hand."""
    words = (DEPLOY / "compose.yaml").read_text().replace('"', " ").replace(",", " ")
    require_options("serve", words)


def require_options(command: str, text: str) -> None:
    """Check that a text has options, and that a command has them all."""
    options = {word for word in text.split() if word.startswith("--")}
    known = subprocess.run([GONFALON, command, "--help"], capture_output=True, text=True, check=True).stdout
    assert options
    assert {option for option in options if f"  {option}" not in known} == set()


def find_runtime() -> str:
    """Return a program that builds and runs containers on this machine, or ""."""
    for name in ("podman", "docker"):
        path = shutil.which(name)
        if path and subprocess.run([path, "info"], capture_output=True, check=False).returncode == 0:
            return path
    return ""


@pytest.mark.timeout(1_800)
def test_the_container_is_built_and_answers() -> None:
    runtime = find_runtime()
    if not runtime:
        pytest.skip("no podman, and no docker with a daemon, on this machine")
    name = f"gonfalon-test-{os.getpid()}"
    subprocess.run([runtime, "build", "-f", "deploy/Containerfile", "-t", name, "."], cwd=ROOT, check=True)
    with reserve_port() as reserved:
        port = reserved.getsockname()[1]
        start = [runtime, "run", "--rm", "--detach", "--name", name, "-p", f"127.0.0.1:{port}:8000", name]
        subprocess.run(start, check=True)
        try:
            wait_for(lambda: answers(f"http://127.0.0.1:{port}/healthz"), 120)
        finally:
            subprocess.run([runtime, "rm", "--force", name], check=True)


def answers(address: str) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(address).text == "ok"
    return False


# ---- backups -------------------------------------------------------------------------------------------------------


def test_a_backup_is_restored(tmp_path: Path, rng: random.Random, capsys: pytest.CaptureFixture[str]) -> None:
    """A backup made while the server runs holds everything that was acknowledged before."""
    with running(tmp_path / "data") as server:
        match = server.match()
        clients = match.both()
        play(clients, rng, 10)
        back_up(tmp_path)
        kept = (clients[0].seq, sorted(token["place"] for token in clients[0].scene["tokens"]))
        play(clients, rng, 4)
        later = clients[0].seq
        server.stop()
        lose_all(tmp_path)
        restore(tmp_path)
        server.start()
        red = match.sit("red")
        assert red.seq == kept[0] < later
        assert sorted(token["place"] for token in red.scene["tokens"]) == kept[1]
        assert play((red, match.sit("blue")), rng, 3) == 3


def back_up(folder: Path) -> None:
    if DATABASE:
        (dump,) = need("pg_dump")
        url = sa.make_url(find_database(folder / "data")).set(drivername="postgresql")
        target = url.render_as_string(hide_password=False)
        subprocess.run([dump, "--format=custom", f"--file={folder / 'backup'}", target], check=True)
        return
    command = ["matches", "backup", str(folder / "backup"), "--data", str(folder / "data")]
    assert main(command) == 0
    assert (folder / "backup").stat().st_mode & 0o777 == 0o600
    assert main(command) == 2, "it overwrites nothing"


def lose_all(folder: Path) -> None:
    if DATABASE:
        engine = sa.create_engine(find_database(folder / "data"), poolclass=sa.NullPool)
        tables = sa.MetaData()
        tables.reflect(engine)
        tables.drop_all(engine)
        return
    shutil.rmtree(folder / "data")


def restore(folder: Path) -> None:
    if DATABASE:
        (load,) = need("pg_restore")
        url = sa.make_url(find_database(folder / "data")).set(drivername="postgresql")
        target = f"--dbname={url.render_as_string(hide_password=False)}"
        subprocess.run([load, "--no-owner", target, str(folder / "backup")], check=True)
        return
    (folder / "data").mkdir()
    shutil.copy(folder / "backup", folder / "data" / "matches.db")
