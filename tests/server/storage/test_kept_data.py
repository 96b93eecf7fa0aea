"""The list of kept data, which the page /privacy and docs/running.md show, covers every table of the database."""

from __future__ import annotations

from gonfalon.server.protocol.kept_data import KEPT_DATA
from gonfalon.server.storage.tables import metadata

TABLES = {
    "session": {"sessions"},
    "guest": {"persons"},
    "account": {"persons", "passkeys", "recovery_codes", "blocks", "unlisted_ratings"},
    "match": {"matches", "log", "packed", "analyses", "deadlines", "seats", "listed"},
    "challenge": {"challenges"},
    "result": {"results", "rated", "ratings", "rating_changes", "left_early"},
}
"""Tables by the code of the data that they hold."""
NOBODY = {"nodes", "claims", "jobs", "workers", "questions", "up", "counters", "rated_open", "to_pack"}
"""Tables about the server itself: its processes, times, running numbers, matches not counted yet, and ones to pack."""
ELSEWHERE = {"address", "log", "browser", "cookie"}
"""Data that no table holds."""


def test_every_table_is_in_the_list_of_kept_data() -> None:
    assert set(metadata.tables) == NOBODY.union(*TABLES.values())


def test_the_list_names_each_kind_of_data_once() -> None:
    codes = [kept.code for kept in KEPT_DATA]
    assert sorted(codes) == sorted([*TABLES, *ELSEWHERE])
