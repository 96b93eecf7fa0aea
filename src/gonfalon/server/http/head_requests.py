"""`HEAD`: answered as `GET`, without the body (RFC 9110, 9.3.2)."""

from __future__ import annotations

from typing import Any

from gonfalon.server.net.http_connections import Application, Receive, Send


class HeadRequests:
    """ASGI application around another one, which sees `GET` in place of `HEAD`."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: dict[str, Any]) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET"}, receive, send_head)
