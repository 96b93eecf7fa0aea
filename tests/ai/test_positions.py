"""Positions that test agents: their format, when they count as solved, and the files in bench/positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.terminal import fails, run
from gonfalon.ai.arena.positions import Position, PositionError, Setting, put_positions, read_positions

FOLDER = Path(__file__).parents[2] / "bench" / "positions"
STATE = """barrage
turn 30 quiet 1
10 ..  ..  ..  ..  bF  ..  ..  ..  ..  ..
 9 ..  ..  ..  ..  bB  ..  ..  ..  ..  ..
 8 b2' ..  ..  ..  ..  ..  ..  ..  ..  ..
 7 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 6 ..  ..  ~~  ~~  ..  ..  ~~  ~~  ..  ..
 5 ..  ..  ~~  ~~  ..  ..  ~~  ~~  ..  ..
 4 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 3 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 2 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 1 rF  rB  ..  ..  ..  ..  ..  r9' ..  ..
"""
NEAR = STATE.replace("bF  ..", "bF  r2'")
"""The position with a Scout beside Blue's Flag."""
ONLY = {"name": "x", "kind": "k", "variant": "barrage", "player": "red", "reason": "r", "state": STATE}
MOVES = ("h1-g1", "h1-i1", "h1-h2")
"""All moves that red has."""


def setting_of(**changes: object) -> Setting:
    return Setting(Position(**{**ONLY, **changes}))  # type: ignore[arg-type]


def share_of(setting: Setting) -> float:
    (tried,) = put_positions(["random"], [setting], 0.1, 12)
    assert tried.tries == 12
    assert set(tried.answers) <= set(MOVES)
    return tried.solved / tried.tries


def test_what_is_solved_and_what_is_refused() -> None:
    assert share_of(setting_of(solved=MOVES)) == 1
    assert share_of(setting_of(refused=MOVES)) == 0
    one = share_of(setting_of(solved=MOVES[:1]))
    assert 0 < one < 1
    assert share_of(setting_of(refused=MOVES[:1])) == 1 - one


def test_endings_are_played() -> None:
    """In the first position nobody wins within two turns; in the second the Flag is captured at once."""
    (tried,) = put_positions(["random"], [setting_of(within=2, against="random")], 0.1, 2)
    assert tried.solved == 0
    assert NEAR != STATE
    (tried,) = put_positions(["greedy"], [setting_of(state=NEAR, within=3, against="random")], 0.1, 2)
    assert tried.solved == 2
    assert tried.answers == ("won in 1 turns",)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, "solved, or refused"),
        ({"solved": MOVES, "refused": MOVES}, "solved, or refused"),
        ({"within": 3}, "solved, or refused"),
        ({"within": 3, "against": "nobody"}, "no agent"),
        ({"solved": ("h1-h4",)}, "x: "),
        ({"solved": ("nonsense",)}, "no action"),
        ({"solved": MOVES, "player": "blue"}, "x: "),
        ({"solved": MOVES, "player": "green"}, "x: "),
        ({"solved": MOVES, "variant": "chess"}, "no variant"),
        ({"solved": MOVES, "state": "barrage"}, "x: "),
        ({"solved": MOVES, "switches": {"no": True}}, "x: "),
    ],
)
def test_mistakes(changes: dict[str, object], fault: str) -> None:
    with pytest.raises(PositionError, match=fault):
        setting_of(**changes)


def test_mistakes_of_files(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    for text, fault in (("x =", "a.toml"), ("[[position]]\nname = 1", "a.toml"), ("[[position]]\nmore = 1", "a.toml")):
        path.write_text(text)
        with pytest.raises(PositionError, match=fault):
            read_positions([path])
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in ONLY.items())
    path.write_text(f"[[position]]\n{lines}\n" * 2)
    with pytest.raises(PositionError, match="two positions"):
        read_positions([path])


def test_the_files_are_sound() -> None:
    """Every position in the files can be set up and has a reason."""
    found = read_positions(sorted(FOLDER.glob("*.toml")))
    assert len(found) >= 10
    for position in found:
        Setting(position)
        assert position.reason.endswith(".")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "positions", "random", "--folder", str(FOLDER), "--tries", "1")
    assert code == 0
    assert "random, grid: " in out
    assert "guard-the-flag: " in out
    code, out, _ = run(capsys, "positions", "random", "--folder", str(FOLDER), "--tries", "1", "--json")
    assert {each["family"] for each in json.loads(out)} >= {"grid"}
    assert "nobody" in fails(capsys, "positions", "nobody", "--folder", str(FOLDER))
    assert "no files" in fails(capsys, "positions", "random", "--folder", "nowhere")
    assert "a program plays matches" in fails(capsys, "positions", "cmd:true", "--folder", str(FOLDER))


def test_an_agent_of_ones_own_is_put_them_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that fails has not solved that position, and still gets the other positions."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(
        "from gonfalon.ai.greedy import GreedyAgent as Good\n\n"
        "class Bad:\n    name = 'bad'\n    def act(self, game, question, rng): return [1 // 0]\n",
        encoding="utf-8",
    )
    given = "".join(f"{key} = {json.dumps(value)}\n" for key, value in {**ONLY, "solved": MOVES}.items())
    ending = {**ONLY, "name": "y", "state": NEAR, "within": 3, "against": "random"}
    given += "[[position]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in ending.items())
    Path("own.toml").write_text(f"[[position]]\n{given}", encoding="utf-8")
    asked = ("positions", "py:own.py:Good", "py:own.py:Bad", "--folder", ".", "--tries", "1")
    _, out, _ = run(capsys, *asked)
    assert "py:own.py:Good, grid: 100% of 2" in out
    assert "py:own.py:Bad, grid: 0% of 2" in out
    assert out.count("raised: ZeroDivisionError") == 2
