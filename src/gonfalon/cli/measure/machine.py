"""Origin of measurements: the commit and the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import gonfalon


def describe_commit() -> str:
    """Return the commit of the source tree; `unknown` if there is no tree."""
    try:
        known = subprocess.run(
            ["git", "describe", "--always", "--dirty"],  # noqa: S607 - git as it is installed
            cwd=Path(gonfalon.__file__).parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except OSError:
        return "unknown"
    return known.stdout.decode().strip() or "unknown"


def describe_machine() -> str:
    """Return the processor, the number of cores, and versions, as text."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        named = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        processor = named[0] if named else processor
    versions = f"Python {platform.python_version()}, Numba {version('numba')}, NumPy {version('numpy')}"
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, {versions}"
