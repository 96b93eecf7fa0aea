"""Fixtures that several tests of the command line use."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test in an empty folder, since arenas create their folders in the current one."""
    monkeypatch.chdir(tmp_path)
