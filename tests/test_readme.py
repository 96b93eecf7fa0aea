"""What the README shows in Python runs as it stands, and does what is said of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gonfalon.cli import main

README = Path(__file__).parents[1] / "README.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["by hand", "by agents"])
def test_a_program_runs(program: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Outcome(returns=(")


@pytest.mark.parametrize("variant", ["cardgame", "conquest-two"])
def test_the_first_one_plays_games_of_chance_too(variant: str, tmp_path: Path) -> None:
    changed = PROGRAMS[0].replace('"barrage", rescue=True', f'"{variant}"')
    assert changed != PROGRAMS[0]
    test_a_program_runs(changed, tmp_path)


def test_the_agent_enters_an_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(PROGRAMS[1], encoding="utf-8")
    short = ["--game", "duel", "--games", "2", "--time", "50", "--set", "max_turns=40"]
    assert main(["arena", "py:bot.py:Bot", "random", *short]) == 0
    assert "Bot against random: " in capsys.readouterr().out
