"""Matches that begin in the middle. This module makes up the moves and the draws of chance, and stores them as a server
does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import sqlalchemy as sa

import gonfalon
from gonfalon.engine.game import CHANCE
from gonfalon.engine.screens.scene import Choice
from gonfalon.games import ruleset
from gonfalon.server.config import Config
from gonfalon.server.protocol.secrets import hash_secret, new_id, new_secret
from gonfalon.server.storage.entries import AnyEntry, Header, Played, SeatHeader, Taken, pack
from server.harness import Match, Server

MOST_STEPS = 6000
Wish: TypeAlias = "Callable[[Story, np.ndarray[Any, Any]], int | None]"
"""Return the draw that chance makes; None for a random draw."""


class Story:
    """A match played in this process, random except for the wished draws."""

    def __init__(self, variant: str, seed: int, wish: Wish | None = None) -> None:
        self.game: Any = gonfalon.make(variant)
        self.state = self.game.initial_state()
        self.rng = np.random.default_rng(seed)
        self.wish = wish
        self.entries: list[AnyEntry] = [Taken(player) for player in range(self.game.info.players)]

    @property
    def mover(self) -> int:
        due: tuple[int, ...] = self.game.to_act(self.state)
        return due[0] if due else -2

    def choices(self, player: int) -> tuple[Choice, ...]:
        found: tuple[Choice, ...] = self.game.choices(self.game.view(self.state, player))
        return found

    def play(self, by: int, *actions: int) -> None:
        """Play one decision, or one draw of chance."""
        for action in actions:
            self.state = self.game.apply(self.state, by, action)
        self.entries.append(Played(by, tuple(int(action) for action in actions)))

    def go_on(self) -> None:
        """Play one decision of the player who is due, without cards, and an attack if possible."""
        by = self.mover
        if by == CHANCE:
            drawn, likely = self.game.chance_outcomes(self.state)
            wished = self.wish(self, drawn) if self.wish else None
            self.play(by, int(self.rng.choice(drawn, p=likely)) if wished is None else wished)
            return
        view = self.game.view(self.state, by)
        if self.game.scene(view).arrange is not None:
            self.play(by, *(int(action) for action in self.game.sensible_deployment(view, self.rng)))
            return
        choices = self.game.choices(view)
        for verb in ("decline", "attack"):
            wanted = [choice for choice in choices if choice.verb == verb]
            choices = wanted or choices
        self.play(by, choices[int(self.rng.integers(len(choices)))].id)

    def until(self, reached: Callable[[Story], bool]) -> bool:
        """Play until `reached` is true. Return whether that happened."""
        for _ in range(MOST_STEPS):
            if self.mover == -2:
                return False
            if self.mover != CHANCE and reached(self):
                return True
            self.go_on()
        return False


def store(server: Server, table: str, *rows: dict[str, Any]) -> None:
    """Write rows of a match that nobody has opened yet. The server owns the database, so this bypasses the server's
    `Store`, as if the rows had existed before.
    """
    settings = server.settings
    engine = sa.create_engine(Config(data=Path(settings["data"]), database=settings["database"]).url)
    columns = [sa.column(name) for name in rows[0]]
    with engine.begin() as connection:
        connection.execute(sa.insert(sa.table(table, *columns)), list(rows))
    engine.dispose()


def patient(server: Server, variant: str) -> Match:
    """Return a match for people in which nobody can claim a win while a test runs."""
    sides = ruleset(variant).facts.sides
    secrets = {side: new_secret() for side in sides}
    seats = tuple(SeatHeader(secret=hash_secret(secret)) for secret in secrets.values())
    header = Header(new_id(), variant, {}, seats, int(time.time()), claim_after=3600)
    store(server, "matches", {"id": header.id, "created": header.created, "header": pack(header)})
    return Match(server, header.id, secrets)


def staged(
    server: Server,
    variant: str,
    reached: Callable[[Story], bool],
    seats: tuple[str, ...],
    wish: Wish | None = None,
    seeds: int = 40,
) -> Match:
    """Return a match in the position that `reached` asks for, made with the first seed that leads to one."""
    for seed in range(seeds):
        story = Story(variant, seed, wish)
        if story.until(reached):
            match = server.match(seats, variant=variant)
            rows = [{"match": match.id, "place": i, "body": pack(entry)} for i, entry in enumerate(story.entries)]
            store(server, "log", *rows)
            return match
    raise AssertionError(f"{variant}: no such match by {seeds} seeds")
