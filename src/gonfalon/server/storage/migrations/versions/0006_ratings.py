"""Rated matches, and the ratings that follow from them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(counters, [{"name": "rated", "value": 0}, {"name": "applied", "value": 0}])
    op.create_table("rated_open", sa.Column("match", sa.String(32), primary_key=True))
    op.create_table(
        "rated",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False, unique=True),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("speed", sa.String(32), nullable=False),
        sa.Column("model", sa.String(64), nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("players", sa.LargeBinary, nullable=False),
        sa.Column("places", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "ratings",
        *_key(),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.PrimaryKeyConstraint("person", "variant", "speed", "pool"),
    )
    op.create_index("ratings_by_mu", "ratings", ["variant", "pool", "speed", "mu"])
    op.create_table(
        "rating_changes",
        sa.Column("match", sa.String(32), nullable=False),
        *_key(),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("match", "person"),
    )
    op.create_index("rating_changes_by_person", "rating_changes", ["person", "number"])
    op.create_table("unlisted_ratings", sa.Column("person", sa.String(32), primary_key=True))


def _key() -> tuple[sa.Column[str], ...]:
    """Return the columns that name a rating."""
    return (
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("speed", sa.String(32), nullable=False),
        sa.Column("pool", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    for table in ("unlisted_ratings", "rating_changes", "ratings", "rated", "rated_open", "counters"):
        op.drop_table(table)
