"""Host names that this server answers to.

The owner of another site can let its name point at this machine (DNS rebinding). The browser then takes this server for
that site and lets the site's page read every answer. Addresses and `localhost` are safe, because they need no name
lookup.
"""

from __future__ import annotations

import html
import ipaddress
import logging
import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from gonfalon.server.protocol.refusals import Declined

log = logging.getLogger("gonfalon.hosts")
MOST_LOGGED = 20
"""Maximum number of refused names in the log."""
NAMELESS = "(no name)"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gonfalon</title>
<h1>Gonfalon runs here, but not under this name</h1>
<p>The server does not know the name <b>{name}</b>. Open it by its IP address, or as <b>localhost</b> on its own
machine.</p>
<p>The operator can allow the name: <code>gonfalon serve --name {name}</code></p>
</html>
"""
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class Hosts:
    """Allows loopback names and IP addresses always, other names only if given. A name does not include its
    subdomains.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(_plain(name) for name in names)
        self._logged: set[str] = set()

    def allow(self, headers: Sequence[str]) -> bool:
        """Return whether a request with these `Host` headers is for this server. There must be exactly one such
        header.
        """
        if len(headers) != 1:
            return False
        name = _plain(_without_port(headers[0].strip()))
        return name == "localhost" or name.endswith(".localhost") or name in self._names or _is_address(name)

    def log_refused(self, name: str) -> None:
        """Log a refused name the first time, up to `MOST_LOGGED` names: strangers choose them."""
        if name not in self._logged and len(self._logged) < MOST_LOGGED:
            self._logged.add(name)
            log.warning("refused requests for the name %s; gonfalon serve --name %s would allow them", name, name)


def is_own_origin(origins: Sequence[str], hosts: Sequence[str], scheme: str = "") -> bool:
    """Return whether the only `Origin` header of a request is its only `Host`. `scheme`: that the origin must have;
    empty for any.
    """
    if len(origins) != 1 or len(hosts) != 1:
        return False
    try:
        origin = urlsplit(origins[0])
    except ValueError:
        return False  # not a URL, such as "http://["
    return origin.netloc.lower() == hosts[0].lower() and scheme in ("", origin.scheme)


class HostCheck:
    """Middleware in front of all routes. Raises `Declined`: `foreign-host`. Browsers that ask for a page get one that
    says what the operator can do.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if not self._hosts.allow(headers):
                name = _shown(headers)
                self._hosts.log_refused(name)
                if any(key == b"accept" and b"text/html" in value for key, value in scope["headers"]):
                    await _refuse_by_page(name, send)
                    return
                raise Declined("foreign-host", 403)
        await self._app(scope, receive, send)


def _shown(headers: Sequence[str]) -> str:
    """Return the refused name for people, or `NAMELESS` if it is not a host name."""
    name = _plain(_without_port(headers[0].strip())) if len(headers) == 1 else ""
    return name if _NAME.fullmatch(name) else NAMELESS


async def _refuse_by_page(name: str, send: Send) -> None:
    """Answer 403 with a page: how to reach the server, and how the operator allows the name."""
    body = PAGE.format(name=html.escape(name)).encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


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
