"""Statements about nodes, the matches that they own, and their jobs. Ages are measured by the clock of the database."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

import gonfalon
from gonfalon.server.storage import tables

GONE = 4.0
"""Seconds without a sign after which a node counts as dead."""
_nodes, _claims, _jobs = tables.nodes.c, tables.claims.c, tables.jobs.c
_AGE = sa.extract("epoch", sa.func.clock_timestamp() - _nodes.seen)


def read_version(text: str) -> int:
    """Return a version such as 1.2.3 as one number, which is larger for a newer version."""
    major, minor, patch = (int(part) for part in re.findall(r"\d+", text)[:3])
    return (major * 1000 + minor) * 1000 + patch


VERSION = read_version(gonfalon.__version__)


class NodeRow(msgspec.Struct, frozen=True):
    """A node as the database knows it."""

    name: str
    epoch: int
    alive: bool
    draining: bool
    advertised: str
    """Address at which other nodes reach it, such as http://10.0.0.5:8100."""
    token: str
    """Secret of its relay port."""
    version: int
    age: float
    """Seconds since its last sign."""

    @property
    def label(self) -> str:
        """The node and its epoch."""
        return label_node(self.name, self.epoch)

    @property
    def present(self) -> bool:
        """Whether it gave a sign lately."""
        return self.alive and self.age < GONE

    @property
    def silent(self) -> bool:
        """Whether it counts as dead, but nobody has declared it so."""
        return self.alive and self.age >= GONE


def label_node(node: str, epoch: int) -> str:
    """Return a text for a node in one epoch."""
    return f"{node}:{epoch}"


def name_connections(node: str, epoch: int) -> str:
    """Return the `application_name` of all connections of a node."""
    return f"gonfalon:{label_node(node, epoch)}"


# ---- nodes -------------------------------------------------------------------------------------------------------


def select_nodes() -> sa.Select[tuple[str, int, bool, bool, str, str, int, float]]:
    """Return the query for all nodes, with the columns of `NodeRow`."""
    columns = (_nodes.name, _nodes.epoch, _nodes.alive, _nodes.draining, _nodes.advertised, _nodes.token)
    return sa.select(*columns, _nodes.version, sa.cast(_AGE, sa.Double).label("age")).order_by(_nodes.name)


def list_nodes(connection: sa.Connection) -> list[NodeRow]:
    """Return all nodes, also dead ones, by name."""
    return [NodeRow(**row) for row in connection.execute(select_nodes()).mappings()]


def find_node(connection: sa.Connection, name: str) -> NodeRow | None:
    """Return a node's row; None if no node ever had the name."""
    row = connection.execute(select_nodes().where(_nodes.name == name)).mappings().first()
    return None if row is None else NodeRow(**row)


def lock_node(connection: sa.Connection, name: str) -> NodeRow | None:
    """Return a node's row, and lock it until the end of the transaction: transactions of the node that write are over
    then, or wait.
    """
    row = connection.execute(select_nodes().where(_nodes.name == name).with_for_update()).mappings().first()
    return None if row is None else NodeRow(**row)


def fence(name: str, epoch: int) -> sa.Executable:
    """Return the query with which each transaction of a node begins."""
    wanted = sa.select(_nodes.name).where(_nodes.name == name, _nodes.epoch == epoch, _nodes.alive)
    return wanted.with_for_update(read=True, key_share=True)


def insert_node(name: str, epoch: int, advertised: str, token: str) -> sa.Executable:
    """Return the statement that writes the row of a node that starts."""
    values = {
        "epoch": epoch,
        "alive": True,
        "draining": False,
        "advertised": advertised,
        "token": token,
        "version": VERSION,
        "seen": sa.func.clock_timestamp(),
    }
    statement = postgresql.insert(tables.nodes).values(name=name, **values)
    return statement.on_conflict_do_update(index_elements=[_nodes.name], set_=values)


def renew(name: str, epoch: int) -> sa.Executable:
    """Return the statement that says that a node is alive. It returns whether the node shall drain, and the time of the
    database in Unix seconds; no row: the node is dead.
    """
    statement = sa.update(tables.nodes).where(_nodes.name == name, _nodes.epoch == epoch, _nodes.alive)
    now = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Double)
    return statement.values(seen=sa.func.clock_timestamp()).returning(_nodes.draining, now)


