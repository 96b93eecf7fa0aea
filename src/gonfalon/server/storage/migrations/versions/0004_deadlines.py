"""Deadlines of matches with a clock, and the times at which a server was up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deadlines",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=True, index=True),
    )
    op.create_table("up", sa.Column("at", sa.BigInteger, nullable=False))


def downgrade() -> None:
    op.drop_table("up")
    op.drop_table("deadlines")
