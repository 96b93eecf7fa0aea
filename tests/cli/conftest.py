"""Shared fixtures of the command line's tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arenas keep their folders where they are run."""
    monkeypatch.chdir(tmp_path)
