"""Settings for all tests: hypothesis has no deadlines, because the first use of a game compiles it; and the number of
workers. A fixture for tests of commands.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("gonfalon", deadline=None, print_blob=True)
settings.load_profile("gonfalon")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores, because tests of the server and the page wait half of the time. With
    two more, a few of the tests that wait for a browser ran out of time.
    """
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test in an empty folder, since commands write into the current one."""
    monkeypatch.chdir(tmp_path)
