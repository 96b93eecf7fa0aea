"""Nodes that share the database, the matches that they own, and the jobs that one of them does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nodes",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("alive", sa.Boolean, nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("draining", sa.Boolean, nullable=False),
        sa.Column("advertised", sa.String(200), nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
    )
    op.create_table(
        "claims",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("node", sa.String(20), nullable=False, index=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("job", sa.String(20), primary_key=True),
        sa.Column("node", sa.String(20), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("jobs")
    op.drop_table("claims")
    op.drop_table("nodes")
