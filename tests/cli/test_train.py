"""`gonfalon train`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cli.terminal import fails, run
from gonfalon import variants
from gonfalon.games import training

pytestmark = pytest.mark.usefixtures("elsewhere")

SHORT = ("train", "--game", "barrage", "--time", "20")


def test_it_plays_and_says_what_was_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = training("barrage")
    assert trainer is not None
    data = tmp_path / "worth.toml"
    data.write_text("# A head.\n\n[barrage]\nspy = 9000\n\n[original]\nminer = 7\n", encoding="utf-8")
    monkeypatch.setattr(trainer, "LEARNED", data)
    code, out, err = run(capsys, *SHORT, "--games", "4", "--keep")
    assert code == 0, err
    assert re.search(r"\d+ turns of \d+ matches; nats on those left out: [0-9.]+ without, [0-9.]+ with", out)
    assert re.search(r"^scout +[+-]\d+ points: ", out, re.MULTILINE)
    kept = data.read_text(encoding="utf-8")
    assert kept.startswith("# A head.\n\n[")
    assert "spy = 9000" not in kept
    assert all(tomllib.loads(kept).values()), "a section without points"
    assert kept.endswith("\n\n[original]\nminer = 7\n")
    (folder,) = (tmp_path / "gonfalon-arena").iterdir()
    before = {path: path.read_bytes() for path in sorted((folder / "records").iterdir())}
    again = run(capsys, *SHORT, "--games", "4")[1]
    assert again.splitlines()[-5:] == out.splitlines()[-6:-1]  # no match is played again, and the result is the same
    assert {path: path.read_bytes() for path in sorted((folder / "records").iterdir())} == before


def test_who_cannot_learn_is_told_who_can(capsys: pytest.CaptureFixture[str]) -> None:
    able = [variant for variant in variants() if training(variant) is not None]
    err = fails(capsys, "train", "--game", "cardgame")
    assert "cardgame does not learn from matches" in err
    assert ", ".join(able) in err
    assert "no game 'chess'" in fails(capsys, "train", "--game", "chess")


def test_lessons_of_house_rules_are_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = fails(capsys, *SHORT, "--set", "rescue=true", "--keep")
    assert "--keep does not work with --set" in err
    assert not (tmp_path / "gonfalon-arena").exists()
