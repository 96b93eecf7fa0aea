"""Helpers for matches of one person against the computer: begin, play on, give up and analyse them."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import numpy as np

import gonfalon
from gonfalon.server.match.handlers import decisions
from gonfalon.server.match.state import MatchState, attempt
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader
from server.harness import Client, Match, Server
from server.socketless import Table

HEADER = Header("m", "barrage", {}, (SeatHeader(secret=hash_secret("red")), SeatHeader(agent="listener")), 0, 120)


def begin(server: Server, rng: random.Random, variant: str = "barrage") -> tuple[Match, Client]:
    """Return a new match against the computer in which all pieces are placed and the person is to move. A Flag may fall
    at once; if the computer has won before the person is to move, start another match.
    """
    while True:
        match = server.match(("me", "random"), variant)
        red = match.sit("red")
        while not (red.over or (red.scene["started"] and red.due)):
            if red.due:
                red.decide(rng)
            red.next()
        if not red.over:
            red.quiet()
            return match, red


def turn(red: Client, *wanted: int) -> tuple[int, ...]:
    """Make a decision of the person, and receive messages until the person is due again or the match is over; return
    the decision's actions. `wanted`: the actions to take; where it ends, take the first choices.
    """
    done: list[int] = []
    while not red.over and (not done or red.updates[-1]["draft"]):
        known = len(red.updates)
        rest = list(wanted[len(done) :])
        actions = rest or (red.placements(random.Random(1)) if red.scene["arrange"] else [red.choices[0]["id"]])
        done += actions
        assert red.act(actions)["type"] == "stored"
        while len(red.updates) == known:
            red.next()
    while not (red.over or red.due):
        red.next()
    return tuple(done)


def follow(watcher: Client, red: Client) -> None:
    """Wait until a spectator has every message that the person has, including the end of the match, which shows the
    ranks.
    """
    while watcher.seq < red.seq or (red.over and not watcher.over):
        watcher.next()


def finished(server: Server, rng: random.Random, turns: int = 6) -> Match:
    """Return a match against the computer that the person gave up after some turns."""
    match, red = begin(server, rng)
    for _ in range(turns):
        if not red.over:
            turn(red)
    if not red.over:
        red.send("resign")
        red.until("ended")
    server.let_go()
    return match


def path_to(match: Match, side: str = "red") -> str:
    return match.server.url(f"/api/matches/{match.id}/analyses/{side}")


def analyse(match: Match, side: str = "red") -> list[dict[str, Any]]:
    """Request an analysis; return all its messages."""
    answer = httpx.post(path_to(match, side), timeout=240)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


# ---- without a server ------------------------------------------------------------------------------------------------


def sit(variant: str, agent: str) -> MatchState:
    seats = (SeatHeader(secret="x", maker=True), SeatHeader(agent=agent))
    return MatchState(Header("m", variant, {}, seats, 0, 120), gonfalon.make(variant))


def first(table: Table, player: int) -> int:
    return int(table.state.game.view(table.state.position, player).legal[0])


async def deploy(table: Table) -> None:
    """Deploy both sides at random. The computer player's deployment is stored as its own decision, not sent by a
    client.
    """
    await table.settle()
    game, rng = table.state.game, np.random.default_rng(6)
    actions = [int(action) for action in game.random_deployment(game.view(table.state.position, 1), rng)]
    await decisions.decide(table.match.match, 1, 0, actions, attempt(game, table.state.position, 1, actions))
    await table.sit(0)
    await table.act(0, *game.random_deployment(game.view(table.state.position, 0), rng))
