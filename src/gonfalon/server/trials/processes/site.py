"""A whole site on this machine, for trials: PostgreSQL, nodes, and nginx before them."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from gonfalon.server.storage.schema import upgrade_beside
from gonfalon.server.trials.processes.nginx import Nginx, find_nginx
from gonfalon.server.trials.processes.ports import reserve_port
from gonfalon.server.trials.processes.postgres import Cluster, find_binaries
from gonfalon.server.trials.processes.server import Trial, read_cpu, request

BACK_WITHIN = 60.0
"""Seconds within which all nodes must be alive again after something happened."""
_WATCH = """
CREATE TABLE strange_writes (match text, place int, written_by text);
CREATE FUNCTION note_strange_write() RETURNS trigger AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM claims WHERE claims.match = NEW.match
                   AND 'gonfalon:' || node || ':' || epoch = current_setting('application_name')) THEN
        INSERT INTO strange_writes VALUES (NEW.match, NEW.place, current_setting('application_name'));
    END IF;
    RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER watch AFTER INSERT ON log FOR EACH ROW WHEN (NEW.place > 0) EXECUTE FUNCTION note_strange_write();
"""
"""A trigger that notes each entry which another node than the owner of the match has stored. The first entry may be
stored with the match itself.
"""


class MissingProgramError(RuntimeError):
    """A program that the trial needs is not installed."""


class Site:
    """PostgreSQL, nodes and nginx. `port`: where people come."""

    def __init__(self, folder: Path, nodes: Sequence[str]) -> None:
        """`folder`: empty. Raises `MissingProgramError`."""
        binaries, nginx = find_binaries(), find_nginx()
        if binaries is None or nginx is None:
            raise MissingProgramError("this trial needs the programs of PostgreSQL and of nginx")
        base, files = folder / "base", folder / "nginx"
        for each in (base, files):
            each.mkdir()
        self._database = Cluster(binaries, base)
        self._database.create()
        self._database.start()
        self.url = self._database.make_database()
        # Not a node's connection, so nothing here ends it, except a restart of the database.
        self._engine = sa.create_engine(self.url, poolclass=sa.NullPool)
        with self._engine.begin() as connection:
            upgrade_beside(connection)
            connection.execute(sa.text(_WATCH))
        self.nodes: list[Trial] = []
        for name in nodes:
            (folder / name).mkdir()
            self.nodes.append(Trial(folder / name, self.url, node=name))
        self._reserved = reserve_port()
        self.port = self._reserved.getsockname()[1]
        self.nginx = Nginx(nginx, files, self.port, [node.port for node in self.nodes])
        self.wait_until_whole()

    def close(self) -> None:
        """End everything."""
        self.nginx.stop()
        self._reserved.close()
        for node in self.nodes:
            node.close()
        self._database.stop()

    def request(self, path: str, body: object = None) -> Any:
        """Return the JSON answer to a request of a client. Raises OSError."""
        return request(self.port, path, body, within=10)

    # ---- what happens to it -----------------------------------------------------------------------------------

    def kill(self, node: Trial) -> None:
        """Kill a node, and start it again."""
        node.kill()
        node.start()

    def pause(self, node: Trial, seconds: float) -> None:
        """Let a node stand still, as on a machine that swaps, and go on."""
        os.kill(node.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(node.pid, signal.SIGCONT)

    def cut(self, node: Trial) -> None:
        """End all connections of a node to the database."""
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE :label"
        with self._engine.begin() as connection:
            connection.execute(sa.text(ended), {"label": f"gonfalon:{node.node}:%"})

    def drain(self, node: Trial) -> None:
        """Stop a node as the system does, and start it again."""
        node.stop()
        node.start()

    def restart_database(self) -> None:
        """Let PostgreSQL crash, and start it again."""
        self._database.stop()
        self._database.start()

    def wait_until_whole(self) -> None:
        """Wait until all nodes are alive. Raises `RuntimeError` after `BACK_WITHIN`."""
        end = time.monotonic() + BACK_WITHIN
        while time.monotonic() < end:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                wanted = "SELECT count(*) FROM nodes WHERE alive AND seen > clock_timestamp() - interval '2 s'"
                if self.ask(wanted) == len(self.nodes):
                    return
            time.sleep(0.2)
        raise RuntimeError("not all nodes are alive again")

    # ---- what is asked of it ----------------------------------------------------------------------------------

    def ask(self, query: str) -> Any:
        """Return the only value of a query."""
        with self._engine.connect() as connection:
            return connection.scalar(sa.text(query))

    def count_strange_writes(self) -> int:
        """Return the number of entries that another node than the owner of their match has stored."""
        return int(self.ask("SELECT count(*) FROM strange_writes"))

    def read_cpu(self) -> dict[str, float]:
        """Return the CPU seconds of each kind of process."""
        postmaster = int((self._database.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text(encoding="ascii").split()
        database = read_cpu(postmaster, ended=True)
        for child in children:
            with contextlib.suppress(OSError):
                database += read_cpu(int(child))
        nodes = sum(read_cpu(node.pid) for node in self.nodes)
        return {"nodes": nodes, "nginx": read_cpu(self.nginx.pid), "PostgreSQL": database}


@contextlib.contextmanager
def running_site(nodes: Sequence[str]) -> Iterator[Site]:
    """Run a site while the block runs. Raises `MissingProgramError`."""
    with tempfile.TemporaryDirectory(prefix="gonfalon-site-") as folder:
        Path(folder).chmod(0o755)  # the database runs as another user
        site = Site(Path(folder), nodes)
        try:
            yield site
        finally:
            site.close()
