"""`gonfalon bench library` beside PGX and OpenSpiel. `make test-study` installs both and runs this folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

os.environ["JAX_PLATFORMS"] = "cpu"  # before JAX is imported: the comparison is about processors

import jax
import pgx
import pyspiel  # noqa: F401 - a missing library would only be a line of the table

from cli.terminal import run
from gonfalon.cli.measure import library


def test_everything_of_the_study_is_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(library, "RUN", 0.02)
    plot = tmp_path / "rates.svg"
    code, out, _ = run(capsys, "bench", "library", "--variant", "tiny", "--json", "--plot", str(plot))
    assert code == 0
    rows = {row["name"]: row for row in json.loads(out)["rows"]}
    assert len(rows) == len(library.CONTENDERS)
    for name in ("single steps", "batch, random play", "dark chess", "go 9x9, many at once"):
        assert not rows[name]["missing"]
        assert rows[name]["cpu"] > 0
        assert rows[name]["wall"] > 0
    assert rows["single steps"]["ratio"] == 1
    assert "PGX" in plot.read_text(encoding="utf-8")


def test_pgx_plays_whole_matches_with_legal_actions() -> None:
    """The row of PGX restarts ended matches, and draws among legal actions only: an illegal one would end a match."""
    assert jax.default_backend() == "cpu"
    play = library.prepare_pgx("tiny")
    assert play(1) == 50 * library.MATCHES
    env = pgx.make("go_9x9")
    state = env.init(jax.random.PRNGKey(1))
    legal = np.asarray(state.legal_action_mask)
    assert legal.all()
    assert legal.shape == (82,)
