"""A small server of WSGI applications on a port of its own, for the metrics. It answers only to the names of the main
port, and few clients at a time.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from gonfalon.server.net.hosts import Hosts

MOST_AT_ONCE = 8
"""Maximum number of connections, each with a thread. A newer one closes the oldest."""
PATIENCE = 10.0
"""Seconds that a client may be silent."""
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def check_host(app: Application, hosts: Hosts) -> Application:
    """Return an application that refuses requests for names that are not this server's."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST")  # several such headers come as one, joined by commas
        if host is not None and hosts.allow([host]):
            return app(environ, start)
        start("403 Forbidden", [("Content-Type", "text/plain")])
        return [b"The server is not known by this name.\n"]

    return answer


class Handler(WSGIRequestHandler):
    """Handles one request without a log line."""

    timeout = PATIENCE

    def log_message(self, *_args: object) -> None:
        """Write nothing: a line would hold the client's address."""


class ThreadedServer(ThreadingMixIn, WSGIServer):
    """Use: `serve_forever` in a thread; at the end `shutdown` and `server_close`."""

    daemon_threads = True

    def __init__(self, host: str, port: int, app: Application) -> None:
        """Raises OSError if the port is taken."""
        self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        super().__init__((host, port), Handler)
        self.set_app(app)
        self._open: dict[Any, None] = {}
        self._lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handle a connection in a thread of its own; if there are too many, close the oldest."""
        with self._lock:
            self._open[request] = None
            oldest = next(iter(self._open)) if len(self._open) > MOST_AT_ONCE else None
            self._open.pop(oldest, None)
        if oldest is not None:
            with contextlib.suppress(OSError):  # it has just ended by itself
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless the client has left or was silent for too long."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)
