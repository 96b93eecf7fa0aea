"""The tables of the database, for use in statements; `migrations/` creates them."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger),
    sa.Column("header", sa.LargeBinary),
    sa.Column("moved", sa.BigInteger),
)
log = sa.Table(
    "log",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.LargeBinary),
)
analyses = sa.Table(
    "analyses",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("side", sa.String(32), primary_key=True),
    sa.Column("body", sa.LargeBinary),
)
deadlines = sa.Table(
    "deadlines",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("due", sa.BigInteger),
)
up = sa.Table("up", metadata, sa.Column("at", sa.BigInteger))
