"""The library needs no module that only Linux and macOS have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BARE = """
import os, sys
for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules[name] = None
for name in ("geteuid", "getuid", "nice", "setsid", "killpg", "getpgid", "fork"):
    delattr(os, name)
"""
PLAY = """
if __name__ == "__main__":
    from gonfalon.cli import main
    folder = sys.argv[1]
    duel = ["arena", "random", "random", "--game", "duel", "--games", "2", "--folder", folder]
    played = main(duel)
    played += main(["replay", folder + "/records/000000.txt"])
    print(played, main(["serve", "--port", "0", "--data", folder]), main(["bench", "server"]))
"""


def test_a_match_is_played_without_the_modules_of_unix(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(BARE + PLAY, encoding="utf-8")
    command = [sys.executable, str(program), str(tmp_path / "arena")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout.endswith("0 2 2\n"), done.stderr[-3000:]
    assert done.stderr.count("the server runs on Linux and macOS only") == 2