def drain(name: str) -> sa.Executable:
    """Return the statement that asks a node to hand over what it owns."""
    return sa.update(tables.nodes).where(_nodes.name == name, _nodes.alive).values(draining=True)


def bury(name: str) -> Sequence[sa.Executable]:
    """Return the statements that make a node dead and free everything that it owns."""
    return (
        sa.update(tables.nodes).where(_nodes.name == name).values(alive=False),
        sa.update(tables.claims).where(_claims.node == name).values(node=""),
        sa.update(tables.jobs).where(_jobs.node == name).values(node=""),
    )


def end_connections(name: str, epoch: int) -> sa.Executable:
    """Return the query that ends all connections of a node. Needs the same database user, or `pg_signal_backend`."""
    activity = sa.table("pg_stat_activity", sa.column("pid"), sa.column("application_name"), sa.column("datname"))
    own = activity.c.pid == sa.func.pg_backend_pid()
    named = activity.c.application_name == name_connections(name, epoch)
    return sa.select(sa.func.pg_terminate_backend(activity.c.pid)).where(
        named, ~own, activity.c.datname == sa.func.current_database()
    )


def list_running(connection: sa.Connection, node: str) -> list[str]:
    """Return the matches of a node whose clocks run."""
    due = tables.deadlines.c
    wanted = sa.select(_claims.match).join(tables.deadlines, due.match == _claims.match)
    return list(connection.scalars(wanted.where(_claims.node == node, due.due.is_(None))))


def count_matches(connection: sa.Connection) -> dict[str, int]:
    """Return how many matches each node owns."""
    counted = sa.select(_claims.node, sa.func.count()).where(_claims.node != "").group_by(_claims.node)
    return {str(node): int(count) for node, count in connection.execute(counted)}


# ---- matches and jobs --------------------------------------------------------------------------------------------


def take_matches(matches: Sequence[str], node: str, epoch: int) -> sa.Executable:
    """Return the statement that makes a node the owner of those matches that exist, that nobody owns, and that no newer
    version has written.
    """
    stored = tables.matches.c.id
    own = (sa.literal(node), sa.literal(epoch), sa.literal(VERSION))
    source = sa.select(stored, *own).where(stored.in_(matches)).order_by(stored)
    statement = postgresql.insert(tables.claims).from_select(["match", "node", "epoch", "version"], source)
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=[_claims.match],
        set_={"node": new.node, "epoch": new.epoch, "version": new.version},
        where=sa.and_(_claims.node == "", _claims.version <= new.version),
    )


def release_match(match: str, node: str, epoch: int) -> sa.Executable:
    """Return the statement that makes a match free."""
    return (
        sa.update(tables.claims)
        .where(_claims.match == match, _claims.node == node, _claims.epoch == epoch)
        .values(node="")
    )


class Owner(msgspec.Struct, frozen=True):
    """The row of a match, or of a job."""

    node: str
    """Name of the owner; empty if nobody owns it."""
    epoch: int
    version: int = 0
    """Newest version that owned the match."""


def find_owners(connection: sa.Connection, matches: Sequence[str]) -> dict[str, Owner]:
    """Return the rows of matches; those that nobody ever owned are missing."""
    wanted = sa.select(_claims.match, _claims.node, _claims.epoch, _claims.version).where(_claims.match.in_(matches))
    return {match: Owner(node, epoch, version) for match, node, epoch, version in connection.execute(wanted)}


def take_job(job: str, node: str, epoch: int) -> sa.Executable:
    """Return the statement that gives a job to a node if nobody has it."""
    statement = postgresql.insert(tables.jobs).values(job=job, node=node, epoch=epoch)
    return statement.on_conflict_do_update(
        index_elements=[_jobs.job], set_={"node": node, "epoch": epoch}, where=_jobs.node == ""
    )


def release_job(job: str, node: str, epoch: int) -> sa.Executable:
    """Return the statement that makes a job free."""
    return sa.update(tables.jobs).where(_jobs.job == job, _jobs.node == node, _jobs.epoch == epoch).values(node="")


def list_jobs(connection: sa.Connection) -> dict[str, Owner]:
    """Return the owners of all jobs that a node ever had."""
    wanted = sa.select(_jobs.job, _jobs.node, _jobs.epoch)
    return {job: Owner(node, epoch) for job, node, epoch in connection.execute(wanted)}
