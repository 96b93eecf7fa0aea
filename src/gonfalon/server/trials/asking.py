"""Clients of trials that play against the computer, and measure their waits for it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from websockets.asyncio.client import ClientConnection

from gonfalon.server.trials.processes.server import Trial
from gonfalon.server.trials.speed import Client, Heard, Tally


class Answers(Tally):
    """Waits in seconds: from a person's act, or the computer's previous act, to the computer's next act."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: dict[Asker, float] = {}
        """Persons who can do nothing until the computer acts, and the time since when."""


class Asker(Client):
    """A person who plays random moves against the computer."""

    def __init__(self, port: int, match: str, invitation: str, answers: Answers, pause: float) -> None:
        super().__init__(port, match, invitation, answers, pause)
        self._answers = answers
        self._side = ""
        self._since = 0.0
        """Time of the last event in the match."""

    async def play(self) -> None:
        """Deploy and play until the match is over."""
        try:
            await super().play()
        finally:
            self._answers.waiting.pop(self, None)

    async def _hear(self, ws: ClientConnection, heard: Heard) -> bool:
        self._side = heard.side or self._side
        if heard.type == "update":
            self._answers.waiting.pop(self, None)
            now = time.perf_counter()
            if self._scene["started"] and heard.by not in ("", self._side):  # no acts of chance, no own draft
                self._answers.note(now - self._since)
            self._since = now
        return await super()._hear(ws, heard)

    async def _decide(self, ws: ClientConnection, choices: list[dict[str, Any]]) -> None:
        if self._scene["started"] and not choices:
            self._answers.waiting[self] = self._since
        await super()._decide(ws, choices)

    async def _act(self, ws: ClientConnection, actions: list[int]) -> None:
        await super()._act(ws, actions)
        self._since = self._sent

    def _note_stored(self) -> None:
        pass


async def ask_on(trial: Trial, variant: str, agent: str, answers: Answers, pause: float) -> None:
    """Play matches one after another, one person against the computer, with a pause before each move of the person."""
    game = await asyncio.to_thread(trial.request, f"/api/games/{variant}")
    others = [{"kind": "agent", "agent": agent}] * (game["card"]["players"] - 1)
    wish = {"variant": variant, "seats": [{"kind": "person"}, *others]}
    while True:
        made = await asyncio.to_thread(trial.request, "/api/matches", wish)
        (guest,) = made["invitations"].values()
        await Asker(trial.port, made["match"], guest, answers, pause).play()
