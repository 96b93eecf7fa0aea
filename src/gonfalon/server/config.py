"""Settings for the owner of a server."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

STATIC = Path(__file__).parent / "static"


class Config(msgspec.Struct, frozen=True):
    """Settings of one server process; times in seconds, sizes in bytes."""

    data: Path = Path("gonfalon-data")
    """Folder for the database when `database` is empty; made if missing."""
    database: str = ""
    """SQLAlchemy URL; empty: SQLite in `data`."""
    free_disk: int = 200_000_000
    """Bytes that must be free on the disk of an SQLite database for a new match; running matches play on."""
    keep_days: int = 0
    """Matches made more days ago are deleted, over or not, once nobody is connected; 0: never."""
    static: Path = STATIC
    """The built page."""
    source: str = ""
    """URL of this server's source code, which the page's footer links to; empty: no link."""
    hosts: tuple[str, ...] = ()
    """Names of the server, beside loopback names and addresses, which always work."""
    metrics_port: int = 0
    """Port of `GET /metrics`; 0: none."""
    metrics_host: str = "127.0.0.1"
    claim_after: int = 120
    """Absence after which the others may claim the win."""
    hello_within: float = 10.0
    message_size: int = 65_536
    message_rate: float = 20.0
    """Frames a second read from one socket, pings and empty ones included, and frames at once. A frame of more than 1
    kB counts as one for every kB.
    """
    message_burst: float = 60.0
    create_rate: float = 0.5
    """New matches and opened records a second by one address, and at once."""
    create_burst: int = 30
    record_size: int = 1_000_000
    trusted_proxies: frozenset[str] = frozenset()
    """Addresses of proxies whose `X-Forwarded-For` is trusted. The bound on strangers does not apply to them."""
    request_within: float = 20.0
    """Time for a whole request to come, counted from the first byte or the answer before."""
    request_rate: float = 100.0
    """Requests a second by one address, and at once: a page is twenty, a school one address."""
    request_burst: int = 2_000
    read_rate: float = 250_000.0
    """Bytes a second read from one HTTP connection, and at once."""
    read_burst: float = 2_000_000.0
    most_waiting: int = 4_000_000
    """Bytes that may wait for a client that does not read; beyond them its socket is closed."""
    most_strangers: int = 2_000
    """Connections that have not said yet who they are; for a newcomer the idlest one of the busiest address is closed.
    """
    most_strangers_of_address: int = 200
    most_spectators: int = 5_000
    most_spectators_of_address: int = 200
    most_spectators_of_match: int = 200
    most_windows: int = 8
    """Sockets of one seat; for a newcomer the oldest one is closed."""
    idle_after: float = 60.0
    """Time after which a match without clients leaves memory."""
    agent_processes: int = 1
    agent_seconds: float = 1.0
    """Thinking time of a computer player for one decision."""
    agent_budget: float = 5.0
    """Time for one decision of a computer player; then its process is killed and the decision tried again."""
    agent_start: float = 180.0
    """Time for an agent's process to start and load (compile) a game."""
    agent_tries: int = 3
    analysis_queue: int = 4
    """Analyses in progress or waiting; more are refused."""
    analysis_seconds: float = 0.2
    """Thinking time for one decision of an analysed match."""
    analysis_decisions: int = 200
    """Most decisions of a side that are analysed; of more, these are chosen evenly."""
    analysis_budget: float = 180.0
    """Time for a whole analysis; later decisions are skipped."""
    replay_queue: int = 4
    """Replays in progress or waiting; more are refused."""
    replay_budget: float = 20.0
    """CPU time for one replay; beyond it the process is killed."""
    replay_within: float = 300.0
    """Time for one replay on a busy machine, including the start of a process and the compilation of a game."""
    replay_command: tuple[str, ...] = (sys.executable, "-m", "gonfalon.server.review.replay_worker")
    """Command that starts the process for replays."""
    agent_command: tuple[str, ...] = (sys.executable, "-m", "gonfalon.server.workers.agent_worker")
    """Command that starts a process of computer players."""

    def __post_init__(self) -> None:
        """Check the URL of the source. Raises ValueError."""
        if self.source:
            parts = urlsplit(self.source)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise ValueError(f"the source needs a URL with http or https, not {self.source!r}")

    @property
    def url(self) -> str:
        """The database's URL."""
        return self.database or f"sqlite:///{(self.data / 'matches.db').absolute()}"
