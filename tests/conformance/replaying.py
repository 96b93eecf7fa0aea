"""Replays matches and reads texts, in this process or in another one (`python -m conformance.replaying` with jobs on
stdin).

The output depends only on the rules. So compiled, uncompiled and bounds-checked rules can be compared.
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
"""Number of turns of a match after its deployment."""


class Job(msgspec.Struct):
    """A match as pairs (player, action), including chance, and texts, valid and invalid. The match begins at
    `position`, if given. Digests are made from step `start` on.
    """

    variant: str
    switches: dict[str, bool | int] = {}
    position: str = ""
    actions: tuple[tuple[int, int], ...] = ()
    start: int = 0
    texts: tuple[str, ...] = ()


def job_of(case: Case, seed: int) -> Job:
    """Return a match with fast deployments, of which the test checks only the last placement."""
    game, rng = game_of(case), np.random.default_rng([61, seed])
    steps = list(deployed(game, rng))
    start = len(steps) - 2
    steps += play(game, rng, TURNS, lively=0.5, state=steps[-1].after)
    actions = tuple((step.player, step.action) for step in steps)
    return Job(case.variant, dict(case.switches), actions=actions, start=start)


def fields(rows: np.ndarray[tuple[int, ...], np.dtype[np.void]]) -> bytes:
    """Return the values of all fields, without the padding bytes between them."""
    return b"".join(rows[name].tobytes() for name in rows.dtype.names or ())


def digest(game: Game, state: State) -> str:
    """Return a digest of the state with its log, the legal lists, the possible draws and all views."""
    found = hashlib.sha256(fields(state))
    for drawn in game.chance_outcomes(state):
        found.update(drawn.tobytes())
    for player in range(game.info.players):
        found.update(game.legal_actions(state, player).tobytes())
    for observer in all_observers(game):
        found.update(fields(game.view(state, observer).record))
    return found.hexdigest()[:16]


def trace(job: Job) -> list[str]:
    """Return a digest of `position` and of each step, and for each text whether it was accepted. Every accepted text is
    then used in all ways.
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
    """Return `trace` of each job, run in another process with these environment variables."""
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
    """Return `trace` of each job, run in a process where a kernel that leaves an array raises an error."""
    # Numba's cache does not distinguish code with bounds checks from code without, so use a separate cache.
    cache = Path(tempfile.gettempdir()) / f"gonfalon-bounds-{os.getuid()}"
    # With less optimization the code compiles faster, and it runs only once.
    return trace_elsewhere(jobs, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="1", NUMBA_CACHE_DIR=str(cache))


if __name__ == "__main__":
    read = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Job])
    sys.stdout.buffer.write(msgspec.json.encode([trace(job) for job in read]))
