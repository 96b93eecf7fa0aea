"""The time of the last step of a match, for the players' lists of their matches. The log itself has no times."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("moved", sa.BigInteger, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("matches", "moved")
