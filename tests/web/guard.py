"""Watches every page for complaints in the console, errors, and requests to other hosts."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

UNKNOWN = "/no-such-page"
"""Address without a screen, which the server answers with 404. The console tells of it."""


class Guard:
    """Collects the complaints of all contexts. `allow` names expected complaints."""

    def __init__(self, origin: str) -> None:
        self.host = urlsplit(origin).netloc
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        self.requests = 0
        self.allowed = [f"404 (Not Found) ({origin.rstrip('/')}{UNKNOWN})"]

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(f"page error: {error.error}"))
        context.on("request", self._request)
        context.on("page", self._page)

    def allow(self, *parts: str) -> None:
        """Treat complaints that contain one of `parts` as expected."""
        self.allowed += parts

    def problems(self) -> list[str]:
        found = [c for c in self.complaints if not any(part in c for part in self.allowed)]
        return found + [f"a request went to {host}" for host in sorted(self.hosts)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        self._address(request.url)

    def _page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._address(socket.url))

    def _address(self, url: str) -> None:
        self.requests += 1
        address = urlsplit(url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != self.host:
            self.hosts.add(address.netloc)
