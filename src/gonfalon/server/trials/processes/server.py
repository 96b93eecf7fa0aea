"""A server process for measurements and trials: on loopback, usually without rate limits, on a temporary or a given
database.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

from gonfalon.server.config import Config
from gonfalon.server.storage.store import Store, StoredMatch
from gonfalon.server.trials.processes.ports import reserve_port

_SERVE = """
import sys
from pathlib import Path
from gonfalon.server.app import serve
from gonfalon.server.config import Config
free = dict(message_rate=1e6, message_burst=10**6, create_rate=1e6, create_burst=10**6)
free |= dict(request_rate=1e6, request_burst=10**6, work_rate=1e6, work_burst=1e6)
free |= dict(most_running_of_address=5_000, lobby_rate=1e6, lobby_burst=10**6)
limits = {} if sys.argv[5] else free
paths = dict(data=Path(sys.argv[2]), database=sys.argv[3], node=sys.argv[6], advertise=sys.argv[7])
proxies = frozenset(filter(None, sys.argv[8].split()))
config = Config(metrics_port=int(sys.argv[4]), trusted_proxies=proxies, **paths, **limits)
serve(port=int(sys.argv[1]), config=config)
"""


class Trial:
    """A running server. After `kill` and `start` it has the same port and database."""

    def __init__(self, folder: Path, database: str = "", limited: bool = False, node: str = "") -> None:
        """`limited`: use the default limits of a server; `node`: its name as one of several, behind a proxy."""
        self._folder = folder
        self._limited = limited
        self._database = database
        self.node = node
        self._reserved = [reserve_port() for _ in range(3)]
        self.port, self._metrics_port, relay_port = (each.getsockname()[1] for each in self._reserved)
        self._advertised = f"http://127.0.0.1:{relay_port}" if node else ""
        self.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        """Start the server and wait until it listens. Raises RuntimeError."""
        command = [sys.executable, "-c", _SERVE, str(self.port), str(self._folder), self._database]
        command += [str(self._metrics_port), "limited" if self._limited else ""]
        command += [self.node, self._advertised, "127.0.0.1" if self.node else ""]
        self._process = subprocess.Popen(command)  # noqa: S603 - this Python
        wait_until_listening("the server", self._process, self.port)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End the process with SIGTERM, as the system does."""
        self._process.terminate()
        self._process.wait(30)

    def close(self) -> None:
        """End the process for good."""
        self.stop()
        for each in self._reserved:
            each.close()

    def request(self, path: str, body: object = None) -> Any:
        """Return the JSON answer to a request. Raises OSError, also if the server ends in the middle of the answer."""
        return request(self.port, path, body)

    @property
    def file(self) -> Path:
        """The SQLite file of a trial without another database."""
        return self._folder / "matches.db"

    async def list_matches(self) -> list[StoredMatch]:
        """Return all matches in the database."""
        return await Store(Config(data=self._folder, database=self._database).url).list_matches()

    def read_cpu(self) -> float:
        """Return the CPU seconds that the process has used."""
        return read_cpu(self.pid)

    def read_memory(self) -> float:
        """Return the resident memory of the process, in megabytes."""
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024

    def count_tasks(self) -> int:
        """Return the number of tasks in the server's event loop."""
        return int(self.read_metric("gonfalon_tasks"))

    def read_metric(self, name: str) -> float:
        """Return a metric that has one value."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._metrics_port}/metrics", timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])

    def count_files(self) -> int:
        """Return the number of open descriptors of the process."""
        return sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())


@contextlib.contextmanager
def on_trial(database: str = "", limited: bool = False) -> Iterator[Trial]:
    """Run a server while the block runs. Without `database`: SQLite in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), database, limited)
        try:
            yield trial
        finally:
            trial.close()


def request(port: int, path: str, body: object = None, within: float = 120) -> Any:
    """Return the JSON answer to a request to a port of this machine. Raises OSError, also if the server ends in the
    middle of the answer.
    """
    data = None if body is None else json.dumps(body).encode()
    question = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(question, timeout=within) as answer:  # noqa: S310 - loopback
            return json.loads(answer.read())
    except HTTPException as error:
        raise ConnectionError(f"the answer to {path} broke off") from error


def read_cpu(pid: int, ended: bool = False) -> float:
    """Return the CPU seconds that a process has used. `ended`: with those of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")


def wait_until_listening(name: str, process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a process takes connections at a port of this machine. Raises RuntimeError if it never does."""
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"{name} ended with status {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise RuntimeError(f"{name} does not start")
