"""Helpers for tests of the command line: run a command, check that it refuses a mistake, type lines."""

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
    """Run a command with a mistake in it; return its error, which is one line."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    return err


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
