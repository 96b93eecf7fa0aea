"""Counts of all open connections of the process, limited by role and address.

Each connection begins as a stranger's: every HTTP request, and every socket until its `Hello`. A player's secret comes
only after the handshake, so the server accepts all newcomers while it can open files. When there are too many
strangers, the one idle for longest is closed. Spectators have their own limits; players have none.
"""

from __future__ import annotations

import logging
import math
import resource
import time
from collections import Counter
from collections.abc import Callable
from enum import Enum, auto

from gonfalon.server.config import Config
from gonfalon.server.net.addresses import network_of
from gonfalon.server.net.backlog import Backlog
from gonfalon.server.protocol.refusals import Declined

log = logging.getLogger("gonfalon.visitors")
KEPT_FILES = 256
"""Number of open files reserved for other uses: the database, logs, agents, listening sockets."""


class Role(Enum):
    """Role of the client at the other end of a connection."""

    STRANGER = auto()
    SPECTATOR = auto()
    PLAYER = auto()


class OpenConnection:
    """One open connection."""

    __slots__ = ("address", "busy", "dismiss", "peer", "role")

    def __init__(self, peer: str, dismiss: Callable[[], None]) -> None:
        self.peer = peer
        """Address at the other end; a proxy's address if there is one."""
        self.address = network_of(peer)
        self.dismiss = dismiss
        """Function that closes the connection at once."""
        self.role = Role.STRANGER
        self.busy = False
        """Whether the server is working on an answer for this connection."""


class ConnectionCounts:
    """Open connections by role and address (`addresses.network_of`)."""

    def __init__(self, config: Config, files: int) -> None:
        """`files`: number of files that the process may open."""
        self._config = config
        self.most = max(1, files - KEPT_FILES)
        """Maximum number of connections of all roles together."""
        self._strangers: dict[str, dict[OpenConnection, None]] = {}
        self._spectators: Counter[str] = Counter()
        self._counts = dict.fromkeys(Role, 0)
        self.backlog = Backlog(config.most_waiting_of_all)
        self.relayed = 0
        """Number of sockets that are passed on to other nodes."""
        self.full_at = -math.inf
        """Time (`time.monotonic`) of the last connection refused because no more files could be opened."""

    def count(self, role: Role) -> int:
        return self._counts[role]

    def enter(self, connection: OpenConnection) -> bool:
        """Accept a stranger's connection; if necessary, close another stranger's. Return False if there is no room."""
        config, address = self._config, connection.address
        if sum(self._counts.values()) >= self.most and not self._dismiss_one():
            if time.monotonic() - self.full_at > config.claim_after:
                log.error("no more connections: the limit of open files is reached")
            self.full_at = time.monotonic()
            return False
        alike = self._strangers.get(address, {})
        if len(alike) >= config.most_strangers_of_address and connection.peer not in config.trusted_proxies:
            self._dismiss(_find_idlest(alike))
        elif self._counts[Role.STRANGER] >= config.most_strangers:
            self._dismiss_one()
        self._strangers.setdefault(address, {})[connection] = None
        self._counts[Role.STRANGER] += 1
        return True

    def greet(self, connection: OpenConnection, address: str, plays: bool) -> None:
        """Give a stranger a role. `address`: the client's own address, also behind a proxy.

        Raises `Declined`: `too-many`, for a spectator.
        """
        if connection.role is not Role.STRANGER or connection not in self._strangers.get(connection.address, {}):
            return
        if not plays:
            config = self._config
            of_address = self._spectators[address] >= config.most_spectators_of_address
            if of_address or self._counts[Role.SPECTATOR] >= config.most_spectators:
                raise Declined("too-many")
        self.leave(connection)
        connection.role = Role.PLAYER if plays else Role.SPECTATOR
        connection.address = address
        self._counts[connection.role] += 1
        if not plays:
            self._spectators[address] += 1

    def leave(self, connection: OpenConnection) -> None:
        """Remove a closed connection from the counts. A dismissed connection is already removed."""
        if connection.role is Role.STRANGER:
            alike = self._strangers.get(connection.address, {})
            if connection not in alike:
                return
            del alike[connection]
            if not alike:
                del self._strangers[connection.address]
        elif connection.role is Role.SPECTATOR:
            self._spectators[connection.address] -= 1
            if not self._spectators[connection.address]:
                del self._spectators[connection.address]
        self._counts[connection.role] -= 1

    def _dismiss_one(self) -> bool:
        """Close one stranger's connection, at the address with the most strangers. Return False if there is none."""
        if not self._strangers:
            return False
        self._dismiss(_find_idlest(max(self._strangers.values(), key=len)))
        return True

    def _dismiss(self, connection: OpenConnection) -> None:
        self.leave(connection)
        connection.dismiss()


def _find_idlest(strangers: dict[OpenConnection, None]) -> OpenConnection:
    """Return the oldest stranger for whom the server is not working; if it is working for all, the oldest."""
    return next((connection for connection in strangers if not connection.busy), next(iter(strangers)))


def raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError) as error:
            log.warning("the limit of open files stays at %d: %s", soft, error)
            return soft
    return hard
