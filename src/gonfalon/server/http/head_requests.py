"""`HEAD`: answered as `GET`, without the body (RFC 9110, 9.3.2)."""

from __future__ import annotations

from litestar.types import ASGIApp, Message, Receive, Scope, Send


class HeadRequests:
    """ASGI application around another one, which sees `GET` in place of `HEAD`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        as_get: Scope = {**scope, "method": "GET"}  # type: ignore[typeddict-item]
        await self._app(as_get, receive, send_head)
