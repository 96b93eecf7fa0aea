"""The programs of `examples/`, each for seconds. `make test-study` runs this folder."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

os.environ["JAX_PLATFORMS"] = "cpu"  # before JAX is imported

import gonfalon
from cli.terminal import fails, run
from gonfalon.server.config import Config
from gonfalon.server.own_agents import check_agents

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
sys.path.append(str(EXAMPLES))
PATHS = os.pathsep.join(str(ROOT / part) for part in ("src", "tests"))
"""For processes: the study's environment does not have the package itself."""


def call(name: str, *arguments: str, folder: Path) -> str:
    """Run an example as a user does; return its output."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": PATHS},
        timeout=250,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_play_counts_actions(tmp_path: Path) -> None:
    told = call("random_play.py", "--variant", "grid-6x6", "--matches", "32", "--seconds", "0.5", folder=tmp_path)
    actions = int(told.split()[0].replace(",", ""))
    assert actions > 1_000
    assert "red's mean return" in told


def test_a_policy_learns_and_plays_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short = ["--minutes", "0.3", "--every", "0.1", "--matches", "16", "--measured", "2", "--against", "random"]
    told = call("ppo.py", *short, folder=tmp_path)
    head, *rows = csv.reader(io.StringIO(told))
    assert head == ["minutes", "decisions", "random"]
    assert rows[-1] == ["Written to policy.npz"]
    decisions = [int(row[1]) for row in rows[:-1]]
    assert decisions[0] == 0
    assert decisions[-1] > 0
    assert all(0 <= float(row[2]) <= 1 for row in rows[:-1])
    monkeypatch.chdir(tmp_path)
    agent = f"py:{EXAMPLES / 'ppo.py'}:Learned"
    assert run(capsys, "arena", agent, "random", "--game", "grid-6x6", "--games", "2", "--time", "500")[0] == 0
    assert "does not play barrage" in fails(capsys, "arena", agent, "random", "--game", "barrage", "--games", "2")
    monkeypatch.setenv("PYTHONPATH", PATHS)
    (checked,) = check_agents([f"ppo={agent}"], Config(own_variants=(gonfalon.games.ruleset("grid-6x6"),)))
    assert checked.variants == ("grid-6x6",), "what `gonfalon serve --agent` offers on the page"


def test_advantages_are_those_of_who_acts() -> None:
    """Two steps by two players, of whom the second wins: its advantage is 1, that of the first nearly -1."""
    import numpy as np
    import ppo

    steps = ppo.STEPS
    shape = (steps, 1)
    rollout = ppo.Rollout(
        seen=np.zeros((steps, 1, 1), np.uint8),
        masks=np.ones((steps, 1, 1), np.bool_),
        actions=np.zeros(shape, np.int32),
        logs=np.zeros(shape, np.float32),
        values=np.zeros(shape, np.float32),
        players=np.arange(steps, dtype=np.int32)[:, None] % 2,
        rewards=np.zeros(shape, np.float32),
        ends=np.zeros(shape, np.bool_),
        counts=np.ones(shape, np.bool_),
    )
    rollout.rewards[1], rollout.ends[1] = 1.0, True
    found = ppo.find_advantages(rollout, np.full(1, 0.5, np.float32), np.zeros(1, np.int32))
    assert found[1, 0] == 1.0
    assert found[0, 0] == pytest.approx(-ppo.DISCOUNT * ppo.LAMBDA)
    assert found[2, 0] != 0, "the value after the last step reaches back to the second match"


def test_a_network_imitates_a_computer_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["selfplay", "--agent", "greedy", "--game", "grid-6x6", "--games", "30", "--time", "1", "--to", "npz"]
    assert run(capsys, *command, "--observations", "planes", "-o", "rows.npz")[0] == 0
    from imitation import imitate

    first, *_, last = imitate("rows.npz", minutes=0.1, every=1.0)
    assert last.log > first.log
    assert last.first > first.first


def test_the_smallest_game_has_the_value_of_the_table() -> None:
    from solve_small import KNOWN, solve

    for variant, value in KNOWN.items():
        first, last = solve(variant, most=10, enough=0.0, every=5)
        assert last.exploitability < first.exploitability
        assert abs(last.value - value) <= 2 * last.exploitability
