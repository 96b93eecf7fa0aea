"""The list of all data about people that the server or the browser keeps.

The page words each entry (`privacy.<code>.what`, `privacy.<code>.why`, `privacy.until.<until>`); `tools/privacy.py`
makes the table in docs/running.md from the same codes and the English words.
"""

from __future__ import annotations

import msgspec


class KeptData(msgspec.Struct, frozen=True):
    """One kind of data. `until`: when it goes."""

    code: str
    until: str


KEPT_DATA = (
    KeptData("session", "unused"),
    KeptData("guest", "unused"),
    KeptData("account", "deletion"),
    KeptData("match", "match"),
    KeptData("challenge", "answer"),
    KeptData("result", "kept"),
    KeptData("address", "moment"),
    KeptData("log", "log"),
    KeptData("browser", "browser"),
    KeptData("cookie", "unused"),
)
"""Everything that is kept, in the order of the page."""
