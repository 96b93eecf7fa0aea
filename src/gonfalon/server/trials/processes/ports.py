"""Ports for servers of trials and tests, which end and start again on the same port."""

from __future__ import annotations

import contextlib
import random
import socket

PORTS = range(15_000, 32_000)
"""Ports for servers. All lie below the ports of outgoing connections, so that no outgoing connection takes a server's
port while the server is down.
"""


def reserve_port() -> socket.socket:
    """Return a UDP socket that reserves a port number for a server, also while the server is down. The server itself
    uses the TCP port of that number, which the UDP socket does not occupy. Without this, two trials that run at once
    could find the same port free and reach each other's server. Raises RuntimeError if no port is free.
    """
    for port in random.SystemRandom().sample(PORTS, min(len(PORTS), 100)):
        with contextlib.suppress(OSError), contextlib.ExitStack() as taken:
            twin = taken.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            twin.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
            taken.pop_all()
            return twin
    raise RuntimeError("no port is free")
