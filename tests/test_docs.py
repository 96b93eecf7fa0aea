"""Check the documentation: its programs run in the order of each page, its commands have these options, and the
notebook's cells run.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gonfalon.cli import _make_parser
from gonfalon.cli.language.helping import Helper

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
NOTEBOOK = ROOT / "examples" / "first_steps.ipynb"
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?: {4})?(?:\.venv/bin/)?gonfalon (?!--)(.*)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block. `python` goes on where the block before it ended; with a title it is a file of its own. `sh` has
    commands that take little time; longer ones stand in indented blocks, which are not run.
    """

    language: str
    title: str
    text: str


def read_blocks(page: Path) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(page.read_text(encoding="utf-8"))]


def join_program(page: Path) -> str:
    """Return the programs of a page as one."""
    return "".join(block.text for block in read_blocks(page) if block.language == "python" and not block.title)


def make_steps(page: Path) -> str:
    """Return a program that does everything that a page says: programs, files and commands, in their order."""
    steps = ["import subprocess, sys\n"]
    for language, title, text in read_blocks(page):
        if title:
            steps.append(f"open({title!r}, 'w', encoding='utf-8').write({text!r})\n")
        elif language == "python":
            steps.append(text)
        elif language == "sh":
            commands = [shlex.split(line) for line in text.splitlines()]
            assert all(words[0] == "gonfalon" for words in commands)
            steps += [
                f"subprocess.run([sys.executable, '-m', 'gonfalon', *{words[1:]}], check=True)\n" for words in commands
            ]
    return "".join(steps)


with_programs = pytest.mark.parametrize(
    "page", [page for page in PAGES if read_blocks(page)], ids=lambda page: page.name
)


@with_programs
def test_a_page_can_be_followed(page: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(make_steps(page), encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_program_that_fails_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```python\nassert x == 2\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        test_a_page_can_be_followed(page, tmp_path)


def test_mypy_passes_the_programs_in_its_strict_mode(tmp_path: Path) -> None:
    files = []
    for page in PAGES:
        programs = [join_program(page), *(block.text for block in read_blocks(page) if block.title.endswith(".py"))]
        for number, program in enumerate(filter(None, programs)):
            files.append(tmp_path / f"{page.stem}_{number}.py")
            files[-1].write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=280)
    assert (done.returncode, done.stdout) == (0, f"Success: no issues found in {len(files)} source files\n")


COMMANDS = [
    pytest.param(line, id=f"{page.name}: {line[:40]}")
    for page in (ROOT / "README.md", *PAGES)
    for line in COMMAND.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_has_these_options(line: str) -> None:
    """The words in capitals, such as FILE, stand for those of the reader."""
    assert _make_parser(Helper("en")).parse_args(shlex.split(line, comments=True)).run


def test_an_unknown_option_is_noticed() -> None:
    with pytest.raises(SystemExit):
        test_a_command_has_these_options("selfplay --agent level-5 --gmae barrage")


# ---- the notebook ------------------------------------------------------------------------------------------------


def read_cells() -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return cells


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell. Return the value of its last line, as a notebook shows it; None if that line is no expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NOTEBOOK.name, "exec"), names)
    return None if last is None else eval(ast.unparse(last), names)


def test_the_cells_of_the_notebook_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    sources = ["".join(cell["source"]) for cell in read_cells() if cell["cell_type"] == "code"]
    shown = [run_cell(source, names) for source in sources]
    pictures = [value._repr_svg_() for value in shown if hasattr(value, "_repr_svg_")]
    assert len(pictures) == 4
    assert all(picture.startswith("<svg") for picture in pictures)
    assert "enemy" in capsys.readouterr().out


def test_the_notebook_stores_no_results() -> None:
    cells = [cell for cell in read_cells() if cell["cell_type"] == "code"]
    assert cells
    assert not [cell for cell in cells if cell["outputs"] or cell["execution_count"]]
