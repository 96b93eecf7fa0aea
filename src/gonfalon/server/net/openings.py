"""Checks of a request that opens a web socket, before the server accepts it."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from websockets.http11 import Request

from gonfalon.server.config import Config
from gonfalon.server.net.addresses import find_client, network_of
from gonfalon.server.net.hosts import Hosts, is_own_origin
from gonfalon.server.net.rate_limits import RateLimiter


class Caller(msgspec.Struct, frozen=True):
    """The client that opens a socket."""

    address: str
    """Address as limits count it."""
    cookies: list[str]
    """The `Cookie` headers."""
    secure: bool
    """Whether the request came to a trusted proxy by TLS."""


class Openings:
    """Checks the host, the origin and the rate of openings."""

    def __init__(self, config: Config) -> None:
        self._trusted = config.trusted_proxies
        self._hosts = Hosts(config.hosts)
        self._rates = RateLimiter(config.request_rate, config.request_burst)

    def check(self, peer: str, request: Request) -> Caller | HTTPStatus:
        """Return the client, or the HTTP status that refuses the socket. `peer`: address at the other end of the
        connection.
        """
        if not self._hosts.allow(request.headers.get_all("Host")) or not _is_own_page(request):
            return HTTPStatus.FORBIDDEN
        address = network_of(find_client(peer, request.headers.get_all("X-Forwarded-For"), self._trusted))
        if not self._rates.take(address):
            return HTTPStatus.TOO_MANY_REQUESTS
        secure = peer in self._trusted and request.headers.get_all("X-Forwarded-Proto") == ["https"]
        return Caller(address, request.headers.get_all("Cookie"), secure)


def _is_own_page(request: Request) -> bool:
    """Return whether a browser opened the socket from a page of this host. A request without `Origin` does not come
    from a browser and is allowed.
    """
    origins = request.headers.get_all("Origin")
    return not origins or is_own_origin(origins, request.headers.get_all("Host"))
