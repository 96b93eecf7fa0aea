"""Bounds for one address or for all strangers together, for `gonfalon bench server --attack`: what others get while one
address takes all it can, and the memory that the server holds for attackers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException

from gonfalon.server.trials.attack import attackers, bursts
from gonfalon.server.trials.processes.server import Trial

OTHER = "127.0.0.10"
"""Address of an honest client; the next ones belong to others."""
REPLAYS = 5
SPECTATORS = 200
"""Maximum number of spectators of a match."""
NEWCOMERS = 10
DEAF = 64
"""Number of sockets that never read."""
LOADED = 600
"""Number of matches that an attacker makes the server load."""
MAKING = 40.0, 20.0
"""Seconds until an attacker has used up the matches that it may make at once, and seconds of the measurement."""
RETURN = 12.0
"""Seconds after which the server has given the memory back that it held for slow clients."""


def share_replays(trial: Trial, match: str) -> None:
    """Ask for replays while an attacker takes all the places that it can get. Print how others fare."""
    text = attackers.call(trial.port, f"/api/matches/{match}/record", source=OTHER).decode()
    waits, refused = list[float](), 0
    for number in range(REPLAYS):
        named = text.replace("\n\n", f"\nplayer red: honest {number}\n\n", 1)
        began = time.perf_counter()
        answer = attackers.call(trial.port, "/api/replays", json.dumps({"text": named}), OTHER)
        refused += b"replays-busy" in answer
        waits.append(time.perf_counter() - began)
    print(f"replays beside the attack: {refused} of {REPLAYS} refused, at most {max(waits):.1f} s for one")


def share_spectators(trial: Trial, match: str) -> None:
    """Let one address fill a match with spectators, then let others come. Print how many of them may watch."""
    with contextlib.ExitStack() as all_of_them:
        for _ in range(SPECTATORS):
            plug = all_of_them.enter_context(attackers.upgraded(trial.port, match, attackers.HELLO, attackers.STRANGE))
            plug.recv(1)
        welcome = 0
        for number in range(NEWCOMERS):
            source = f"127.0.0.{10 + number}"
            plug = all_of_them.enter_context(attackers.upgraded(trial.port, match, attackers.HELLO, source))
            welcome += b'"welcome"' in plug.recv(200)
    print(f"{SPECTATORS} spectators of one address: {welcome} of {NEWCOMERS} others may watch")


def stuff_deaf(trial: Trial, match: str) -> None:
    """Open sockets that send requests and never read the answers. Print the memory that the server holds for them."""
    piece = attackers.say(type="hello", **{"x" * 200: 1}) * 100
    before = most = trial.read_memory()
    with contextlib.ExitStack() as all_of_them:
        plugs = [all_of_them.enter_context(_open_deaf(trial.port, match)) for _ in range(DEAF)]
        with ThreadPoolExecutor(1) as threads:
            sending = threads.submit(_send_all, plugs, piece)
            while not sending.done():
                most = max(most, trial.read_memory())
                time.sleep(0.1)
        sent = sending.result()
    time.sleep(RETURN)
    after = trial.read_memory()
    print(
        f"{DEAF} sockets that never read sent {sent / 1e6:.0f} MB: {most - before:+.0f} MB in the server at most, "
        f"{after - before:+.0f} MB after {RETURN:.0f} s"
    )


@contextlib.contextmanager
def _open_deaf(port: int, match: str) -> Iterator[socket.socket]:
    """Open the socket of a spectator for which the system keeps few unread bytes."""
    with attackers.upgraded(port, match, attackers.HELLO, attackers.STRANGE, 4_096) as plug:
        plug.settimeout(0.2)
        yield plug


def _send_all(plugs: list[socket.socket], piece: bytes) -> int:
    """Send on all sockets in turn until the server has closed them or reads no more of any. Return the bytes sent."""
    sent, left = 0, list(plugs)
    while left:
        before = sent
        for plug in tuple(left):
            try:
                for _ in range(6):
                    sent += plug.send(piece)
            except TimeoutError:
                pass
            except OSError:
                left.remove(plug)
        if sent == before:
            break
    return sent


def load_matches(trial: Trial) -> None:
    """Make many matches and ask for each of them. Print how many stay in memory."""
    wish = {"variant": "barrage", "seats": [{"kind": "person"}] * 2}
    names = [trial.request("/api/matches", wish)["match"] for _ in range(LOADED)]
    before, most = trial.read_memory(), 0
    for number, name in enumerate(names):
        with contextlib.suppress(OSError, HTTPException):
            attackers.call(trial.port, f"/api/matches/{name}")
        if number % 50 == 0 or name is names[-1]:
            most = max(most, int(trial.read_metric("gonfalon_matches")))
    grown = trial.read_memory() - before
    print(f"{LOADED} matches loaded by requests: {most} in memory at most, {grown:+.0f} MB")


def count_new_matches(trial: Trial) -> None:
    """Print the number of matches a second that an attacker makes."""
    wait, seconds = MAKING
    time.sleep(wait)
    before = asyncio.run(trial.list_matches())
    time.sleep(seconds)
    made = len(asyncio.run(trial.list_matches())) - len(before)
    print(f"rematches of one address: {made / seconds:.1f} matches/s")


async def find_longest_log(trial: Trial) -> None:
    """Print the number of entries of the longest log of a match that has not begun."""
    entries = [each.entries for each in await trial.list_matches() if each.header.variant == bursts.VARIANT]
    print(f"invitations and drafts: at most {max(entries)} entries in the log of a match")
