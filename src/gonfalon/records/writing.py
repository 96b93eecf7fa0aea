"""Files of rows, written part by part: Parquet (extra `data`) and NumPy's `.npz`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Protocol

import msgspec
import numpy as np

from gonfalon.records.rows import COLUMNS, FORM_ACTION, PLANES, About, Columns

ABOUT = "gonfalon"
"""Key of the facts in a Parquet file's metadata, and name of their member in an `.npz` file."""


class Writer(Protocol):
    """A file that takes rows."""

    def add(self, columns: Columns) -> None: ...


@contextmanager
def open_writer(path: Path, about: About) -> Iterator[Writer]:
    """Open a file for rows; its ending, `.parquet` or `.npz`, says the format. The file appears under its name when the
    block ends without an error, so a broken export leaves an earlier file as it was. Raises OSError, ValueError for
    another ending, ModuleNotFoundError without the extra.
    """
    kinds = {".parquet": _write_parquet, ".npz": _write_npz}
    if path.suffix not in kinds:
        raise ValueError(f"{path.name}: rows are written to a .parquet or an .npz file")
    part = path.with_name(f"{path.name}.part")
    try:
        with kinds[path.suffix](part, about) as writer:
            yield writer
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _write_parquet(path: Path, about: About) -> Iterator[Writer]:
    import pyarrow as pa
    from pyarrow import parquet

    fields = [pa.field(name, pa.from_numpy_dtype(dtype)) for name, dtype in COLUMNS.items()]
    if about.shape is not None:
        fields += [pa.field(FORM_ACTION, pa.int32()), pa.field(PLANES, pa.list_(pa.uint8(), int(np.prod(about.shape))))]
    schema = pa.schema(fields, {ABOUT: msgspec.json.encode(about).decode()})
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        yield _Parquet(pa, file, schema)


class _Parquet:
    """Rows of one part become a row group."""

    def __init__(self, pa: Any, file: Any, schema: Any) -> None:
        self._pa, self._file, self._schema = pa, file, schema

    def add(self, columns: Columns) -> None:
        arrays = [self._convert(columns[name], self._schema.field(name).type) for name in self._schema.names]
        self._file.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema))

    def _convert(self, column: Any, kind: Any) -> Any:
        if column.ndim == 1:
            return self._pa.array(column)
        return self._pa.FixedSizeListArray.from_arrays(self._pa.array(column.reshape(-1)), type=kind)


@contextmanager
def _write_npz(path: Path, about: About) -> Iterator[Writer]:
    names = [*COLUMNS, *((FORM_ACTION, PLANES) if about.shape is not None else ())]
    with ExitStack() as stack:
        spools: dict[str, IO[bytes]] = {name: stack.enter_context(TemporaryFile(dir=path.parent)) for name in names}
        writer = _Npz(spools)
        yield writer
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            _add_member(archive, ABOUT, np.array(msgspec.json.encode(about).decode()))
            for name, spool in spools.items():
                shape = (writer.count, *(about.shape or ())) if name == PLANES else (writer.count,)
                _copy_member(archive, name, spool, shape, np.uint8 if name == PLANES else COLUMNS.get(name, np.int32))


class _Npz:
    """The bytes of each column in a file of its own, because an array's length stands before its content."""

    def __init__(self, spools: dict[str, IO[bytes]]) -> None:
        self._spools = spools
        self.count = 0

    def add(self, columns: Columns) -> None:
        for name, spool in self._spools.items():
            spool.write(np.ascontiguousarray(columns[name]).tobytes())
        self.count += len(columns["match"])


def _add_member(archive: zipfile.ZipFile, name: str, array: Any) -> None:
    content = BytesIO()
    np.save(content, array)
    archive.writestr(f"{name}.npy", content.getvalue())


def _copy_member(archive: zipfile.ZipFile, name: str, spool: IO[bytes], shape: tuple[int, ...], dtype: Any) -> None:
    """Write a member as `numpy.save` would, without its content in memory."""
    spool.seek(0)
    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
        head = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_2_0(member, head)
        while piece := spool.read(1 << 20):
            member.write(piece)
