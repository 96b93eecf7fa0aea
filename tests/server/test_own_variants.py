"""Variants of the operator's own: `gonfalon serve --variants FOLDER`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.terminal import fails
from gonfalon.records import make_game, read_record
from gonfalon.server.config import STATIC
from gonfalon.server.trials.processes.ports import reserve_port
from server.harness import Client, Server, ordered, running
from server.test_metrics import read
from server.visitors import make_account, refused

SMALL = """
inherits = "classic"
deploy_rows = 2

[board]
columns = 5
rows = 6
blocked = ["c3"]

[army]
marshal = 1
scout = 2
spy = 1
bomb = 1
flag = 1
"""
"""A variant file."""
OTHER = SMALL.replace("rows = 6", "rows = 7")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "variants"
    found.mkdir()
    (found / "small.toml").write_text(SMALL, encoding="utf-8")
    (found / "board-only.toml").write_text("columns = 5\nrows = 5\nblocked = []\n", encoding="utf-8")
    return found


@pytest.fixture
def server(tmp_path: Path, folder: Path) -> Iterator[Server]:
    with running(tmp_path, variants=str(folder)) as started:
        yield started


def play_on(client: Client, rng: random.Random, most: int = 1_000) -> int:
    """Decide at random whenever it is the client's turn, until the match is over or after `most` decisions."""
    decisions = 0
    while not client.over and decisions < most:
        if client.due:
            known, side = len(client.updates), client.welcome["side"]
            client.decide(rng)
            decisions += 1
            # The update of another player's deployment may come first.
            while not client.over and all(update["by"] != side for update in client.updates[known:]):
                client.next()
        else:
            client.next()
    return decisions


def test_the_page_is_told_of_them(server: Server) -> None:
    cards = {card["variant"]: card for card in server.get("/api/games").json()}
    assert "barrage" in cards
    assert "board-only" not in cards
    small = cards["small"]
    assert (small["family"], small["columns"], small["rows"], small["pieces"]) == ("grid", 5, 6, 6)
    assert (small["heading"], small["boxes"]) == ("small", [])
    page = server.get("/api/games/small").json()
    assert len(page["board"]["spaces"]) == 30
    assert page["deployments"] == []
    assert server.get("/api/games/smaller").status_code == 404


def test_a_match_is_played_to_its_end_replayed_and_recorded(server: Server) -> None:
    match = server.match(("me", "level-1"), variant="small", max_turns=20)
    red = match.sit("red")
    play_on(red, random.Random(1))
    assert server.get(f"/api/matches/{match.id}/replay").status_code == 200
    record = server.get(f"/api/matches/{match.id}/record").text
    assert "\nvariant: small\nruleset: {" in record
    assert "\nswitches: max_turns=20\n" in record
    again = make_game(read_record(record))
    assert again.board().columns == 5
    answer = server.post("/api/replays", {"text": record})
    assert answer.status_code == 400, "a record of strangers brings no ruleset to this server"


def test_a_match_keeps_its_rules_when_the_file_changes_or_goes(server: Server, folder: Path) -> None:
    match = server.match(("me", "level-1"), variant="small")
    red = match.sit("red")
    play_on(red, random.Random(2), 2)
    before = red.scene
    server.let_go()
    server.kill()
    (folder / "small.toml").write_text(OTHER, encoding="utf-8")
    (folder / "large.toml").write_text(OTHER.replace("columns = 5", "columns = 9"), encoding="utf-8")
    server.start()
    assert len(server.get("/api/games/small").json()["board"]["spaces"]) == 35
    red = match.sit("red")
    assert len(red.welcome["board"]["spaces"]) == 30
    assert ordered(red.scene)["tokens"][:3] == ordered(before)["tokens"][:3]
    server.let_go()
    server.kill()
    (folder / "small.toml").unlink()
    server.start()
    assert server.get("/api/games/small").status_code == 404
    red = match.sit("red")
    play_on(red, random.Random(3), 5)
    assert match.info()["variant"] == "small"


TITLES = SMALL.replace(
    "[board]", 'title = { en = "Tiny field", de = "Kleines Feld" }\ndescription = "With a lake."\n\n[board]'
)


def test_a_title_stands_in_lists_matches_and_previews_and_stays_with_the_match(tmp_path: Path, folder: Path) -> None:
    (folder / "small.toml").write_text(TITLES, encoding="utf-8")
    titles = {"en": "Tiny field", "de": "Kleines Feld"}
    with running(tmp_path, variants=str(folder), static=str(STATIC)) as server:
        cards = {card["variant"]: card for card in server.get("/api/games").json()}
        assert (cards["small"]["title"], cards["small"]["description"]) == (titles, {"": "With a lake."})
        assert cards["barrage"]["title"] == {}
        match = server.match(("me", "level-1"), variant="small")
        assert match.info()["title"] == titles
        assert "Kleines Feld" in server.get("/rules/small?language=de").text
        assert "With a lake." in server.get("/new/small").text
        server.kill()
        (folder / "small.toml").write_text(SMALL, encoding="utf-8")
        server.start()
        assert "Tiny field" in server.get(f"/match/{match.id}").text, "read from the log"
        assert match.info()["title"] == titles
        assert "Small" in server.get("/rules/small").text


def test_own_variants_have_one_label_in_the_metrics(tmp_path: Path, folder: Path) -> None:
    (folder / "other.toml").write_text(OTHER, encoding="utf-8")
    with reserve_port() as reserved:
        port = reserved.getsockname()[1]
        with running(tmp_path, variants=str(folder), metrics_port=port) as server:
            for variant in ("small", "other", "barrage"):
                server.match(variant=variant)
            numbers = read(port)
            made = {name: number for name, number in numbers.items() if name.startswith("gonfalon_matches_made")}
            assert made == {"gonfalon_matches_made_total own": 2, "gonfalon_matches_made_total barrage": 1}


def test_it_is_not_rated(server: Server) -> None:
    browser = server.browser()
    make_account(browser)
    seats = [{"kind": "me"}, {"kind": "agent", "agent": "level-1"}]
    wish = {"variant": "small", "seats": seats, "clock": {"kind": "bank", "bank": 300}, "rated": True}
    answer = browser.post("/api/matches", json=wish)
    assert (answer.status_code, refused(answer)) == (400, "bad-rules")
    assert "not rated" in answer.text


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("barrage.toml", SMALL, "barrage.toml: 'barrage' is the name of a shipped variant"),
        ("small.toml", SMALL.replace("c3", "c9"), "small.toml: board: blocked: no square 'c9'"),
        ("small.toml", "inherits = 3", "small.toml: inherits"),
        ("rows.toml", "columns = 5", "no file here is a variant"),
    ],
)
def test_a_bad_folder_is_refused_at_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, reason: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    told = fails(capsys, "serve", "--port", "0", "--variants", str(tmp_path))
    assert "--variants: " in told
    assert reason in told


def test_a_missing_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no such folder" in fails(capsys, "serve", "--port", "0", "--variants", str(tmp_path / "none"))
