"""Helpers that all routes share: the service, the client's address, and the answers in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request
from litestar.connection import ASGIConnection
from litestar.openapi.datastructures import ResponseSpec

from gonfalon.server.net.addresses import network_of
from gonfalon.server.protocol.bodies import Problem
from gonfalon.server.service import Service

BODY_SIZE = 16_384
"""Maximum number of bytes of a request's body, except of records."""
FRESH = {"cache-control": "no-store"}
_WHY = {
    400: "What was sent cannot be used",
    401: "There is no session",
    403: "Not allowed, or the server is not known by this name",
    404: "There is none",
    409: "Not possible in the present state",
    413: "Too large",
    415: "The body does not say that it is JSON",
    422: "Too long to be shown",
    429: "Too many of one address",
    500: "An error of the server",
    503: "Too busy for now",
    507: "The server's disk is nearly full",
}
AnyRequest = Request[Any, Any, Any]
Connection = ASGIConnection[Any, Any, Any, Any]


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the error responses of a route, for the OpenAPI document."""
    return {s: ResponseSpec(Problem, generate_examples=False, description=_WHY[s]) for s in (400, 403, *statuses, 500)}


def encoded(kind: Any) -> dict[int, ResponseSpec]:
    """Return the response of a route that encodes its answer itself, for the OpenAPI document."""
    return {200: ResponseSpec(kind, generate_examples=False, description="Done")}


def find_service(connection: Connection) -> Service:
    """Return the service that all routes share."""
    service: Service = connection.app.state.service
    return service


def find_address(connection: Connection) -> str:
    """Return the client's address."""
    return connection.client.host if connection.client else ""


def find_network(connection: Connection) -> str:
    """Return the client's address, as limits count it."""
    return network_of(find_address(connection))


UNREADY = {503: ResponseSpec(str, generate_examples=False, media_type=MediaType.TEXT, description="Not ready")}
