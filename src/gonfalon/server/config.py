"""Settings for the owner of a server."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from gonfalon.engine.rulesets.ruleset import Ruleset

STATIC = Path(__file__).parent / "static"
_CONTACT = re.compile(r"mailto:[^\s@]+@[^\s@]+|https://[^\s/]+\S*|tel:\+?[0-9-]+")


_NODE = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
NOTICE_SILENCE = {
    "connect_timeout": "3",  # s
    "tcp_user_timeout": "4000",  # ms until sent bytes must have arrived; others declare a silent node dead by then
    "keepalives_idle": "2",  # s
    "keepalives_interval": "1",  # s
}
"""Parameters of PostgreSQL's client library. The system's own limits are a quarter of an hour and more, in which the
pages of a node would wait although others could play on.
"""


def _add_parameters(url: str, parameters: dict[str, str]) -> str:
    """Add those parameters that a URL does not have."""
    given = dict(parse_qsl(urlsplit(url).query))
    missing = {name: value for name, value in parameters.items() if name not in given}
    return f"{url}{'&' if given else '?'}{urlencode(missing)}" if missing else url


def split_address(address: str) -> tuple[str, int]:
    """Return host and port of an address such as http://10.0.0.5:8100. Raises `ValueError`."""
    parts = urlsplit(address)
    if parts.scheme != "http" or not parts.hostname or not parts.port or parts.path not in ("", "/"):
        raise ValueError(f"an address such as http://10.0.0.5:8100 is needed, not {address!r}")
    return parts.hostname, parts.port


class SettingError(ValueError):
    """A setting has an impossible value. `setting`: its name."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(reason)
        self.setting = setting


class OwnAgent(msgspec.Struct, frozen=True):
    """A computer player of the operator's own."""

    name: str
    entrant: str
    """In the forms of `ai.arena.entrants`, such as `py:FILE:NAME`; no program."""
    variants: tuple[str, ...]
    """The variants of this server that it plays."""


