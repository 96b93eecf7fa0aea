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
packed = sa.Table(
    "packed",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("entries", sa.Integer),
    sa.Column("body", sa.LargeBinary),
)
to_pack = sa.Table(
    "to_pack",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("due", sa.BigInteger),
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

# ---- people

persons = sa.Table(
    "persons",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(20)),
    sa.Column("key", sa.String(20), unique=True),
    sa.Column("password", sa.String(200)),
    sa.Column("created", sa.BigInteger),
    sa.Column("seen", sa.BigInteger),
    sa.Column("banned", sa.BigInteger),
)
sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(24)),
    sa.Column("person", sa.String(24)),
    sa.Column("created", sa.BigInteger),
    sa.Column("seen", sa.BigInteger),
    sa.Column("device", sa.String(60)),
)
passkeys = sa.Table(
    "passkeys",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(24)),
    sa.Column("person", sa.String(24)),
    sa.Column("credential", sa.LargeBinary),
    sa.Column("key", sa.LargeBinary),
    sa.Column("count", sa.BigInteger),
    sa.Column("created", sa.BigInteger),
    sa.Column("device", sa.String(60)),
)
recovery_codes = sa.Table(
    "recovery_codes",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(24)),
)
blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("person", sa.String(24), primary_key=True),
    sa.Column("blocked", sa.String(24), primary_key=True),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.String(24)),
)
results = sa.Table(
    "results",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.String(24)),
    sa.Column("agent", sa.String(40)),
    sa.Column("variant", sa.String(40)),
    sa.Column("result", sa.String(8)),
    sa.Column("ended", sa.BigInteger),
    sa.Column("listed", sa.Boolean),
    sa.Column("rated", sa.Boolean),
)
# ---- ratings -----------------------------------------------------------------------------------------------------

counters = sa.Table(
    "counters",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.BigInteger),
)
rated_open = sa.Table("rated_open", metadata, sa.Column("match", sa.String(32), primary_key=True))
rated = sa.Table(
    "rated",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("number", sa.BigInteger),
    sa.Column("variant", sa.String(64)),
    sa.Column("speed", sa.String(32)),
    sa.Column("model", sa.String(64)),
    sa.Column("day", sa.Date),
    sa.Column("players", sa.LargeBinary),
    sa.Column("places", sa.LargeBinary),
)
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("person", sa.String(32), primary_key=True),
    sa.Column("variant", sa.String(64), primary_key=True),
    sa.Column("speed", sa.String(32), primary_key=True),
    sa.Column("pool", sa.String(32), primary_key=True),
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
    sa.Column("matches", sa.Integer),
    sa.Column("day", sa.Date),
)
rating_changes = sa.Table(
    "rating_changes",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("person", sa.String(32), primary_key=True),
    sa.Column("variant", sa.String(64)),
    sa.Column("speed", sa.String(32)),
    sa.Column("pool", sa.String(32)),
    sa.Column("number", sa.BigInteger),
    sa.Column("day", sa.Date),
    sa.Column("matches", sa.Integer),
    sa.Column("mu_before", sa.Double),
    sa.Column("sigma_before", sa.Double),
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
)
unlisted_ratings = sa.Table("unlisted_ratings", metadata, sa.Column("person", sa.String(32), primary_key=True))
# ---- the lobby ---------------------------------------------------------------------------------------------------

challenges = sa.Table(
    "challenges",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("maker", sa.String(64)),
    sa.Column("target", sa.String(64)),
    sa.Column("made", sa.BigInteger),
    sa.Column("body", sa.LargeBinary),
)
listed = sa.Table(
    "listed",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("body", sa.LargeBinary),
)
left_early = sa.Table(
    "left_early",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("person", sa.String(64)),
    sa.Column("day", sa.Integer),
    sa.Column("at", sa.BigInteger),
    sa.Column("rated", sa.Boolean),
)
# ---- nodes -------------------------------------------------------------------------------------------------------

nodes = sa.Table(
    "nodes",
    metadata,
    sa.Column("name", sa.String(20), primary_key=True),
    sa.Column("epoch", sa.BigInteger),
    sa.Column("alive", sa.Boolean),
    sa.Column("seen", sa.DateTime(timezone=True)),
    sa.Column("draining", sa.Boolean),
    sa.Column("advertised", sa.String(200)),
    sa.Column("version", sa.BigInteger),
    sa.Column("token", sa.String(64)),
)
claims = sa.Table(
    "claims",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("node", sa.String(20)),
    sa.Column("epoch", sa.BigInteger),
    sa.Column("version", sa.BigInteger),
)
jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("job", sa.String(20), primary_key=True),
    sa.Column("node", sa.String(20)),
    sa.Column("epoch", sa.BigInteger),
)
# ---- computer players on other machines --------------------------------------------------------------------------

workers = sa.Table(
    "workers",
    metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("seen", sa.DateTime(timezone=True)),
    sa.Column("processes", sa.Integer),
    sa.Column("version", sa.String(40)),
    sa.Column("agents", sa.Text),
)
questions = sa.Table(
    "questions",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("asker", sa.String(32)),
    sa.Column("version", sa.String(40)),
    sa.Column("agent", sa.String(40)),
    sa.Column("slot", sa.BigInteger),
    sa.Column("urgency", sa.Integer),
    sa.Column("prefer", sa.String(80)),
    sa.Column("worker", sa.String(80)),
    sa.Column("asked", sa.DateTime(timezone=True)),
    sa.Column("seen", sa.DateTime(timezone=True)),
    sa.Column("body", sa.LargeBinary),
    sa.Column("answer", sa.LargeBinary),
)
