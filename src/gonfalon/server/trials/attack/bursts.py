"""Bursts: players of one address who all send at the same moment what their rate limits allow. For
`gonfalon bench server --attack`.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gonfalon.server.protocol.secrets import new_secret
from gonfalon.server.trials.attack.attackers import STRANGE, call, say, upgraded

VARIANT = "original"
WINDOWS = 8
"""Number of sockets of each seat."""
BURST, EVERY = 50, 3.0
"""Number of messages that each socket sends at once, and seconds between two bursts."""
RETRY = 0.02
"""Seconds between two requests for a rematch."""
BY_LINK: dict[str, Any] = {"seats": [{"kind": "me"}, {"kind": "person"}]}
ON_ONE_DEVICE: dict[str, Any] = {"seats": [{"kind": "me"}] * 2, "clock": {"kind": "bank", "bank": 10_800}}
SIZES = (16, 64, 192)
"""Number of sockets."""


def ask_for_remarks(deployment: Sequence[int]) -> bytes:
    """Return a burst of questions about a whole deployment."""
    return say(type="ask-remarks", actions=list(deployment)) * BURST


def draft_and_take_back(deployment: Sequence[int]) -> bytes:
    """Return a burst of drafts that are taken back at once."""
    draft = say(type="act", n=1, actions=list(deployment[:1]))
    return (draft + say(type="take-back")) * (BURST // 2)


def invite_again(_deployment: Sequence[int]) -> bytes:
    """Return a burst of new invitations."""
    return say(type="invite", side="blue") * BURST


def move_curtain(_deployment: Sequence[int]) -> bytes:
    """Return a burst of curtains that fall and lift; each of them shows everybody the clocks."""
    return (say(type="curtain", down=True) + say(type="curtain", down=False)) * (BURST // 2)


class Burst(NamedTuple):
    """`make`: makes the messages from the actions of a deployment; `wish`: part of the body for a new match."""

    make: Callable[[Sequence[int]], bytes]
    wish: dict[str, Any] = BY_LINK


BURSTS = {
    "remarks": Burst(ask_for_remarks),
    "drafts": Burst(draft_and_take_back),
    "invitations": Burst(invite_again),
    "curtains": Burst(move_curtain, ON_ONE_DEVICE),
}


def send_bursts(kind: Burst, sockets: int, port: int, _match: str) -> None:
    """Open `sockets` players' sockets on as few matches as possible, and let all send a burst at the same moment, again
    and again.
    """
    with contextlib.ExitStack() as opened, selectors.DefaultSelector() as ready:
        plugs: list[socket.socket] = []
        while len(plugs) < sockets:
            match, hellos, deployment = _make_match(port, kind.wish)
            burst = kind.make(deployment)
            for hello in (each for each in hellos for _ in range(WINDOWS)):
                plug = opened.enter_context(upgraded(port, match, hello, STRANGE))
                plug.setblocking(False)
                ready.register(plug, selectors.EVENT_READ)
                plugs.append(plug)
        while True:
            until = time.monotonic() + EVERY
            for plug in plugs:
                with contextlib.suppress(BlockingIOError):
                    plug.send(burst)
            while (left := until - time.monotonic()) > 0:
                for key, _ in ready.select(left):
                    _drop_input(key.fileobj)


def _drop_input(plug: object) -> None:
    assert isinstance(plug, socket.socket)
    with contextlib.suppress(OSError):
        while plug.recv(1 << 16):
            pass


def _make_match(port: int, wish: dict[str, Any]) -> tuple[str, list[bytes], list[int]]:
    """Return a new match, the `Hello` of each seat, and the actions of a deployment."""
    made = json.loads(call(port, "/api/matches", json.dumps({"variant": VARIANT, **wish})))
    arrange = json.loads(gzip.decompress(call(port, f"/api/games/{VARIANT}")))["arrange"]
    pieces = [piece["action"] for piece in arrange["pieces"] for _ in range(piece["count"])]
    hellos = [say(type="hello", secret=secret) for secret in made["secrets"].values()]
    hellos += [say(type="hello", secret=new_secret(), invitation=each) for each in made["invitations"].values()]
    return made["match"], hellos, pieces[: len(arrange["places"])]


def make_rematches(port: int, _match: str) -> None:
    """Make a match, resign it and agree to a rematch, again and again."""
    wish = {"variant": VARIANT, "seats": [{"kind": "me"}] * 2}
    made = json.loads(call(port, "/api/matches", json.dumps(wish)))
    match, keys = str(made["match"]), list(made["secrets"].values())
    while True:
        with contextlib.ExitStack() as opened:
            plugs = [
                opened.enter_context(upgraded(port, match, say(type="hello", secret=key), STRANGE)) for key in keys
            ]
            plugs[0].sendall(say(type="resign"))
            match, keys = _ask_until_ready(plugs)


def _ask_until_ready(plugs: Sequence[socket.socket]) -> tuple[str, list[str]]:
    """Ask for a rematch from both seats until it is made. Return its id and the secrets of its seats."""
    heard = [b""] * len(plugs)
    while True:
        for i, plug in enumerate(plugs):
            plug.settimeout(RETRY)
            plug.sendall(say(type="offer-rematch"))
            with contextlib.suppress(TimeoutError):
                heard[i] += plug.recv(1 << 16)
        ready = [re.search(rb'{"type":"rematch-ready"[^}]*}', each) for each in heard]
        if all(ready):
            made = [json.loads(each[0]) for each in ready if each]
            return made[0]["match"], [each["secret"] for each in made]
