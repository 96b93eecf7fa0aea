from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from server.harness import Match, Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    yield server.match()
    server.let_go()


@pytest.fixture
def rng() -> random.Random:
    return random.Random(7)
