"""Every byte that a seat's browser receives, against what really stood on the board.

What a seat may know of the other's pieces is worked out here from the finished match's record and the rules' text: who
fought, ran, used a power or came back. The server's own filter is not asked.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Response, WebSocket

import gonfalon
from gonfalon.engine.record import read_record
from gonfalon.engine.replay import replay
from gonfalon.games.grid.notation import parse_square
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.state import TYPE
from server.harness import Match, Server, play
from web.conftest import Browse
from web.setting import sit_at

STEPS = 150


class Ear:
    """All that a page receives."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        self.bodies: list[str] = []
        page.on("websocket", self._socket)
        page.on("response", self._response)
        self.responses: list[Response] = []

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def _response(self, response: Response) -> None:
        self.responses.append(response)

    def read(self) -> None:
        for response in self.responses:
            if "/api/" in response.url and response.request.method != "OPTIONS":
                self.bodies.append(response.text())
