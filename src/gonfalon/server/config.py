"""What the owner of a server can set."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

STATIC = Path(__file__).parent / "static"


class Config(msgspec.Struct, frozen=True):
    """Settings of one server process; times in seconds, sizes in bytes."""

    data: Path = Path("gonfalon-data")
    """Folder for the database when `database` is empty; made if missing."""
    database: str = ""
    """SQLAlchemy URL; empty: SQLite in `data`."""
    static: Path = STATIC
    """The built page."""
    hosts: tuple[str, ...] = ()
    """Names under which the server is reached, beside loopback names and addresses, which always work."""
    claim_after: int = 120
    """Absence after which the others may claim the win."""
    hello_within: float = 10.0
    message_size: int = 65_536
    message_rate: float = 20.0
    """Messages a second of one connection, and how many may come at once."""
    message_burst: int = 40
    create_rate: float = 0.5
    """New matches and opened records a second of one address, and how many at once."""
    create_burst: int = 30
    record_size: int = 1_000_000
    most_connections: int = 5_000
    most_watchers: int = 200
    """Connections of one match."""
    idle_after: float = 60.0
    """A match without connections leaves memory after this long."""
    agent_processes: int = 1
    agent_budget: float = 5.0
    """Time for one decision of a computer player; then its process is killed and the decision tried again."""
    agent_start: float = 180.0
    """Time for an agent's process to start and load (compile) a game."""
    agent_tries: int = 3
    agent_command: tuple[str, ...] = (sys.executable, "-m", "gonfalon.server.agent_worker")
    """What starts a process of computer players."""

    @property
    def url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite:///{(self.data / 'matches.db').absolute()}"
