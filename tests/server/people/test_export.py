"""The export names what the lobby stores about a person."""

from __future__ import annotations

from pathlib import Path

from gonfalon.server.people.export import export_person
from gonfalon.server.people.rows import find_person, write_account
from gonfalon.server.storage.lobby import write_challenge, write_left_early
from server.ratings.rated import Desk, work


def test_the_export_has_matches_left_early_and_challenges(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        body = b'{"id": "c", "maker": "ada", "target": "bea", "terms": {"variant": "duel"}}'
        await desk.store.execute(
            (
                write_account("ada", "Ada_L", "", 1_767_225_600, new=True),
                write_left_early("m1", "ada", 1_767_225_600, rated=True),
                write_left_early("m2", "bea", 1_767_225_600, rated=True),
                write_challenge("c", "ada", "bea", 1_767_225_600, body),
                write_challenge("d", "bea", "ada", 1_767_225_600, body),
            )
        )
        person = find_person(desk.store, "ada")
        assert person is not None
        found = export_person(desk.store, person)
        when = "2026-01-01T00:00:00+00:00"
        assert found["left_early"] == [{"match": "m1", "at": when, "rated": True}]
        assert found["challenges"] == [{"made": when, "terms": {"variant": "duel"}}]
        assert "bea" not in str(found)

    work(tmp_path, script)
