from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.harness import Server


@pytest.fixture(autouse=True)
def let_go(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close all browsers and sockets after each test that uses the shared server."""
    yield
    if "server" in request.fixturenames:
        started: Server = request.getfixturevalue("server")
        started.let_go()
