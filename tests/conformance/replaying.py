"""Replays matches and reads texts, in this process or in another (`python -m conformance.replaying` with jobs on
stdin).

The output depends only on the rules, so compiled, uncompiled and bounds-checked rules can be compared.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import numpy as np

import gonfalon
from conformance.cases import Case, all_observers, deployed, game_of, play
from conformance.strange import is_read
from gonfalon.engine.game import Game, State

TURNS = 80
"""Turns of a match after its deployment."""


class Job(msgspec.Struct):
    """A match as pairs (player, action), chance included, and texts, good and bad. It begins at `position`, where that
    is given, and is digested from step `start` on.
    """

    variant: str
    switches: dict[str, bool | int] = {}
    position: str = ""
    actions: tuple[tuple[int, int], ...] = ()
    start: int = 0
    texts: tuple[str, ...] = ()


def job_of(case: Case, seed: int) -> Job:
    """A match with fast deployments; the test checks only the last placement of each."""
    game, rng = game_of(case), np.random.default_rng([61, seed])
    steps = list(deployed(game, rng))
    start = len(steps) - 2
    steps += play(game, rng, TURNS, lively=0.5, state=steps[-1].after)
    actions = tuple((step.player, step.action) for step in steps)
    return Job(case.variant, dict(case.switches), actions=actions, start=start)


def fields(rows: np.ndarray[tuple[int, ...], np.dtype[np.void]]) -> bytes:
    """The values of all fields, without the bytes between them."""
    return b"".join(rows[name].tobytes() for name in rows.dtype.names or ())


def digest(game: Game, state: State) -> str:
    """A digest of the state with its log, the legal lists, the possible draws and all views."""
    found = hashlib.sha256(fields(state))
    for drawn in game.chance_outcomes(state):
        found.update(drawn.tobytes())
    for player in range(game.info.players):
        found.update(game.legal_actions(state, player).tobytes())
    for observer in all_observers(game):
        found.update(fields(game.view(state, observer).record))
    return found.hexdigest()[:16]


def trace(job: Job) -> list[str]:
    """A digest of `position` and of each step, and for each text whether it was read. What was read is then used in
    every way.
    """
    game = game_of(Case(job.variant, tuple(job.switches.items())))
    state = game.parse_state(job.position) if job.position else game.initial_state()
    told = [digest(game, state)] if job.position else []
    for number, (player, action) in enumerate(job.actions):
        state = game.apply(state, player, action)
        if number >= job.start:
            told.append(digest(game, state))
    rng = np.random.default_rng(71)
    return told + ["read" if is_read(game, text, rng) else "refused" for text in job.texts]


def trace_elsewhere(jobs: list[Job], **environment: str) -> list[list[str]]:
    """`trace` of each job in another process with these variables set."""
    paths = [str(Path(gonfalon.__file__).parents[1]), str(Path(__file__).parents[1])]
    done = subprocess.run(
        [sys.executable, "-m", "conformance.replaying"],
        input=msgspec.json.encode(jobs),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return msgspec.json.decode(done.stdout, type=list[list[str]])


def trace_within_bounds(jobs: list[Job]) -> list[list[str]]:
    """`trace` of each job in a process where a kernel that leaves an array is an error."""
    # Numba's cache does not tell code with bounds checks from code without: these get a cache of their own.
    cache = Path(tempfile.gettempdir()) / f"gonfalon-bounds-{os.getuid()}"
    # Less optimization compiles sooner, and the code runs only once.
    return trace_elsewhere(jobs, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="1", NUMBA_CACHE_DIR=str(cache))


if __name__ == "__main__":
    read = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Job])
    sys.stdout.buffer.write(msgspec.json.encode([trace(job) for job in read]))
