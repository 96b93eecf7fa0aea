"""Names that players give themselves: which are accepted, who receives them, and how the log stores them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.ai import agents
from gonfalon.engine.records.lines import fit_line
from gonfalon.server.protocol.names import MOST_CHANGES, MOST_LETTERS, NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Named, Opened, SeatHeader, pack, unpack_entry
from server.harness import Client, Match, Server, running

RULES = NameRules((*agents(), "Level 8, masterly", "Stufe 8, meisterhaft", "Niveau 8, magistral", "Zufallsz\u00fcge"))


def called(match: Match) -> dict[str, str]:
    return {seat["side"]: seat["name"] for seat in match.info()["seats"]}


def give(client: Client, name: str) -> None:
    client.send("give-name", name=name)


def refused(client: Client, name: str) -> str:
    give(client, name)
    return str(client.until("refused")["line"]["code"])


# ---- which names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", ""),
        ("   ", ""),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u5f20\u4e09", "\u5f20\u4e09"),
        ("\u05d9\u05d5\u05e0\u05d4", "\u05d9\u05d5\u05e0\u05d4"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("<b>&amp;", "<b>&amp;"),
        ("x" * MOST_LETTERS, "x" * MOST_LETTERS),
        ("e\u0301" * MOST_LETTERS, "\u00e9" * MOST_LETTERS),
    ],
)
def test_names_that_are_taken(text: str, name: str) -> None:
    """A name that is taken stands unchanged in the record and the replay."""
    assert RULES.read(text) == name == fit_line(name)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * (MOST_LETTERS + 1), "name-too-long"),
        ("A\nda", "name-signs"),
        ("A\tda", "name-signs"),
        ("A\x00", "name-signs"),
        ("\u202eadA", "name-signs"),
        ("\u2066Ada", "name-signs"),
        ("A\u200bda", "name-signs"),
        ("A\u00a0da", "name-signs"),
        ("A\u2028da", "name-signs"),
        ("\ud800", "name-signs"),
        ("\ue000", "name-signs"),
        ("\u3164", "name-signs"),
        ("\u0301", "name-signs"),
        ("\u200dAda", "name-signs"),
        ("Ada\u200d", "name-signs"),
        ("A\u200dda", "name-signs"),
        ("\u0645\u200c\u200c\u062e", "name-signs"),
        ("A" + "\u0336" * 4, "name-signs"),
        ("level-8", "name-of-agent"),
        ("Greedy", "name-of-agent"),
        ("Level 8, masterly", "name-of-agent"),
        ("  LEVEL  8, MASTERLY", "name-of-agent"),
        ("Level \uff18", "name-of-agent"),
        ("\u24c1evel 8 - masterly", "name-of-agent"),
        ("Niveau 8, magistral", "name-of-agent"),
        ("stufe8", "name-of-agent"),
        ("Zufallszuge", "name-of-agent"),
        ("Zufallszu\u0308ge", "name-of-agent"),
    ],
)
def test_names_that_are_refused(text: str, code: str) -> None:
    with pytest.raises(Declined) as refusal:
        RULES.read(text)
    assert refusal.value.line.code == code


def test_logs_of_earlier_versions_have_no_names() -> None:
    assert unpack_entry(pack(Named(1, "Ada"))) == Named(1, "Ada")
    assert unpack_entry(b'{"k":"opened","by":1,"secret":"x"}') == Opened(1, "x")
    assert SeatHeader().name == ""


# ---- at a match ---------------------------------------------------------------------------------------------------


def test_the_maker_and_the_guest_are_called_what_they_say(server: Server) -> None:
    wish = {"variant": "barrage", "seats": [{"kind": "me", "name": " Ada "}, {"kind": "person"}]}
    made = server.post("/api/matches", wish).json()
    match = Match(server, made["match"], made["secrets"], made["invitations"])
    assert called(match) == {"red": "Ada", "blue": ""}
    red, blue, watcher = match.sit("red"), match.sit("blue"), match.sit()
    give(blue, "Charles")
    for each in (red, blue, watcher):
        while each.until("presence")["match"]["seats"][1]["name"] != "Charles":
            pass
    assert refused(watcher, "Nobody") == "no-seat"


def test_a_match_is_not_made_with_a_name_that_is_refused(server: Server) -> None:
    wish = {"variant": "barrage", "seats": [{"kind": "me", "name": "\u202eadA"}, {"kind": "person"}]}
    answer = server.post("/api/matches", wish)
    assert (answer.status_code, answer.json()["line"]["code"]) == (400, "name-signs")


def test_names_end_changing(match: Match) -> None:
    blue = match.sit("blue")
    give(blue, "the same")
    for _ in range(3):
        give(blue, "the same")  # the name is the same, so this is no change
    for number in range(MOST_CHANGES - 1):
        give(blue, f"name {number}")
    assert refused(blue, "one more") == "renamed-often"
    assert called(match)["blue"] == f"name {MOST_CHANGES - 2}"
    assert refused(blue, "x" * 25) == "name-too-long"
    assert refused(blue, "x" * 201) == "bad-message"


def test_a_new_guest_is_not_called_like_the_one_before(match: Match) -> None:
    red, blue = match.both()
    give(blue, "Mallory")
    while red.until("presence")["match"]["seats"][1]["name"] != "Mallory":
        pass
    red.send("invite", side="blue")
    red.until("invitation")
    assert called(match)["blue"] == ""


def test_a_name_does_not_keep_the_maker_from_inviting_anew(match: Match) -> None:
    blue = match.sit("blue")
    give(blue, "Ada")
    blue.until("presence")
    assert match.info()["seats"][1]["may_invite"]


def test_names_stay_through_a_kill_into_record_replay_and_rematch(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.match()
        red, blue = match.both()
        give(blue, "Ada")
        while red.until("presence")["match"]["seats"][1]["name"] != "Ada":
            pass
        server.kill()
        server.let_go()
        server.start()
        red, blue = match.both()
        assert called(match) == {"red": "", "blue": "Ada"}
        blue.send("resign")
        red.until("ended")
        assert "player blue: Ada\n" in server.get(f"/api/matches/{match.id}/record").text
        assert server.get(f"/api/matches/{match.id}/replay").json()["names"] == {"blue": "Ada"}
        assert refused(blue, "Eve") == "over"
        for each in (red, blue):
            each.send("offer-rematch")
        ready = blue.until("rematch-ready")
        names = {seat["side"]: seat["name"] for seat in server.get(f"/api/matches/{ready['match']}").json()["seats"]}
        assert names == {"red": "Ada", "blue": ""}


def test_the_titles_of_computer_players_come_from_the_built_page(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "facts.json").write_text('{"screens": {}, "agents": ["Livello 8, magistrale"]}')
    with running(tmp_path / "data", static=str(page)) as server:
        match = server.match(("me", "person"), variant="duel")
        assert refused(match.sit("red"), "livello 8") == "name-of-agent"
