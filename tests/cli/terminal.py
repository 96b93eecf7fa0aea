"""What tests of the command line share: a command, a mistake, typed lines."""

from __future__ import annotations

import io
import sys

import pytest

from gonfalon.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as error:
        code = int(error.code or 0)
    told = capsys.readouterr()
    return code, told.out, told.err


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line a mistake gives."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    return err


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
