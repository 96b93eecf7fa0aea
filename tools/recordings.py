"""Records seeded matches between people in every variant, to compare two source trees byte for byte after a
refactoring.

    PYTHONHASHSEED=0 python tools/recordings.py FOLDER     in each tree, then: diff -r ONE OTHER

For each variant there are files with the frames of all seats, of a spectator and of a latecomer; with the stored log;
with the record; and with the replay. One more file holds a hash of views, events, scenes, choices and tensors of random
play in the library. The server runs with seeded secrets and a fixed time.
"""

from __future__ import annotations

import base64
import hashlib
import random
import sqlite3
import sys
import tempfile
from pathlib import Path

import msgspec
import numpy as np

import gonfalon
from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games import variants

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from server import harness

SEEDED = """
import base64, random, secrets, time
_draws = random.Random(11)
secrets.token_urlsafe = lambda size=32: base64.urlsafe_b64encode(_draws.randbytes(size)).rstrip(b"=").decode()
secrets.randbits = _draws.getrandbits
time.time = lambda: 1_700_000_000.0
"""
DECISIONS, STEPS = 160, 400
"""Maximum number of decisions of a match on the server, and of steps in the library."""


def record_library(variant: str, out: Path) -> None:
    """Write a hash of everything that observers get in a random match, and some of its positions as text."""
    game, rng = gonfalon.make(variant), np.random.default_rng(5)
    state, digest, texts = game.initial_state(), hashlib.sha256(), list[str]()
    observers = (*range(game.info.players), PUBLIC, EVERYTHING)
    for step in range(STEPS):
        if not (actors := game.to_act(state)):
            break
        player = actors[0]
        action = draw(game, state, rng) if player == CHANCE else int(rng.choice(game.view(state, player).legal))
        state = game.apply(state, player, action)
        for observer in observers:
            view = game.view(state, observer)
            digest.update(view.tobytes())
            shown = (game.events(action, state, observer), game.scene(view), game.choices(view))
            digest.update(msgspec.json.encode(shown))
            if observer != EVERYTHING:
                digest.update(game.encode(view).planes.tobytes())
        if step % 50 == 0:
            texts.append(game.state_text(state))
    (out / f"{variant}.library").write_text("\n".join([digest.hexdigest(), *texts]), encoding="utf-8")


def settle(client: harness.Client) -> bool:
    """Wait until the match has handled everything that a seat sent. Return whether the match is over."""
    client.send("give-name", name="x" * 50)
    while client.until("refused")["line"]["code"] not in ("name-too-long", "over"):
        pass
    client.quiet()
    return client.over


def play(match: harness.Match, clients: list[harness.Client], rng: random.Random) -> None:
    """Play random moves, with draw offers, questions and drafts taken back. If the match is not over at the end,
    resign.
    """
    for number in range(DECISIONS):
        for client in clients:
            client.quiet()
        mover = next((client for client in clients[:-1] if client.due), None)
        if mover is None:
            break
        if number % 37 == 36:
            mover.send("offer-draw")
            settle(mover)
        if number % 53 == 52:
            mover.send("why", path=["a1", "a2"])
            settle(mover)
        mover.act(mover.placements(rng) if mover.scene["arrange"] else [rng.choice(mover.choices)["id"]])
        if settle(mover):
            break
        if number % 29 == 28:
            mover.send("take-back")
            settle(mover)
    for client in clients[:-1]:
        client.quiet()
        if not client.over:
            client.send("resign")
            settle(client)
    late = match.sit(next(iter(match.secrets)), seq=3)
    for client in (*clients, late):
        client.quiet()
    clients.append(late)


def record_match(server: harness.Server, variant: str, out: Path) -> str:
    """Write frames, record and replay of one match. Return the match's id."""
    sides = len(gonfalon.make(variant).info.sides)
    match = server.match(("me", *["person"] * (sides - 1)), variant)
    clients = [*(match.sit(side) for side in match.secrets), match.sit()]
    play(match, clients, random.Random(variant))
    frames = [f"{k} {frame}" for k, client in enumerate(clients) for frame in client.raw if '"pong"' not in frame]
    (out / f"{variant}.frames").write_text("\n".join(frames), encoding="utf-8")
    for name in ("record", "replay"):
        (out / f"{variant}.{name}").write_text(server.get(f"/api/matches/{match.id}/{name}").text, encoding="utf-8")
    server.let_go()
    return match.id


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for variant in variants():
        record_library(variant, out)  # first, so that the server finds the rules compiled
    harness.SERVE = SEEDED + harness.SERVE
    guests = random.Random(3)
    vars(harness)["new_secret"] = lambda: base64.urlsafe_b64encode(guests.randbytes(24)).decode()
    with tempfile.TemporaryDirectory() as data:
        with harness.running(Path(data)) as server:
            ids = {variant: record_match(server, variant, out) for variant in variants()}
        database = sqlite3.connect(Path(data) / "matches.db")
        for variant, match in ids.items():
            headers = database.execute("SELECT header FROM matches WHERE id = ?", (match,))
            rows = database.execute("SELECT body FROM log WHERE match = ? ORDER BY place", (match,))
            (out / f"{variant}.log").write_bytes(b"\n".join(row[0] for row in (*headers, *rows)))
        database.close()


if __name__ == "__main__":
    main()
