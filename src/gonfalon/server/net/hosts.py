"""Host names that this server answers to.

The owner of another site can let its name point at this machine (DNS rebinding). The browser then takes this server for
that site and lets the site's page read every answer. Addresses and `localhost` are safe, because they need no name
lookup.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from gonfalon.server.protocol.refusals import Declined


class Hosts:
    """Allows loopback names and IP addresses always, other names only if given. A name does not include its
    subdomains.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(_plain(name) for name in names)

    def allow(self, headers: Sequence[str]) -> bool:
        """Return whether a request with these `Host` headers is for this server. There must be exactly one such
        header.
        """
        if len(headers) != 1:
            return False
        name = _plain(_without_port(headers[0].strip()))
        return name == "localhost" or name.endswith(".localhost") or name in self._names or _is_address(name)


class HostCheck:
    """Middleware in front of all routes. Raises `Declined`: `foreign-host`."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if not self._hosts.allow(headers):
                raise Declined("foreign-host", 403)
        await self._app(scope, receive, send)


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")


def _without_port(host: str) -> str:
    """Return `name` of `name:port`; an IPv6 address loses its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
