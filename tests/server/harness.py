"""A real server process and small clients for the server's tests. Everything listens on loopback only and ends with the
test.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from websockets.sync.client import ClientConnection, connect

from gonfalon.server.protocol.secrets import new_secret
from gonfalon.server.trials.processes.ports import reserve_port

VARIANT = "barrage"
PATIENCE = 60.0
"""Seconds to wait for an expected message; long, because the machine may be busy with other work."""
DATABASE = os.environ.get("GONFALON_TEST_DATABASE", "")
"""Address of a database server to test on; empty: test on a file of SQLite."""
SERVE = """
import json, sys
from pathlib import Path
from gonfalon.server.app import serve
from gonfalon.server.config import Config
from gonfalon.server.journal import write_to_stderr
settings = json.loads(sys.argv[2])
write_to_stderr(settings.pop("log"))
paths = {name: Path(settings.pop(name)) for name in ("data", "static")}
if folder := settings.pop("variants", ""):
    from gonfalon.cli.choosing import read_variants
    settings["own_variants"] = read_variants([folder])
settings["trusted_proxies"] = frozenset(settings.pop("trusted_proxies", ()))
agents = settings.pop("agents", ())
config = Config(**paths, **settings)
if agents:
    from msgspec.structs import replace
    from gonfalon.server.own_agents import check_agents
    config = replace(config, own_agents=check_agents(agents, config))
