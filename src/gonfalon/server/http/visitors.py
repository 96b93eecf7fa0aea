"""The visitor behind a request: session, place, and the check that the request comes from our own page."""

from __future__ import annotations

from urllib.parse import urlsplit

from litestar.handlers.base import BaseRouteHandler

from gonfalon.server.http.answers import Connection, find_network, find_service
from gonfalon.server.people.accounts import Entrance
from gonfalon.server.people.passkeys import Site
from gonfalon.server.people.sessions import Session
from gonfalon.server.protocol.refusals import Declined


def is_secure(connection: Connection) -> bool:
    """Return whether a request came by TLS, here or to a trusted proxy."""
    return connection.url.scheme == "https"


async def find_session(connection: Connection) -> Session | None:
    """Return the session of a request's cookie; None if there is none."""
    cookies = connection.headers.getall("cookie", [])
    return await find_service(connection).people.recognise(cookies, is_secure(connection))


async def need_session(connection: Connection) -> Session:
    """Return the session of a request's cookie. Raises `Declined`: `no-session`."""
    session = await find_session(connection)
    if session is None:
        raise Declined("no-session", 401)
    return session


async def find_entrance(connection: Connection) -> Entrance:
    """Return the place from which a request comes."""
    agent = connection.headers.get("user-agent", "")
    return Entrance(find_network(connection), agent, await find_session(connection))


def find_site(connection: Connection) -> Site:
    """Return the address under which the browser knows this server."""
    return Site(f"{connection.url.scheme}://{connection.headers['host'].lower()}")


def need_own_origin(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Guard against other sites that use a browser's cookie here. A request with a cookie must come from a page of this
    host; one without a cookie is allowed to nobody in particular.

    Raises `Declined`: `foreign-origin`.
    """
    if not connection.headers.get("cookie"):
        return
    origins = connection.headers.getall("origin", [])
    hosts = connection.headers.getall("host", [])
    if not is_own(origins, hosts, connection.url.scheme):
        raise Declined("foreign-origin", 403)


def is_own(origins: list[str], hosts: list[str], scheme: str) -> bool:
    """Return whether the only origin is this host, with the scheme of the request."""
    try:
        found = [urlsplit(origin) for origin in origins]
    except ValueError:
        return False  # not a URL, such as "http://["
    places = [(each.scheme, each.netloc.lower()) for each in found]
    return len(hosts) == 1 and places == [(scheme, hosts[0].lower())]
