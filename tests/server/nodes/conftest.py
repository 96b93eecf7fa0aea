from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.harness import DATABASE
from server.nodes.site import Node, Site, running_site


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip all these tests on SQLite, which has one process."""
    skip = pytest.mark.skipif(not DATABASE, reason="a test of PostgreSQL: make test-postgres")
    for item in items:
        if item.path.parent.name == "nodes":
            item.add_marker(skip)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two nodes that all tests of a module share; no test ends them."""
    with running_site(tmp_path_factory.mktemp("site"), "one", "two") as started:
        yield started


@pytest.fixture
def one(site: Site) -> Iterator[Node]:
    yield site.nodes[0]
    site.nodes[0].let_go()


@pytest.fixture
def two(site: Site) -> Iterator[Node]:
    yield site.nodes[1]
    site.nodes[1].let_go()
