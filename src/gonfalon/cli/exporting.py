"""`gonfalon records export`: the actions of records as rows for learning."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import require
from gonfalon.cli.progress import show_progress
from gonfalon.records import ExportError, export, list_records

KINDS = {"parquet": ".parquet", "npz": ".npz"}


def export_records(arguments: argparse.Namespace) -> int:
    """Export a folder. Raises `CommandError`."""
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise CommandError(f"there is no folder {arguments.folder!r}")
    write(arguments, folder, find_output(arguments, folder))
    return 0


def find_output(arguments: argparse.Namespace, folder: Path) -> Path:
    """Return the file to write, after checks of its place and of the extra. Raises `CommandError`."""
    suffix = KINDS[arguments.to]
    output = Path(arguments.output or f"{folder.resolve().name}{suffix}")
    if output.suffix != suffix:
        raise CommandError(f"--output: a file of --to {arguments.to} ends in {suffix}, not {output.name!r}")
    if not output.parent.is_dir():
        raise CommandError(f"--output: there is no folder {str(output.parent)!r} for {output.name}")
    if arguments.to == "parquet":
        require("--to parquet", "pyarrow")
    return output


def write(arguments: argparse.Namespace, folder: Path, output: Path) -> None:
    """Write the rows of all records in `folder` to `output`. Raises `CommandError`."""
    begin, rows = time.process_time(), 0
    try:
        paths = list_records(folder)
        with show_progress("records", len(paths)) as progress:
            for count in export(paths, folder, output, planes=arguments.observations == "planes"):
                rows += count
                progress.advance()
    except ExportError as error:
        raise CommandError(str(error)) from error
    used = max(time.process_time() - begin, 1e-9)
    size = output.stat().st_size / 1e6
    print(f"{output}: {rows:,} rows of {len(paths):,} matches, {size:,.1f} MB ({rows / used:,.0f} rows a CPU-second)")
