"""Workers on other machines, and the questions that they answer. Both tables may be lost: PostgreSQL empties them after
a crash, and their writes wait for no disk.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    kind = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "workers",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("backend", sa.Integer, nullable=False),
        sa.Column("processes", sa.Integer, nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("agents", sa.Text, nullable=False),
        prefixes=kind,
    )
    op.create_table(
        "questions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("asker", sa.String(32), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("agent", sa.String(40), nullable=False),
        sa.Column("slot", sa.BigInteger, nullable=False),
        sa.Column("urgency", sa.Integer, nullable=False),
        sa.Column("prefer", sa.String(80)),
        sa.Column("worker", sa.String(80)),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("answer", sa.LargeBinary),
        prefixes=kind,
    )


def downgrade() -> None:
    op.drop_table("questions")
    op.drop_table("workers")
