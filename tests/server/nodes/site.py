"""Sites of several nodes on one database, for tests."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from gonfalon.server.storage.schema import upgrade_beside
from gonfalon.server.trials.processes.ports import reserve_port
from server.harness import Match, Server, find_database, wait_for


class Node(Server):
    """A server process that is one of several."""

    def __init__(self, folder: Path, name: str, url: str, **settings: Any) -> None:
        self._relays = reserve_port()
        self.relay_port: int = self._relays.getsockname()[1]
        self.name = name
        data = folder / name
        data.mkdir(exist_ok=True)
        advertised = f"http://127.0.0.1:{self.relay_port}"
        super().__init__(data, log=data / "log", database=url, node=name, advertise=advertised, **settings)

    def stop(self) -> None:
        super().stop()
        self._relays.close()

    def pause(self) -> None:
        """Let the process stand still."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)

    def read_log(self) -> str:
        return (Path(self.settings["data"]) / "log").read_text(encoding="utf-8")


class Site:
    """The database of a site, and its nodes by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = find_database(folder)
        self._engine = sa.create_engine(self.url, poolclass=sa.NullPool)
        with self._engine.begin() as connection:
            upgrade_beside(connection)
        self.nodes: list[Node] = []

    def start(self, name: str, **settings: Any) -> Node:
        """Start a node."""
        node = Node(self._folder, name, self.url, **settings)
        self.nodes.append(node)
        return node

    def ask(self, query: str, **values: Any) -> Any:
        """Return the only value of a query."""
        with self._engine.begin() as connection:
            return connection.scalar(sa.text(query), values)

    def change(self, statement: str, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(sa.text(statement), values)

    def find_owner(self, match: str) -> str:
        """Return the name of the node that owns a match; empty if none does."""
        return self.ask("SELECT node FROM claims WHERE match = :match", match=match) or ""

    def wait_for_owner(self, match: str, node: Node | None) -> None:
        """Wait until a node owns a match; None: until nobody does."""
        wait_for(lambda: self.find_owner(match) == ("" if node is None else node.name))

    def wait_for_jobs(self) -> None:
        """Wait until people can meet."""
        wait_for(lambda: self.ask("SELECT count(*) FROM jobs WHERE node <> ''") == 2)

    def close(self) -> None:
        for node in self.nodes:
            if node.process is not None and node.process.poll() is None:
                node.resume()
            node.stop()


@contextlib.contextmanager
def running_site(folder: Path, *names: str, **settings: Any) -> Iterator[Site]:
    """Run nodes while the block runs."""
    site = Site(folder)
    try:
        for name in names:
            site.start(name, **settings)
        if names:
            site.wait_for_jobs()
        yield site
    finally:
        site.close()


def seen_from(node: Node, match: Match) -> Match:
    """Return a match as clients find it that connect to another node."""
    other = Match(node, match.id, match.secrets)
    other.invitations, other.secrets = match.invitations, match.secrets
    return other


def wait_until_dead(site: Site, node: Node) -> None:
    """Wait until another node has declared a node dead."""
    end = time.monotonic() + 60
    while site.ask("SELECT alive FROM nodes WHERE name = :name", name=node.name):
        assert time.monotonic() < end, "nobody declares the node dead"
        time.sleep(0.1)
