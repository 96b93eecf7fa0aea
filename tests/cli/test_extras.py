"""Commands without the packages of the extras: those that can do without work, the others name the extra."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import gonfalon
from cli.terminal import fails, run
from gonfalon.cli.extras import EXTRAS, find_extra

SOURCE = Path(gonfalon.__file__).parents[1]
ALONE = f"""
import sys
for module in {[module for modules in EXTRAS.values() for module in modules]}:
    sys.modules[module] = None  # as if it were not installed
if __name__ == "__main__":
    from gonfalon.cli import main
    sys.exit(main())
"""
RECORD = "Gonfalon record 1\nvariant: duel\n\nred: resigns\n"


def run_alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that finds no package of an extra."""
    program = folder / "alone.py"
    program.write_text(ALONE, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(program), *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        cwd=folder,
        check=False,
        timeout=240,
    )


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--help"], "serve"),
        (["games"], "barrage"),
        (["games", "--json"], '"barrage"'),
        (["rules", "barrage", "--language", "de"], "## "),
        (["perft", "barrage", "1"], "1  "),
        (["map", "draw", "isle"], "isle.svg"),
        (["ablate", "--game", "barrage", "--list"], "%"),
        (["positions", "random", "--tries", "1", "--folder", "positions"], "random, grid: "),
        (["arena", "random", "random", "--game", "duel", "--games", "2", "--set", "max_turns=20"], "random against"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_that_need_no_extra(arguments: list[str], shown: str, tmp_path: Path) -> None:
    (tmp_path / "positions").mkdir()
    (tmp_path / "positions" / "one.toml").write_text(
        next((SOURCE.parent / "bench" / "positions").glob("*.toml")).read_text(encoding="utf-8"), encoding="utf-8"
    )
    done = run_alone(tmp_path, *arguments)
    assert (done.returncode, shown in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["serve", "--port", "0"], "play"),
        (["play", "barrage"], "play"),
        (["replay", "record.txt"], "play"),
        (["matches", "list"], "play"),
        (["ratings", "rebuild"], "play"),
        (["bench", "server"], "play"),
        (["bench", "kills"], "play"),
        (["bench", "soak"], "play"),
        (["arena", "random", "random", "--game", "duel", "--plot", "shares.png"], "plot"),
        (["arena", "random", "random", "--game", "duel", "--ray", "auto"], "cluster"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_other_commands_name_the_extra(arguments: list[str], extra: str, tmp_path: Path) -> None:
    (tmp_path / "record.txt").write_text(RECORD, encoding="utf-8")
    done = run_alone(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert f"needs the extra `{extra}` (" in done.stderr
    assert done.stderr.endswith(f": pip install 'gonfalon[{extra}]'\n")


def test_a_database_whose_driver_is_missing_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    told = fails(capsys, "matches", "list", "--database", "postgresql+psycopg://someone:secret@localhost/name")
    assert "this database needs the extra `postgres` (psycopg is missing): pip install 'gonfalon[postgres]'" in told
    assert "secret" not in told


def test_a_package_that_is_missing_later_is_named_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> int:
        raise ModuleNotFoundError(name="rich.console")

    monkeypatch.setattr("gonfalon.cli.listing.games", fail)
    code, _, told = run(capsys, "games")
    assert (code, told) == (
        2,
        "gonfalon: this command needs the extra `play` (rich.console is missing): pip install 'gonfalon[play]'\n",
    )
    monkeypatch.setattr("gonfalon.cli.listing.games", lambda _: __import__("no_module_of_ours"))
    with pytest.raises(ModuleNotFoundError):
        run(capsys, "games")


def test_the_table_of_extras_is_that_of_the_project() -> None:
    project = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    offered = project["optional-dependencies"]
    distributions = packages_distributions()
    for extra, modules in EXTRAS.items():
        wanted = {_normalize(re.split(r"[\[><=;]", each)[0]) for each in offered[extra]} - {"gonfalon"}
        named = {distributions.get(module, [module.replace("pyspiel", "open_spiel")])[0] for module in modules}
        assert wanted == set(map(_normalize, named)), extra
    assert find_extra("babel.numbers") == "play"
    assert find_extra("numpy") == find_extra(None) == ""


def _normalize(name: str) -> str:
    return name.lower().replace("_", "-")


def test_the_library_needs_three_packages() -> None:
    project = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {re.split("[><=]", each)[0] for each in project["dependencies"]} == {"numpy", "numba", "msgspec"}
