"""For all tests: hypothesis without deadlines, since the first use of a game compiles it, and the number of workers."""

import os

import pytest
from hypothesis import settings

settings.register_profile("gonfalon", deadline=None, print_blob=True)
settings.load_profile("gonfalon")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores, since tests of the server and the page wait half of the time."""
    return (os.cpu_count() or 1) + 2