serve(port=int(sys.argv[1]), config=config)
"""


def find_database(data: Path) -> str:
    """Return the address of the PostgreSQL database that belongs to a data folder; create it if it is missing. Servers
    with different folders never share a database. Without `DATABASE` return "".
    """
    if not DATABASE:
        return ""
    url = sa.make_url(DATABASE)
    name = f"{url.database}_{hashlib.sha256(str(data).encode()).hexdigest()[:16]}"
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        if not connection.scalar(sa.text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}):
            connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    return url.set(database=name).render_as_string(hide_password=False)


class Server:
    """A server process on a free port; after `kill`, `start` uses the same port and database again."""

    def __init__(self, data: Path, prefix: tuple[str, ...] = (), log: Path | None = None, **settings: Any) -> None:
        """`prefix`: a command that runs the server. `log`: a file for log lines from level info up. All other settings
        are those of `Config`, but `variants` and `agents` are values of `gonfalon serve --variants` and `--agent`.
        """
        self._prefix = prefix
        self._log = log
        free = {"message_rate": 1e4, "message_burst": 10_000, "create_rate": 1e4, "create_burst": 10_000}
        free |= {"work_rate": 1e4, "work_burst": 1e4}
        free |= {"lobby_rate": 1e4, "lobby_burst": 10_000}
        free |= {"standings_rate": 1e4, "standings_burst": 10_000}
        free |= {"guest_rate": 1e4, "guest_burst": 10_000, "login_rate": 1e4, "login_burst": 10_000}
        free |= {"lookup_rate": 1e4, "lookup_burst": 10_000, "accounts_an_hour": 10_000}
        free |= {"request_rate": 1e4, "request_burst": 10_000}
        free["agent_budget"] = PATIENCE  # a slow computer player must not count as failed
        paths = {"data": str(data), "static": str(data / "page"), "database": find_database(data)}
        self.settings = {**free, **paths, "log": "info" if log else "warning", **settings}
        self._reserved = reserve_port()
        self.port: int = self._reserved.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self.clients: list[Client] = []
        self.browsers: list[httpx.Client] = []
        self.start()

    def start(self) -> None:
        command = [*self._prefix, sys.executable, "-c", SERVE, str(self.port), json.dumps(self.settings)]
        with contextlib.ExitStack() as files:
            stderr = files.enter_context(self._log.open("ab")) if self._log else None
            self.process = subprocess.Popen(command, stderr=stderr)
        # Agents of the operator's own start in processes of their own, one after the other, before the server answers.
        wait_for(self._answers, PATIENCE * (1 + 2 * len(self.settings.get("agents", ()))))

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, "the server ended"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def let_go(self) -> None:
        """Close the sockets of all clients, and all browsers."""
        for client in self.clients:
            client.close()
        for browser in self.browsers:
            browser.close()
        self.clients.clear()
        self.browsers.clear()

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        assert self.process is not None
        self.let_go()
        self.process.terminate()
        self.process.wait(PATIENCE)
        self._reserved.close()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url(path), timeout=120)

    def post(self, path: str, body: object) -> httpx.Response:
        return httpx.post(self.url(path), json=body, timeout=120)

    def browser(self, **headers: str) -> httpx.Client:
        """Return a client that keeps cookies and sends its origin, as a browser on the page does."""
        headers = {"origin": self.url(""), **headers}
        browser = httpx.Client(base_url=self.url(""), headers=headers, timeout=120)
        self.browsers.append(browser)
        return browser

    def match(self, seats: tuple[str, ...] = ("me", "person"), variant: str = VARIANT, **switches: Any) -> Match:
        """Create a match; a seat is `me`, `person` or the name of an agent."""
        wishes = [{"kind": s} if s in ("me", "person") else {"kind": "agent", "agent": s} for s in seats]
        answer = self.post("/api/matches", {"variant": variant, "seats": wishes, "switches": switches})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Match(self, made["match"], made["secrets"], made["invitations"])


class Match:
    """A match with all that its maker knows, and the secrets with which its guests open their invitations."""

    def __init__(
        self, server: Server, name: str, secrets: dict[str, str], invitations: dict[str, str] | None = None
    ) -> None:
        self.server, self.id = server, name
        self.invitations = invitations or {}
        self.secrets = secrets | {side: new_secret() for side in self.invitations}

    def sit(self, side: str = "", seq: int = -1, secret: str | None = None, **options: Any) -> Client:
        """Connect and wait for the welcome: as a side or, without one, as a spectator. If the match is over, wait for
        the message `ended` too. `options` are those of `Client`.
        """
        client = Client(self.server, self.id, **options)
        if secret is None:
            client.hello(self.secrets.get(side, ""), seq, self.invitations.get(side, ""))
        else:
            client.hello(secret, seq)
        client.welcome = client.until("welcome", 180)
        client.take(client.welcome)
        if client.welcome["ending"]:
            client.until("ended")
        return client

    def both(self) -> tuple[Client, Client]:
        return self.sit("red"), self.sit("blue")

    def persons(self) -> tuple[Client, ...]:
        """Connect all players who are persons, in the order of their sides."""
        seats = [seat["side"] for seat in self.info()["seats"] if seat["kind"] == "person"]
        return tuple(map(self.sit, seats))

    def info(self) -> dict[str, Any]:
        told: dict[str, Any] = self.server.get(f"/api/matches/{self.id}").json()
        return told


class Client:
    """One socket. It stores what it received: every raw frame, the last `seq`, scene and choices."""

    def __init__(self, server: Server, match: str, uri: str = "", **options: Any) -> None:
        """`uri`: address of the server, if it is not the direct one. Other options are those of `connect`."""
        url = f"{uri or f'ws://127.0.0.1:{server.port}'}/api/matches/{match}/socket"
        # The client sends no pings of its own: their thread would draw from `random`, and hypothesis would blame the
        # test.
        self._opening = connect(url, compression=None, max_size=None, ping_interval=None, proxy=None, **options)
        self.ws: ClientConnection = self._opening.__enter__()
        server.clients.append(self)
        self.raw: list[str] = []
        self.welcome: dict[str, Any] = {}
        self.scene: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.seq = -1
        self.n = 0
        self.over = False
        self.updates: list[dict[str, Any]] = []

    def send(self, kind: str, **fields: Any) -> None:
        self.ws.send(json.dumps({"type": kind, **fields}))

    def hello(self, secret: str = "", seq: int = -1, invitation: str = "") -> None:
        self.send("hello", secret=secret, seq=seq, invitation=invitation)

    def next(self, timeout: float = PATIENCE) -> dict[str, Any]:
        text = self.ws.recv(timeout=timeout)
        assert isinstance(text, str)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        self.take(message)
        return message

    def until(self, kind: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """Read messages until one is of this kind, and return it."""
        end = time.monotonic() + timeout
        while True:
            message = self.next(max(0.01, end - time.monotonic()))
            if message["type"] == kind:
                return message

    def quiet(self) -> list[dict[str, Any]]:
        """Send a ping; return all messages that came before the answer to it."""
        self.send("ping")
        found = []
        while (message := self.next())["type"] != "pong":
            found.append(message)
        return found

    def settle(self) -> list[dict[str, Any]]:
        """Wait until the match task has handled everything sent so far, then return what `quiet` returns. The match
        must be running.
        """
        self.send("offer-rematch")
        while self.until("refused")["line"]["code"] != "not-over":
            pass
        return self.quiet()

    def take(self, message: dict[str, Any]) -> None:
        """Update the state of this client from a message, as a page does."""
        if message["type"] == "welcome":
            self.scene, self.choices = message["now"]["scene"], message["now"]["choices"]
            self.seq, self.n = message["now"]["seq"], message["n"]
        elif message["type"] == "update":
            self.updates.append(message)
            self.scene = patched(self.scene, message["patch"])
            self.choices, self.seq = message["choices"], message["seq"]
        elif message["type"] == "ended":
            self.over = True
            self.scene = patched(self.scene, message["patch"])

    def act(self, actions: list[int], n: int = 0, **more: Any) -> dict[str, Any]:
        """Send a decision with the next number; return the answer, `stored` or `refused`. `more`: other fields."""
        if not n:
            self.n += 1
            n = self.n
        self.send("act", n=n, actions=actions, **more)
        while (message := self.next())["type"] not in ("stored", "refused"):
            pass
        return message

    def placements(self, rng: random.Random) -> list[int]:
        """Return a random arrangement. If there are more pieces than places, some pieces stay off the board."""
        arrange = self.scene["arrange"]
        empty = [p["action"] for p in arrange["pieces"] if not p["face"] for _ in range(p["count"])]
        pieces = [p["action"] for p in arrange["pieces"] if p["face"] for _ in range(p["count"])]
        actions = [*empty, *rng.sample(pieces, len(arrange["places"]) - len(empty))]
        rng.shuffle(actions)
        return actions

    def deploy(self, rng: random.Random) -> list[int]:
        """Deploy at random; return the actions."""
        actions = self.placements(rng)
        assert self.act(actions)["type"] == "stored"
        return actions

    def decide(self, rng: random.Random) -> None:
        """Make a random decision: arrange the pieces, or take one of the choices."""
        decision = self.placements(rng) if self.scene["arrange"] else [rng.choice(self.choices)["id"]]
        assert self.act(decision)["type"] == "stored"

    @property
    def due(self) -> bool:
        return bool(self.choices or self.scene["arrange"])

    def close(self) -> None:
        self._opening.__exit__(None, None, None)


def patched(scene: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Return the scene with a patch applied, as the page does it."""
    fresh = {t["id"]: t for t in patch.get("tokens", [])}
    gone = set(patch.get("gone", []))
    kept = [fresh.pop(t["id"], t) for t in scene["tokens"] if t["id"] not in gone]
    trays = patch.get("trays") or scene["trays"]
    return {**scene, "tokens": [*kept, *fresh.values()], "trays": trays, **(patch.get("rest") or {})}


