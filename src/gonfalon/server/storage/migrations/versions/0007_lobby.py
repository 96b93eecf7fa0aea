"""Challenges by correspondence, listed matches that run, and matches that were left early."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("maker", sa.String(64), nullable=False, index=True),
        sa.Column("target", sa.String(64), nullable=False, index=True),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "listed",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "left_early",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False, index=True),
        sa.Column("day", sa.Integer, nullable=False, index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("left_early")
    op.drop_table("listed")
    op.drop_table("challenges")
