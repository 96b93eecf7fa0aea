"""The results of an arena in a folder. An interrupted arena continues from the folder.

`plan.json` is the plan, `matches.jsonl` has one line per finished match, `records/000012.txt` is the record of match
12, for `gonfalon replay`. The line of a match is written after its record, so a match without a line is played again. A
running arena locks the file `lock`.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from gonfalon.ai.arena.plan import Fixture, Plan, PlanError

PLAN = "plan.json"
Kept = TypeVar("Kept")


class Row(msgspec.Struct, frozen=True):
    """A finished match. In each pair of numbers, the first is the first entrant's and the second is the worst of the
    other players.
    """

    number: int
    round: int
    first: int
    second: int
    seat: int
    points: float
    """Points of the first entrant, from 0 to 1."""
    reason: str
    turns: int
    decisions: tuple[int, int]
    late: tuple[int, int]
    slowest: tuple[float, float]
    """Slowest decision, in seconds."""
    failed: dict[int, str] = {}
    """Failures, by number of the entrant."""
    code: str = ""
    """`find_code` of the version of Gonfalon that played the match."""


class Folder:
    """The results of one arena. Raises `PlanError` if the folder holds another plan or unreadable files."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self._records = path / "records"
        self._matches = path / "matches.jsonl"
        self._records.mkdir(parents=True, exist_ok=True)
        if (kept := _read_plan(path)) is not None:
            _compare(kept, plan, path)
        else:
            (path / PLAN).write_bytes(msgspec.json.encode(plan) + b"\n")
        self._read()

    def _read(self) -> int:
        """Read all complete rows; a last line that was not fully written is ignored. Return the length of the read rows
        in bytes.
        """
        kept = self._matches.read_bytes() if self._matches.exists() else b""
        whole = kept[: kept.rfind(b"\n") + 1]
        lines = enumerate(whole.splitlines(), start=1)
        self.rows = [_decode(line, Row, f"{self._matches}, line {number}") for number, line in lines]
        self._numbers = {row.number for row in self.rows}
        return len(whole)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Lock the folder while the block runs, so that no other process writes to it. Read all earlier results first.
        Raises `PlanError` if another process has the lock.
        """
        # SQLite locks files on every system, and the lock ends with the process.
        with (
            closing(sqlite3.connect(self.path / "lock", timeout=0, isolation_level=None)) as lock,
            self._matches.open("ab") as matches,
        ):
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise PlanError(f"{self.path / 'lock'}: {error}") from None
                raise PlanError(f"another arena is playing in {self.path}") from None
            matches.truncate(self._read())
            yield

    def add(self, row: Row, record: str) -> None:
        """Store a match. Call this only inside `hold`."""
        self._find_record(row).write_text(record, encoding="utf-8")
        with self._matches.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")
        self.rows.append(row)
        self._numbers.add(row.number)

    def read(self, row: Row) -> str:
        """Return the record of a match."""
        return self._find_record(row).read_text(encoding="utf-8")

    def _find_record(self, row: Row) -> Path:
        return self._records / f"{row.number:06}.txt"

    def lacks(self, fixture: Fixture) -> bool:
        return fixture.number not in self._numbers


def read_folder(path: Path) -> Folder:
    """Return the results in a folder, with the plan stored in it. Raises `PlanError` if it has none."""
    plan = _read_plan(path)
    if plan is None:
        raise PlanError(f"{path} is no folder of an arena: it has no {PLAN}")
    return Folder(path, plan)


def _read_plan(path: Path) -> Plan | None:
    written = path / PLAN
    return _decode(written.read_bytes(), Plan, str(written)) if written.exists() else None


def _decode(content: bytes, kind: type[Kept], where: str) -> Kept:
    """Decode a stored text. Raises `PlanError` with the place of the error."""
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.MsgspecError as error:
        raise PlanError(f"{where}: {error}") from error


def _compare(kept: Plan, plan: Plan, path: Path) -> None:
    for name in Plan.__struct_fields__:
        if getattr(kept, name) != getattr(plan, name):
            raise PlanError(f"{path} was begun with {name} {getattr(kept, name)!r}, not {getattr(plan, name)!r}")


def find_folder(parent: Path, plan: Plan) -> Path:
    """Return the default folder of a plan: a readable name that differs for different plans."""
    facts = msgspec.to_builtins(plan)
    if not plan.ruleset:  # plans of shipped variants keep the names that they had before there were others
        del facts["ruleset"]
    mark = hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:8]
    names = "-".join([plan.variant, *plan.labels, f"{plan.milliseconds}ms", mark])
    return parent / re.sub(r"[^A-Za-z0-9._-]", "_", names)


@cache
def find_code() -> str:
    """Return a short hash of the package's sources and data without tests, which decide how agents play."""
    root = Path(__file__).parents[2]
    files = sorted(path for part in ("ai", "engine", "games") for path in (root / part).rglob("*"))
    digest = hashlib.sha256()
    for path in files:
        if path.suffix in (".py", ".toml") and "tests" not in path.parts:
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]
