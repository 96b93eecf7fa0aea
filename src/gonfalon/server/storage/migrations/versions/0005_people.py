"""Accounts and guests, their log-ins, the seats they own, and the results of their matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _person(nullable: bool = False) -> sa.Column[str]:
    return sa.Column("person", sa.String(24), nullable=nullable, index=True)


def upgrade() -> None:
    op.create_table(
        "persons",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(20), nullable=True),
        sa.Column("key", sa.String(20), nullable=True, unique=True),
        sa.Column("password", sa.String(200), nullable=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("banned", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(24), nullable=False),
        _person(),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False, index=True),
        sa.Column("device", sa.String(60), nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(24), nullable=False),
        _person(),
        sa.Column("credential", sa.LargeBinary, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("device", sa.String(60), nullable=False),
    )
    op.create_table("recovery_codes", sa.Column("hash", sa.String(64), primary_key=True), _person())
    op.create_table(
        "blocks",
        sa.Column("person", sa.String(24), primary_key=True),
        sa.Column("blocked", sa.String(24), primary_key=True, index=True),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        _person(),
    )
    op.create_table(
        "results",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        _person(nullable=True),
        sa.Column("agent", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    for table in ("results", "seats", "blocks", "recovery_codes", "passkeys", "sessions", "persons"):
        op.drop_table(table)
