"""Runs a command with a temporary PostgreSQL, which is stopped and deleted when the command ends.

    python tools/postgres.py COMMAND...

The command finds the address in `GONFALON_TEST_DATABASE`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from gonfalon.server.trials.processes.postgres import Cluster, find_binaries


def main(command: list[str]) -> int:
    """Run the command. Return its status; 2 if there is no PostgreSQL or no command."""
    binaries = find_binaries()
    if binaries is None or not command:
        print("there is no PostgreSQL here" if command else __doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="gonfalon-postgres-") as folder:
        return run(command, binaries, Path(folder))


def run(command: list[str], binaries: Path, folder: Path) -> int:
    """Start the database, run the command, and return its status."""
    cluster = Cluster(binaries, folder)
    cluster.create()
    cluster.start()
    try:
        environment = {**os.environ, "GONFALON_TEST_DATABASE": cluster.make_database()}
        return subprocess.run(command, check=False, env=environment).returncode
    finally:
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
