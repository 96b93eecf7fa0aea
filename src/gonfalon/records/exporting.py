"""Folders of records as files of rows, and such files as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Game, TextError
from gonfalon.engine.learning.observation import Form
from gonfalon.engine.records.record import Record, read_record
from gonfalon.engine.records.replay import game_of
from gonfalon.games import make
from gonfalon.records.rows import PLANES, About, Columns, describe, list_rows, make_form
from gonfalon.records.writing import ABOUT, open_writer

AT_ONCE = 65_536
"""Rows that are written together; with planes fewer, see `MOST_BYTES`."""
MOST_BYTES = 64_000_000
"""Maximum size of the planes that are kept in memory."""


class ExportError(ValueError):
    """Records that cannot be exported. The message names the file and the reason."""


def list_records(folder: Path) -> list[Path]:
    """Return the records in a folder and its subfolders, sorted. Raises `ExportError` if there are none."""
    found = sorted(path for path in folder.rglob("*.txt") if path.is_file())
    if not found:
        raise ExportError(f"{folder}: there are no records (*.txt) in this folder")
    return found


def export(paths: Sequence[Path], folder: Path, output: Path, *, planes: bool = False) -> Iterator[int]:
    """Write the rows of records to a Parquet or `.npz` file. Yield the number of rows of each record when it is done.

    `folder`: names of matches are relative to it. `planes`: with an observation in each row. All records must be of one
    game with the same house rules. Nothing is written under the name `output` before all is done. Raises `ExportError`,
    OSError, ModuleNotFoundError without the extra.
    """
    first = _read(paths[0])
    with _naming(paths[0]):
        game = game_of(first, make)
    form = make_form(game) if planes else None
    names = tuple(path.relative_to(folder).with_suffix("").as_posix() for path in paths)
    try:
        with open_writer(output, describe(game, names, form, first.ruleset)) as writer:
            parts: list[Columns] = []
            for number, path in enumerate(paths):
                parts.append(_read_rows(game, first, number, path, form))
                yield len(parts[-1]["match"])
                if _is_enough(parts, form):
                    writer.add(_join(parts))
                    parts = []
            if parts:
                writer.add(_join(parts))
    except ValueError as error:
        raise error if isinstance(error, ExportError) else ExportError(str(error)) from error


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the file in errors of a text."""
    try:
        yield
    except (TextError, UnicodeDecodeError) as error:
        raise ExportError(f"{path}: {error}") from error


def _read(path: Path) -> Record:
    with _naming(path):
        return read_record(path.read_text(encoding="utf-8"))


def _read_rows(game: Game, first: Record, number: int, path: Path, form: Form | None) -> Columns:
    record = _read(path)
    found, wanted = _name_game(record), _name_game(first)
    if (found, record.ruleset) != (wanted, first.ruleset):
        raise ExportError(f"{path} is of {found}, the first record of {wanted}; export each game by itself")
    with _naming(path):
        return list_rows(game, number, record, form)


def _name_game(record: Record) -> str:
    rules = " ".join(f"{name}={str(value).lower()}" for name, value in sorted(record.switches.items()))
    own = " with a ruleset of its own" if record.ruleset else ""
    return f"{record.variant}{own} ({rules})" if rules else f"{record.variant}{own}"


def _is_enough(parts: list[Columns], form: Form | None) -> bool:
    rows = sum(len(part["match"]) for part in parts)
    return rows >= AT_ONCE or (form is not None and rows * int(np.prod(form.spec.shape)) >= MOST_BYTES)


def _join(parts: list[Columns]) -> Columns:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class Rows(NamedTuple):
    """The content of an exported file."""

    about: About
    columns: Columns
    """Columns by name; `planes`, if there are observations, has the shape (n, planes, rows, columns), uint8."""

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name in self.columns:
            return self.columns[name]
        raise AttributeError(f"this file has no column {name!r}; its columns are {', '.join(self.columns)}")


def load(path: str | Path) -> Rows:
    """Return the rows of a `.parquet` or `.npz` file that `gonfalon records export` wrote, with all columns in memory.

    Raises OSError, `ExportError` for other files, ModuleNotFoundError for Parquet without the extra `data`.
    """
    path = Path(path)
    kinds = {".parquet": _load_parquet, ".npz": _load_npz}
    if path.suffix not in kinds:
        raise ExportError(f"{path}: rows stand in .parquet and .npz files")
    return kinds[path.suffix](path)


def _load_npz(path: Path) -> Rows:
    with np.load(path) as file:
        if ABOUT not in file:
            raise ExportError(f"{path} is no export of Gonfalon")
        columns = {name: file[name] for name in file.files if name != ABOUT}
        return Rows(_decode(path, str(file[ABOUT])), columns)


def _load_parquet(path: Path) -> Rows:
    from pyarrow import parquet

    table = parquet.read_table(path)
    facts = (table.schema.metadata or {}).get(ABOUT.encode())
    if facts is None:
        raise ExportError(f"{path} is no export of Gonfalon")
    about = _decode(path, facts)
    columns: Columns = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if name == PLANES:
            columns[name] = column.flatten().to_numpy().reshape(len(table), *(about.shape or ()))
        else:
            columns[name] = column.to_numpy()
    return Rows(about, columns)


def _decode(path: Path, facts: str | bytes) -> About:
    try:
        return msgspec.json.decode(facts, type=About)
    except msgspec.MsgspecError as error:
        raise ExportError(f"{path}: {error}") from error
