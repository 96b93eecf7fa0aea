"""The visitor behind a request: session, place, and the check that the request comes from our own page."""

from __future__ import annotations

from typing import Any

from litestar import post
from litestar.handlers.base import BaseRouteHandler

from gonfalon.server.http.answers import BODY_SIZE, FRESH, Connection, find_network, find_service, problems
from gonfalon.server.http.request_bodies import Body, need_json
from gonfalon.server.net.hosts import is_own_origin
from gonfalon.server.people.accounts import Entrance
from gonfalon.server.people.cookies import write_cookie
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


def make_cookie(connection: Connection, secret: str) -> dict[str, str]:
    """Return the headers that give a browser a session; an empty secret takes it away."""
    return {**FRESH, "set-cookie": write_cookie(secret, is_secure(connection))}


def need_own_origin(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Guard against other sites that use a browser's cookie here. A request with a cookie must come from a page of this
    host; one without a cookie is allowed to nobody in particular.

    Raises `Declined`: `foreign-origin`.
    """
    if not connection.headers.get("cookie"):
        return
    origins = connection.headers.getall("origin", [])
    hosts = connection.headers.getall("host", [])
    if not is_own_origin(origins, hosts, connection.url.scheme):
        raise Declined("foreign-origin", 403)


def post_by_page(path: str, kind: type[Any], *statuses: int, **options: Any) -> post:
    """Return the decorator of a call that only our own page may make, with a body of one kind. `statuses`: its refusals
    besides the general ones; `options`: as of Litestar's `post`.
    """
    settings = {"request_max_body_size": BODY_SIZE, **options}
    dto = Body[kind]  # type: ignore[valid-type] # Litestar makes the class at run time
    guards = [need_json, need_own_origin]
    return post(path, dto=dto, return_dto=None, guards=guards, responses=problems(*statuses), **settings)