class Config(msgspec.Struct, frozen=True):
    """Settings of one server process; times in seconds, sizes in bytes."""

    data: Path = Path("gonfalon-data")
    """Folder for the database when `database` is empty; made if missing."""
    database: str = ""
    """SQLAlchemy URL; empty: SQLite in `data`."""
    node: str = ""
    """Name of this process as one of several on a PostgreSQL database; empty: it is the only one."""
    advertise: str = ""
    """Address to which other nodes bring sockets, as http://ADDRESS:PORT."""
    free_disk: int = 200_000_000
    """Bytes that must be free on the disk of an SQLite database for a new match; running matches play on."""
    keep_days: int = 0
    """Matches made more days ago are deleted, finished or not, once no client is connected; 0: never."""
    static: Path = STATIC
    """The built page."""
    own_variants: tuple[Ruleset, ...] = ()
    """Variants that the operator adds to the listed ones: of the operator's own, and shipped ones that are not listed.
    """
    own_agents: tuple[OwnAgent, ...] = ()
    """Computer players of the operator's own (`own_agents.py`)."""
    source: str = ""
    """URL of this server's source code, which the page's footer links to; empty: no link."""
    contact: str = ""
    """URL at which people report security problems, for `/.well-known/security.txt` (RFC 9116); empty: no such file."""
    hosts: tuple[str, ...] = ()
    """Host names of the server. Loopback names and IP addresses always work."""
    metrics_port: int = 0
    """Port of `GET /metrics`; 0: none."""
    metrics_host: str = "127.0.0.1"
    claim_after: int = 120
    """Seconds of absence after which the other players may claim the win."""
    back_within: float = 30.0
    """Seconds for which the clock of a player stands still after a start of the server, or after a node lost the
    connection, unless the page is back sooner: a page notices within 25 s that its connection is dead.
    """
    hello_within: float = 10.0
    message_size: int = 65_536
    message_rate: float = 20.0
    """Frames a second read from one socket, pings and empty frames included; `message_burst` frames at once. A frame of
    more than 1 kB counts once per kB.
    """
    message_burst: float = 60.0
    work_rate: float = 0.25
    """Seconds of work a second on the messages of one address (`match.clients.costs`); `work_burst` at once. Beyond
    this the messages wait for their turn.
    """
    work_burst: float = 0.5
    create_rate: float = 0.5
    """New matches and opened records a second by one address; `create_burst` at once."""
    create_burst: int = 30
    accounts: bool = True
    """Whether people may make accounts. Existing ones stay open."""
    accounts_an_hour: int = 200
    """Maximum number of new accounts an hour, of all addresses together."""
    guest_rate: float = 0.05
    """New guests a second by one address; `guest_burst` at once."""
    guest_burst: int = 20
    lookup_rate: float = 2.0
    """Profiles and lists of an address a second; `lookup_burst` at once."""
    lookup_burst: int = 60
    login_rate: float = 0.1
    """Tries to log in or to make an account a second by one address; `login_burst` at once."""
    login_burst: int = 20
    password_rate: float = 0.02
    """Passwords a second tried for one account by all addresses together; `password_burst` at once. Passkeys and
    recovery codes always work.
    """
    password_burst: int = 30
    standings_rate: float = 1.0
    """Questions for the standings of one's own matches a second by one address; `standings_burst` at once. A page asks
    once when it shows a list of matches.
    """
    standings_burst: int = 60
    lobby_rate: float = 1.0
    """Acts in the lobby (seek, challenge, accept) a second by one address; `lobby_burst` at once."""
    lobby_burst: int = 40
    open_challenges: int = 5
    """Maximum number of open challenges of one person."""
    direct_challenges: int = 20
    """Maximum number of challenges of one person for certain others."""
    most_challenges: int = 2_000
    """Maximum number of all challenges together."""
    challenge_lingers: float = 10.0
    """Seconds after the end of its maker's page until a challenge is taken back, unless the page comes back."""
    challenge_days: int = 14
    """Days after which a challenge by correspondence ends."""
    record_size: int = 1_000_000
    trusted_proxies: frozenset[str] = frozenset()
    """Addresses of proxies whose `X-Forwarded-For` is trusted. `most_strangers_of_address` does not apply to them."""
    request_within: float = 20.0
    """Seconds for a whole request to arrive, counted from the first byte or from the previous answer."""
    request_rate: float = 100.0
    """Requests a second by one address; `request_burst` at once. A page needs twenty requests, and a whole school may
    share one address.
    """
    request_burst: int = 2_000
    read_rate: float = 250_000.0
    """Bytes a second read from one HTTP connection; `read_burst` at once."""
    read_burst: float = 2_000_000.0
    most_waiting: int = 4_000_000
    """Bytes that may wait for a client that does not read. Beyond this its socket is closed."""
    most_waiting_of_all: int = 32_000_000
    """Bytes that may wait for all such clients together. Beyond this the slowest connections are closed, first those of
    the address for which most bytes wait.
    """
    most_strangers: int = 2_000
    """Maximum number of connections that have not yet said who they are. For one more, the connection idle for longest
    is closed, at the address with most of them.
    """
    most_strangers_of_address: int = 200
    most_spectators: int = 5_000
    most_spectators_of_address: int = 200
    most_spectators_of_match: int = 200
    most_windows: int = 8
    """Maximum number of sockets of one seat; a newer one closes the oldest."""
    idle_after: float = 60.0
    """Seconds without clients after which a match leaves memory."""
    most_idle: int = 200
    """Maximum number of matches in memory without clients. For one more, the one unused for longest leaves memory."""
    most_running: int = 5_000
    """Maximum number of matches that stay in memory because their clocks run."""
    most_running_of_address: int = 20
    agent_processes: int = 1
    """Number of processes of computer players; 0, with PostgreSQL: only workers on other machines play."""
    agent_seconds: float = 1.0
    """Thinking time of a computer player per decision."""
    agent_budget: float = 5.0
    """Maximum time of a computer player per decision; then its process is killed and the decision tried again."""
    agent_start: float = 180.0
    """Time for an agent's process to start and load (compile) a game."""
    agent_tries: int = 3
    analysis_queue: int = 8
    """Analyses in progress or waiting; more are refused."""
    analysis_queue_of_address: int = 2
    analysis_seconds: float = 0.2
    """Thinking time for one decision of an analysed match."""
    analysis_decisions: int = 200
    """Maximum number of analysed decisions of one side. Of more decisions, evenly spaced ones are chosen."""
    analysis_budget: float = 180.0
    """Time for a whole analysis; later decisions are skipped."""
    replay_queue: int = 8
    """Replays in progress or waiting; more are refused."""
    replay_queue_of_address: int = 2
    """A page may ask for the replay of a match and for its possible ranks at once."""
    replay_budget: float = 20.0
    """CPU seconds for one replay; beyond this the process is killed."""
    replay_within: float = 300.0
    """Time for one replay on a busy machine, including the start of a process and the compilation of a game."""
    replay_command: tuple[str, ...] = (sys.executable, "-m", "gonfalon.server.review.replay_worker")
    """Command that starts the process for replays."""
    agent_command: tuple[str, ...] = (sys.executable, "-m", "gonfalon.server.workers.agent_worker")
    """Command that starts a process of computer players."""

    def __post_init__(self) -> None:
        """Check the URLs, and the settings of a node. Raises `SettingError`."""
        if self.source:
            parts = urlsplit(self.source)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise SettingError("source", f"the source needs a URL with http or https, not {self.source!r}")
        if self.contact and not _CONTACT.fullmatch(self.contact):
            raise SettingError("contact", f"the contact needs a URL with mailto, https or tel, not {self.contact!r}")

        if self.node:
            self._check_node()
        elif self.advertise:
            raise SettingError("advertise", "only one of several nodes has an address for the others; name it (--node)")

    def _check_node(self) -> None:
        if not _NODE.fullmatch(self.node):
            raise SettingError("node", f"a node's name has 1 to 20 of a-z, 0-9 and -, not {self.node!r}")
        if not self.database.startswith("postgresql"):
            raise SettingError(
                "node", "several processes need a PostgreSQL database (--database); an SQLite file has one owner"
            )
        try:
            split_address(self.advertise)
        except ValueError as error:
            raise SettingError("advertise", f"other nodes need to reach this one: {error}") from error

    @property
    def own_commands(self) -> dict[str, tuple[str, ...]]:
        """The command that starts the process of each computer player of the operator's own, by name."""
        return {own.name: (*self.agent_command, f"{own.name}={own.entrant}") for own in self.own_agents}

    @property
    def url(self) -> str:
        """The database's URL. The connections of a node notice within seconds that the network drops everything."""
        if self.node:
            return _add_parameters(self.database, NOTICE_SILENCE)
        return self.database or f"sqlite:///{(self.data / 'matches.db').absolute()}"
