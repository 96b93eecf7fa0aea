"""A PostgreSQL server of one's own for trials and tests. Debian's `postgresql` suffices; no server needs to run.

If root starts it, it runs as the user `postgres` or `nobody`, since PostgreSQL refuses to run as root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path
from typing import Any

SETTINGS = {
    "listen_addresses": "",  # only a socket in the folder
    "max_connections": "300",
    "log_min_messages": "fatal",
}


def find_binaries() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`: version 15 if there is one, else the newest."""
    found = shutil.which("initdb")
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    folders.sort(key=lambda path: (path.parent.name == "15", path.parent.name))
    return folders[-1] if folders else Path(found).parent if found else None


class Cluster:
    """A PostgreSQL server of one's own: its data and its socket are in one folder."""

    def __init__(self, binaries: Path, folder: Path, **settings: str) -> None:
        """`binaries`: as from `find_binaries`; `folder`: empty; `settings`: beside `SETTINGS`."""
        self._binaries, self._folder, self._owner = binaries, folder, find_owner()
        self._settings = SETTINGS | settings
        self.data = folder / "data"
        self.own(folder)

    def own(self, path: Path) -> None:
        """Give a path to the user as whom the database runs."""
        if self._owner:
            shutil.chown(path, self._owner["user"], self._owner["group"])

    def call(self, name: str, *arguments: str | Path) -> None:
        """Run a program of PostgreSQL as the user as whom the database runs."""
        command = [self._binaries / name, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self._folder, **self._owner)  # noqa: S603

    def create(self) -> None:
        """Make the data of an empty server."""
        self.call("initdb", "-D", self.data, "-U", "gonfalon", "-A", "trust", "-E", "UTF8")

    def start(self) -> None:
        settings = " ".join(f"-c {name}='{value}'" for name, value in self._settings.items())
        options = f"{settings} -k {self._folder}"
        self.call("pg_ctl", "-D", self.data, "-w", "-s", "-l", self._folder / "log", "-o", options, "start")

    def stop(self) -> None:
        """Stop at once, as a crash would."""
        self.call("pg_ctl", "-D", self.data, "-w", "-s", "-m", "immediate", "stop")

    def make_database(self) -> str:
        """Make the database `gonfalon`; return its address."""
        self.call("createdb", "-h", self._folder, "-U", "gonfalon", "gonfalon")
        return f"postgresql+psycopg://gonfalon@/gonfalon?host={self._folder}"


def find_owner() -> dict[str, Any]:
    """Return the user as whom the database must run; empty for the present user."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    who = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
