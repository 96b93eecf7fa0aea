"""Builds the source archive and the wheel into `dist/`, checks them, and tries them in an empty environment.

    python tools/dist.py    # `make dist`

The environment is a new one in a temporary folder. pip installs the wheel there with what it depends on. The README's
programs run there with nothing of this tree on their path. The source archive must build a wheel with the same files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
LIBRARY = 3
"""Number of programs in the README that need the library alone; they come first."""


def main() -> int:
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(DIST))
    (wheel,), (archive,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(archive))
    with tempfile.TemporaryDirectory() as folder:
        check_archive(archive, wheel, Path(folder))
        try_wheel(wheel, Path(folder))
    print(f"Tried and ready: {wheel.relative_to(ROOT)}, {archive.relative_to(ROOT)}")
    return 0


def check_archive(archive: Path, wheel: Path, folder: Path) -> None:
    """Check that the source archive builds a wheel with the files of `wheel`, except the page, which would take
    minutes.
    """
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    run(*pip, "--wheel-dir", str(folder), str(archive), GONFALON_NO_PAGE="1")
    (again,) = folder.glob("*.whl")
    missing = set(list_files(wheel)) ^ set(list_files(again))
    if missing:
        sys.exit(f"the source archive builds another wheel; the difference is {', '.join(sorted(missing)[:5])}")


def list_files(wheel: Path) -> list[str]:
    """Return the names of the files in a wheel, without those of the page."""
    return [name for name in zipfile.ZipFile(wheel).namelist() if "/server/static/" not in name]


def try_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel into a new environment, and run programs and commands there."""
    run(sys.executable, "-m", "venv", str(folder / "venv"))
    bin_folder = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = str(bin_folder / "python")
    run(python, "-m", "pip", "install", "--quiet", str(wheel))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for number, program in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:LIBRARY], start=1):
        file = folder / f"program{number}.py"
        file.write_text(program, encoding="utf-8")
        run(python, "-I", str(file))
    run(str(bin_folder / "gonfalon"), "perft", "barrage", "1")


def run(*command: str, **more: str) -> None:
    """Run a command. End this program if it fails."""
    print("$", " ".join(command), flush=True)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(command, cwd=ROOT, env={**environment, **more}, check=False)
    if done.returncode:
        sys.exit(f"failed with {done.returncode}: {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main())
