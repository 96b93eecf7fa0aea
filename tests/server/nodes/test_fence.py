"""Everything that a node stores is fenced by the epoch of the connection that stores it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from gonfalon.server.cluster import rows
from gonfalon.server.cluster.membership import Membership
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError
from server.nodes.site import Site

OWN_NAME = "SELECT current_setting('application_name')"


def test_a_connection_of_an_earlier_epoch_stores_nothing(tmp_path: Path) -> None:
    """Otherwise it would go on under a name by which other nodes cannot end it."""
    site = Site(tmp_path)
    membership = Membership("one", "http://127.0.0.1:9")
    names = sa.text(f"INSERT INTO counters (name, value) SELECT {OWN_NAME.removeprefix('SELECT ')}, 1")
    engine = sa.create_engine(site.url, poolclass=sa.NullPool)

    async def script() -> None:
        with engine.connect() as connection:
            membership.enter(connection)
            store = Store(site.url, holding=membership)
            await store.start()
            await store.execute([names])
            with connection.begin():
                for statement in rows.bury("one"):
                    connection.execute(statement)
            with pytest.raises(StoreError, match="another node has taken over"):
                await store.execute([names])
            # A write that comes now opens a connection of the old epoch; the node enters again before the next one.
            with pytest.raises(StoreError, match="another node has taken over"):
                await store.execute([names])
            membership.enter(connection)
            await store.execute([names])
            await store.close()

    asyncio.run(script())
    assert site.ask("SELECT string_agg(name, ' ' ORDER BY name) FROM counters WHERE name LIKE 'gonfalon:%'") == (
        "gonfalon:one:1 gonfalon:one:2"
    )


def test_an_epoch_that_begins_between_connection_and_write_needs_a_new_connection(tmp_path: Path) -> None:
    site = Site(tmp_path)
    membership = Membership("one", "http://127.0.0.1:9")
    engine = sa.create_engine(site.url, poolclass=sa.NullPool)
    sa.event.listen(engine, "connect", membership.mark)
    with sa.create_engine(site.url, poolclass=sa.NullPool).connect() as other:
        membership.enter(other)
        with engine.connect() as old:
            assert old.execute(membership.fence(old)).first() is not None
            old.rollback()
            membership.enter(other)
            assert old.execute(membership.fence(old)).first() is None
        with engine.connect() as new:
            assert new.execute(membership.fence(new)).first() is not None
            assert new.scalar(sa.text(OWN_NAME)) == "gonfalon:one:2"
