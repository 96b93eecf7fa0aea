"""Check the README: its programs run unchanged, and its tree is the tree on disk."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gonfalon
from gonfalon.cli import main

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SHORT, *PROGRAMS, MANY, ENVIRONMENT = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["by hand", "by agents"])
def test_a_program_runs(program: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Outcome(returns=(")


def test_the_short_one_runs(tmp_path: Path) -> None:
    """The first code block stands above all other text, so it has exactly six lines."""
    assert len(SHORT.strip().splitlines()) == 6
    file = tmp_path / "program.py"
    file.write_text(SHORT, encoding="utf-8")
    assert subprocess.run([sys.executable, file], check=False).returncode == 0


@pytest.mark.parametrize("program", [MANY, ENVIRONMENT], ids=["batch", "environment"])
def test_a_program_without_an_outcome_runs(program: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_mypy_passes_the_programs_in_its_strict_mode(tmp_path: Path) -> None:
    files = []
    for number, program in enumerate((SHORT, *PROGRAMS, MANY, ENVIRONMENT)):
        files.append(tmp_path / f"program{number}.py")
        files[-1].write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=280)
    assert (done.returncode, done.stdout) == (0, f"Success: no issues found in {len(files)} source files\n")


def test_the_tree_is_the_tree_on_disk() -> None:
    (tree,) = re.findall(r"## The tree\n+```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    told = {line.split()[0] for line in tree.splitlines()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    files = [Path(name) for name in listed if name] or [path.relative_to(ROOT) for path in ROOT.rglob("*/*")]
    top = {path.parts[0] for path in files if len(path.parts) > 1 and not path.parts[0].startswith(".")} - {"src"}
    packages = {"/".join(path.parts[:3]) for path in files if path.parts[0] == "src" and len(path.parts) > 3}
    assert told == top | packages


def test_every_link_leads_to_a_file() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/**/*.md")):
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_changelog_begins_with_this_version() -> None:
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == gonfalon.__version__


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
