"""Runs a command with a temporary PostgreSQL, which is stopped and deleted when the command ends.

    python tools/postgres.py COMMAND...

The command finds the address in `GONFALON_TEST_DATABASE`. Debian's `postgresql` suffices; no server needs to run. If
root starts this, the database runs as the user `postgres` or `nobody`, since PostgreSQL refuses to run as root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SETTINGS = {
    "listen_addresses": "",  # only a socket in the folder
    "max_connections": "300",
    "log_min_messages": "fatal",
}


def main(command: list[str]) -> int:
    """Run the command. Return its status; 2 if there is no PostgreSQL or no command."""
    binaries = find_binaries()
    if binaries is None or not command:
        print("there is no PostgreSQL here" if command else __doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="gonfalon-postgres-") as folder:
        return run(command, binaries, Path(folder))


def find_binaries() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`: version 15 if there is one, else the newest."""
    found = shutil.which("initdb")
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    folders.sort(key=lambda path: (path.parent.name == "15", path.parent.name))
    return folders[-1] if folders else Path(found).parent if found else None


def run(command: list[str], binaries: Path, folder: Path) -> int:
    """Start the database, run the command, and return its status."""
    owner = find_owner()
    if owner:
        shutil.chown(folder, owner["user"], owner["group"])

    def call(name: str, *arguments: str) -> None:
        subprocess.run([binaries / name, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=folder, **owner)

    data, log, socket = str(folder / "data"), str(folder / "log"), str(folder)
    settings = " ".join(f"-c {name}='{value}'" for name, value in SETTINGS.items())
    call("initdb", "-D", data, "-U", "gonfalon", "-A", "trust", "-E", "UTF8")
    call("pg_ctl", "-D", data, "-w", "-s", "-l", log, "-o", f"{settings} -k {socket}", "start")
    try:
        call("createdb", "-h", socket, "-U", "gonfalon", "gonfalon")
        url = f"postgresql+psycopg://gonfalon@/gonfalon?host={socket}"
        return subprocess.run(command, check=False, env={**os.environ, "GONFALON_TEST_DATABASE": url}).returncode
    finally:
        call("pg_ctl", "-D", data, "-w", "-s", "-m", "immediate", "stop")


def find_owner() -> dict[str, Any]:
    """Return the user as whom the database must run; empty for the present user."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    who = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
