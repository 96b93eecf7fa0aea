"""Bounds of a match's log. Decisions are always stored, because the rules bound them; of every other kind of entry a
match has a limited number, so that no player can fill the log.
"""

from __future__ import annotations

from collections.abc import Mapping

from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import (
    Abandoned,
    Answered,
    CalledOff,
    Claimed,
    Entry,
    Hinted,
    Invited,
    Named,
    Offered,
    Opened,
    OutOfTime,
    Played,
    RematchAsked,
    RematchMade,
    Resigned,
    Taken,
    TookBack,
)

DECISIONS = frozenset({Played, Resigned, OutOfTime, Claimed, Abandoned, CalledOff})
"""Kinds of entries that the rules bound, or that end a player's part in the match."""
MOST_PLAYERS = 4
MOST: dict[type[Entry], int] = {
    Offered: 1_000,
    Answered: 1_000 * (MOST_PLAYERS - 1),
    TookBack: 300,
    Hinted: 1_000,
    Invited: 100,
    Taken: 100 + MOST_PLAYERS,
    Opened: 100 + MOST_PLAYERS,
    Named: 200,
    RematchAsked: MOST_PLAYERS,
    RematchMade: 1,
}
"""Maximum number of entries of each other kind in one match. A new invitation allows one more visit to its seat, and an
offer one answer of each other player; these bounds leave room for all of them.
"""


def require_room(kind: type[Entry], counts: Mapping[type[Entry], int]) -> None:
    """Check that a log may get one more entry of a kind. `counts`: `MatchState.counts`. Raises `Declined`:
    `too-often`.
    """
    most = MOST.get(kind)
    if most is not None and counts.get(kind, 0) >= most:
        raise Declined("too-often", most=most)
