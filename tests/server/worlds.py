"""Two worlds: matches that differ only in what one player cannot know."""

from __future__ import annotations

import json
import random
from typing import Any

from server.harness import Match, Server


def hear_world(server: Server, blues: Server, seed: int) -> list[list[dict[str, Any]]]:
    """Return what blue and a spectator get in a match in which red deploys by a seed. `blues`: the server to which both
    connect.
    """
    match = server.match()
    away = Match(blues, match.id, match.secrets)
    away.invitations, away.secrets = match.invitations, match.secrets
    red, blue, watcher = match.sit("red"), away.sit("blue"), away.sit()
    actions = red.placements(random.Random(5))
    marker = [p["action"] for p in red.scene["arrange"]["pieces"] if p["face"]]
    order = [a for a in actions if a in marker]
    random.Random(seed).shuffle(order)
    fill = iter(order)
    red.act([next(fill) if a in marker else a for a in actions])
    blue.deploy(random.Random(9))
    for client in (blue, watcher):
        while client.seq < 2:
            client.next()
        client.quiet()
    return [[_leave_public(frame) for frame in client.raw] for client in (blue, watcher)]


def _leave_public(frame: str) -> dict[str, Any]:
    """Return a frame without the parts that differ from match to match."""
    message: dict[str, Any] = json.loads(frame)
    message.pop("match", None)
    return message