def same_scene(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two scenes are equal, apart from the order of their tokens."""
    return ordered(one) == ordered(other)


def ordered(scene: dict[str, Any]) -> dict[str, Any]:
    return {**scene, "tokens": sorted(scene["tokens"], key=lambda t: t["id"])}


def play(
    clients: tuple[Client, ...], rng: random.Random, moves: int, watch: Callable[[int], None] = lambda _: None
) -> int:
    """Let seats that follow the match decide at random; return the number of decisions made, fewer than `moves` if the
    match ended.
    """
    for made in range(moves):
        for client in clients:
            client.quiet()
        mover = next((client for client in clients if client.due), None)
        if mover is None:
            return made
        mover.decide(rng)
        mover.until("update")
        for other in clients:
            while other.seq < mover.seq:
                other.next()
        watch(made)
    return moves


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.05)


@contextlib.contextmanager
def running(data: Path, **settings: Any) -> Iterator[Server]:
    server = Server(data, **settings)
    try:
        yield server
    finally:
        server.stop()


def dead_until(cured: Path) -> list[str]:
    """Return a command that starts a process of computer players. Its first question ends it, unless the file `cured`
    exists.
    """
    program = """import os, runpy, sys
if not os.path.exists(sys.argv.pop(1)):
    sys.stdin.buffer.read(4)
    sys.exit(3)
runpy.run_module("gonfalon.server.workers.agent_worker", run_name="__main__")"""
    return [sys.executable, "-c", program, str(cured)]
