"""Check that the tools that make data and measure can be imported. Their results are checked when people use them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).parents[1] / "tools"
LOAD = "import runpy, sys; sys.path[:0] = sys.argv[1].split(':'); [runpy.run_path(path) for path in sys.argv[2:]]"


def test_every_tool_finds_what_it_imports() -> None:
    folders = (TOOLS, TOOLS / "data", TOOLS / "docs")
    tools = sorted(str(path) for folder in folders for path in folder.glob("*.py"))
    assert tools
    plain = {**os.environ, "GONFALON_PLAIN": "1"}  # one process imports all, and a tool changes constants of kernels
    command = [sys.executable, "-c", LOAD, ":".join(map(str, folders)), *tools]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=plain)
    assert done.returncode == 0, done.stderr
