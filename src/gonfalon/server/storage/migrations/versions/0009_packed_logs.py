"""Packed logs, and the matches to pack. Matches from before are packed 30 days after their last step, over or not:
their rows do not say which of them are over.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "packed",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "to_pack",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=False, index=True),
    )
    op.execute("INSERT INTO to_pack SELECT id, CASE WHEN moved > 0 THEN moved ELSE created END + 2592000 FROM matches")


def downgrade() -> None:
    op.drop_table("to_pack")
    op.drop_table("packed")
