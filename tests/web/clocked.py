"""A match whose clocks the test tells: a server's messages get a time control, and messages about clocks are added."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

BANK = {"kind": "bank", "bank": 900, "increment": 0, "delay": 3, "longest": 180, "deployment": 300}
TURN = {"kind": "turn", "turn": 60, "deployment": 300}
CORRESPONDENCE = {"kind": "correspondence", "days": 3}


def seat(side: str, left: float, runs: bool = False, free: float = 0, most: float | None = None) -> dict[str, Any]:
    """Return a clock as the server tells it; times in seconds here."""
    ends = 1000 * (free + left if most is None else most)
    times = {"left": int(1000 * left), "free": int(1000 * free), "most": int(ends) if runs else None}
    return {"side": side, "runs": runs, **times}


class Clockwork:
    """Clocks of one page. Make it before the page opens a match."""

    def __init__(self, page: Page, control: dict[str, Any], *seats: dict[str, Any], deadline: int = 0) -> None:
        self.control = control
        self.seats, self.deadline = seats, deadline
        self.curtains: list[bool] = []
        """Messages of the page about its curtain."""
        self._sockets: list[WebSocketRoute] = []
        self._is_cut = False
        page.route_web_socket(re.compile("/socket$"), self._connect)

    def say(self, *seats: dict[str, Any], deadline: int = 0) -> None:
        """Tell the clocks now, and again to each later connection."""
        self.seats, self.deadline = seats, deadline
        self._tell(self._sockets[-1])

    def cut(self) -> None:
        """End the connection, and let no other begin."""
        self._is_cut = True
        self._sockets[-1].close()

    def _tell(self, socket: WebSocketRoute) -> None:
        socket.send(json.dumps({"type": "clocks", "seats": self.seats, "deadline": self.deadline}))

    def _connect(self, socket: WebSocketRoute) -> None:
        if self._is_cut:
            socket.close()
            return
        server = socket.connect_to_server()
        self._sockets.append(socket)

        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            if "match" in message:
                message["match"]["clock"] = self.control
            socket.send(json.dumps(message))
            if message["type"] == "welcome":
                self._tell(socket)

        def to_server(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "curtain":
                self.curtains.append(message["down"])
            else:
                server.send(text)

        server.on_message(to_page)
        socket.on_message(to_server)
