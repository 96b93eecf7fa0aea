"""The disk cache of compiled rules: it notices a changed helper in another file, and unchanged sources compile only
once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gonfalon
from gonfalon.engine.compiled import jit

PACKAGE = Path(gonfalon.__file__).parent
HELPER = """
from gonfalon.engine.compiled.jit import helper

@helper
def answer() -> int:
    return {value}
"""
ENTRY = """
from gonfalon.engine.compiled.jit import entry
from gonfalon.games.probe.helper import answer

@entry
def ask() -> int:
    return answer()
"""
ASK = """
import gonfalon.games.probe.rules as rules
print(rules.ask(), sum(rules.ask.stats.cache_hits.values()), sum(rules.ask.stats.cache_misses.values()))
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of engine and games with an added family of one rule; it has a compile cache of its own."""
    root = tmp_path / "gonfalon"
    quiet = shutil.ignore_patterns("__pycache__", "tests")
    for part in ("engine", "games"):
        shutil.copytree(PACKAGE / part, root / part, ignore=quiet)
    shutil.copy(PACKAGE / "__init__.py", root)
    probe = root / "games" / "probe"
    probe.mkdir()
    (probe / "__init__.py").write_text("", encoding="utf-8")
    (probe / "helper.py").write_text(HELPER.format(value=1), encoding="utf-8")
    (probe / "rules.py").write_text(ENTRY, encoding="utf-8")
    (probe / "data.toml").write_text("answer = 1\n", encoding="utf-8")
    return root


def run(root: Path, code: str = ASK, **more: str) -> str:
    return start(root, code, **more).stdout.strip()


def start(root: Path, code: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "GONFALON_"))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        # Python's own cache compares seconds and sizes, and a test may change a file twice in a second.
        env={**environment, "PYTHONPATH": str(root.parent), "PYTHONDONTWRITEBYTECODE": "1", **more},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def test_unchanged_rules_are_loaded_and_changed_ones_compiled_anew(copied: Path) -> None:
    assert run(copied) == "1 0 1"
    assert run(copied) == "1 1 0"
    (copied / "games" / "probe" / "helper.py").write_text(HELPER.format(value=2), encoding="utf-8")
    assert run(copied) == "2 0 1"
    assert run(copied) == "2 1 0"


def test_changed_data_is_noticed(copied: Path) -> None:
    assert run(copied) == "1 0 1"
    (copied / "games" / "probe" / "data.toml").write_text("answer = 2\n", encoding="utf-8")
    assert run(copied) == "1 0 1"


def test_another_family_is_compiled_on_its_own(copied: Path) -> None:
    assert run(copied) == "1 0 1"
    file = next((copied / "games" / "grid").rglob("*.py"))
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert run(copied) == "1 1 0"


def test_a_changed_engine_is_noticed(copied: Path) -> None:
    assert run(copied) == "1 0 1"
    file = copied / "engine" / "view.py"
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert run(copied) == "1 0 1"


def test_processes_that_start_at_once_compile_once(copied: Path) -> None:
    """Each waits for the others at a line of input, so that all make their first call at the same moment."""
    wait = f"import sys, gonfalon.games.probe.rules\nprint('ready', flush=True); sys.stdin.readline()\n{ASK}"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "GONFALON_"))}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", wait],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**environment, "PYTHONPATH": str(copied.parent)},
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    told = [process.communicate()[0].strip() for process in processes]
    assert sorted(told) == ["1 0 1", "1 1 0", "1 1 0"]


def test_uncompiled_rules_load_no_compiler(copied: Path) -> None:
    code = "import sys, gonfalon.games.probe.rules as r; print(r.ask(), 'numba' in sys.modules)"
    assert run(copied, code, GONFALON_PLAIN="1") == "1 False"


def test_without_a_writable_folder_rules_are_compiled_and_one_line_says_so(copied: Path) -> None:
    (copied / "games" / "probe" / "__pycache__").touch()  # no folder, so nobody can write there, not even root
    code = "import gonfalon.games.probe.rules as r, gonfalon.games.probe.more as m; print(r.ask(), m.ask())"
    (copied / "games" / "probe" / "more.py").write_text(ENTRY, encoding="utf-8")
    file = copied / "no-folder"
    file.touch()
    done = start(copied, code, XDG_CACHE_HOME=str(file), HOME=str(file))
    assert done.stdout == "1 1\n"
    assert done.stderr.count("NUMBA_CACHE_DIR") == done.stderr.count("\n") == 1


def test_a_changed_battle_is_fought(copied: Path) -> None:
    """A real game's rule is recompiled, although its entry is in another file than the changed constant."""
    code = "from gonfalon.games.grid.probe import ask\nprint(ask())"
    battles = copied / "games" / "grid" / "rules" / "battle.py"
    (copied / "games" / "grid" / "probe.py").write_text(
        "from gonfalon.engine.compiled.jit import entry\nfrom gonfalon.games.grid.rules.battle import turned\n\n\n"
        "@entry\ndef ask() -> int:\n    return turned()\n",
        encoding="utf-8",
    )
    source = battles.read_text(encoding="utf-8")
    for value in (5, 6):
        battles.write_text(f"{source}\n\n@helper\ndef turned() -> int:\n    return {value}\n", encoding="utf-8")
        assert run(copied, code) == str(value)


WIDE = """
import numpy as np
from gonfalon.engine.compiled.jit import Records, entry, helper

@helper
def difference(one: int, other: int) -> int:
    return one - other

@entry
def ask(batch: Records) -> int:
    s = batch[0]
    return difference(s.small, s.large) + difference(s.large, 7) + difference(1, s.small)
"""
ASK_WIDE = """
import numpy as np
import gonfalon.games.probe.rules as rules
rows = np.array([(3, 5)], [("small", "u1"), ("large", "u2")])
print(rules.ask(rows), len(rules.difference.signatures))
"""


def test_a_helper_is_compiled_once_for_whole_numbers_of_all_sizes(copied: Path) -> None:
    """Small unsigned fields become signed arguments of a helper, as they are without compiling."""
    (copied / "games" / "probe" / "rules.py").write_text(WIDE, encoding="utf-8")
    assert run(copied, ASK_WIDE) == "-6 1"
    assert run(copied, ASK_WIDE.replace(", len(rules.difference.signatures)", ""), GONFALON_PLAIN="1") == "-6"


def test_the_stamp_is_a_hash_of_the_rules_and_data_of_one_family() -> None:
    one, other = (jit.source_stamp(PACKAGE / "games" / name) for name in ("grid", "__init__.py"))
    assert len(one) == len(other) == 64
    assert one != other
