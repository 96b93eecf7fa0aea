"""A node follows what happened to it and to others, also if the database does not answer at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

import sqlalchemy as sa

from gonfalon.server.cluster.node import AGAIN, Node
from gonfalon.server.config import Config
from gonfalon.server.storage.store import Store
from server.harness import PATIENCE
from server.nodes.site import Site


class Matches:
    """The matches of a node, whose database fails at first."""

    def __init__(self, url: str, failures: int) -> None:
        self.store = Store(url)
        self.failures = failures
        self.resumed: list[Sequence[str] | None] = []
        self.done = asyncio.Event()

    async def hand_over(self) -> None:
        raise AssertionError("nobody stops the node")

    async def abandon_all(self) -> None:
        """Have nothing to drop."""

    async def resume(self, running: Sequence[str] | None = None) -> None:
        self.resumed.append(running)
        if len(self.resumed) <= self.failures:
            raise sa.exc.OperationalError("SELECT", {}, OSError())
        self.done.set()


def make_node(folder: Path, failures: int) -> tuple[Node, Matches]:
    url = Site(folder).url
    matches = Matches(url, failures)
    config = Config(data=folder, database=url, node="one", advertise="http://127.0.0.1:8194")
    return Node(config, matches), matches


def test_an_entry_is_followed_until_the_database_answers(tmp_path: Path) -> None:
    async def enter() -> None:
        node, matches = make_node(tmp_path, 2)
        node.note_entry()
        await asyncio.wait_for(matches.done.wait(), PATIENCE)
        assert matches.resumed == [None, None, None]

    asyncio.run(enter())


def test_the_matches_of_a_dead_node_are_taken_over_until_the_database_answers(tmp_path: Path) -> None:
    async def take_over() -> None:
        node, matches = make_node(tmp_path, 1)
        node.note_end_of("two", ["match"])
        await asyncio.wait_for(matches.done.wait(), PATIENCE)
        assert matches.resumed == [["match"], ["match"]]

    asyncio.run(take_over())


def test_a_node_that_dies_meanwhile_begins_anew(tmp_path: Path) -> None:
    """Its next entry covers all matches."""

    async def die() -> None:
        node, matches = make_node(tmp_path, 1)
        node.note_end_of("two", ["match"])
        while not matches.resumed:
            await asyncio.sleep(0)
        await node.die()
        node.note_entry()
        await asyncio.wait_for(matches.done.wait(), PATIENCE)
        await asyncio.sleep(2 * AGAIN)
        assert matches.resumed == [["match"], None]

    asyncio.run(die())


def test_sockets_are_refused_while_the_database_is_away(tmp_path: Path) -> None:
    async def ask() -> list[object]:
        node, _ = make_node(tmp_path, 0)
        node.claims.store = Store("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
        return [await node.find_match("match"), await node.find_job("meeting")]

    assert asyncio.run(ask()) == [HTTPStatus.SERVICE_UNAVAILABLE] * 2


def test_the_connections_of_a_node_notice_a_silent_network(tmp_path: Path) -> None:
    address = "postgresql+psycopg://gonfalon@10.0.0.2/gonfalon"
    settings = {"data": tmp_path, "node": "one", "advertise": "http://10.0.0.5:8100"}
    query = sa.make_url(Config(database=address, **settings).url).query
    assert (query["connect_timeout"], query["tcp_user_timeout"], query["keepalives_idle"]) == ("3", "4000", "2")
    own = sa.make_url(Config(database=f"{address}?sslmode=verify-full&connect_timeout=9", **settings).url).query
    assert (own["sslmode"], own["connect_timeout"], own["tcp_user_timeout"]) == ("verify-full", "9", "4000")
    assert Config(data=tmp_path, database=address).url == address
