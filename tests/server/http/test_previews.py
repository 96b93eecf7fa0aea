"""Previews of links, as messengers show them."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import httpx
import pytest

import gonfalon
from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn
from gonfalon.server.config import Config
from gonfalon.server.http.preview import _say_times, _subject_of_state, read_wishes
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import AnyEntry, Header, Invited, Named, Opened, SeatHeader
from gonfalon.server.storage.subjects import subject_of
from server.harness import Match, Server, running, wait_for

ENGLISH = {
    "titles": {
        "page": "The page",
        "invited": "Come and play {name}",
        "invited-by": "{host}: come and play {name}",
        "match": "A match of {name}",
        "game": "{name}",
    },
    "text": "All games.",
    "script": "Needs scripts.",
    "games": {"barrage": ["Barrage", 'Short & "sharp".']},
    "times": {"live": "{minutes} minutes a decision.", "open": "No hurry."},
}
GERMAN = {
    "titles": {"page": "Die Seite", "invited": "Einladung zu {name}", "match": "Partie {name}", "game": "{name}"},
    "text": "Alle Spiele.",
    "script": "Braucht Skripte.",
    "late": "Noch nicht da.",
    "again": "Neu laden",
    "games": {"barrage": ["Sperrfeuer", "Kurz."]},
}
WORDS = {"en": ENGLISH, "de": GERMAN, "fr": {**ENGLISH, "text": "Tous les jeux."}}
INDEX = """<!doctype html><html lang="en"><title>x</title><link rel="manifest" href="/manifest.webmanifest" />
<!-- preview --><div id="page"><!-- not started --></div><!-- no script -->"""


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text(INDEX + " " * 1000)
    (folder / "previews.json").write_text(json.dumps(WORDS))
    return folder


def tags(server: Server, path: str, **headers: str) -> dict[str, str]:
    text = httpx.get(server.url(path), headers=headers, timeout=60).text
    found = re.findall(r'<meta (?:name|property)="([a-z:]+)" content="([^"<>]*)" />', text)
    return {name: html.unescape(value) for name, value in found}


def test_a_link_says_what_it_leads_to_and_its_picture_has_a_whole_address(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built), hosts=("play.example",)) as server:
        match = server.match(("me", "person"), variant="barrage")
        path = f"/match/{match.id}"
        assert tags(server, path)["og:title"] == "Come and play Barrage"
        assert tags(server, path)["og:description"] == 'Short & "sharp".'
        match.sit("blue").close()
        assert tags(server, path)["og:title"] == "A match of Barrage"
        assert tags(server, "/rules/barrage")["og:title"] == "Barrage"
        for other in ("/", "/settings", "/match/none", "/rules/none"):
            assert tags(server, other)["og:title"] == "The page"
        found = tags(server, path, host="play.example:8080")
        assert found["og:image"] == "http://play.example:8080/preview.png"
        assert found["og:url"] == f"http://play.example:8080{path}"


def test_an_invitation_names_its_host(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        match = server.match(("me", "person"), variant="barrage")
        red = match.sit("red")
        for name, title in (("A<b> {name}", "A<b> {name}: come and play Barrage"), ("", "Come and play Barrage")):
            red.send("give-name", name=name)
            red.until("presence")
            assert tags(server, f"/match/{match.id}")["og:title"] == title


def sample_entries() -> list[AnyEntry]:
    return [
        Named(0, "Ada"),
        Opened(1, hash_secret("guest")),
        Named(1, "Bob"),
        Invited(0, 1, hash_secret("invitation")),
        Named(0, ""),
        Opened(1, hash_secret("other")),
    ]


@pytest.mark.parametrize(("seconds", "line"), [(600, "10 minutes a decision."), (0, "No hurry.")])
def test_an_invitation_names_its_time(tmp_path: Path, built: Path, seconds: int, line: str) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        seats = [{"kind": "me"}, {"kind": "person"}]
        clock = {"kind": "untimed", "claim_after": seconds}
        made = server.post("/api/matches", {"variant": "barrage", "seats": seats, "clock": clock}).json()
        path = f"/match/{made['match']}"
        assert tags(server, path)["og:description"] == f'Short & "sharp". {line}'
        assert tags(server, f"{path}?language=de")["og:description"] == "Kurz.", "a build without such words"
        Match(server, made["match"], made["secrets"], made["invitations"]).sit("blue").close()
        assert tags(server, path)["og:description"] == 'Short & "sharp".', "nobody is invited any more"


def test_a_match_in_memory_is_described_as_from_its_log() -> None:
    seats = (
        SeatHeader("Eve", secret=hash_secret("maker"), maker=True, device=True),
        SeatHeader("Guest", invitation=hash_secret("first")),
    )
    header, game, kinds = Header("m", "barrage", {}, seats, 0, 120), gonfalon.make("barrage"), []
    for count in range(len(sample_entries()) + 1):
        entries = sample_entries()[:count]
        subject = subject_of(header, entries)
        assert _subject_of_state(MatchState(header, game, entries)) == subject
        kinds.append(subject.kind)
    assert kinds == ["invited-by", "invited-by", "match", "match", "invited-by", "invited", "match"]


def test_a_log_is_read_once_for_previews_and_no_more_than_an_address_may(tmp_path: Path, built: Path) -> None:
    """The address may make two matches and read one log; without a log the preview is the general one."""
    allowed = {"create_rate": 1e-9, "create_burst": 3, "idle_after": 0.5}
    with running(tmp_path / "data", static=str(built), **allowed) as server:
        match, other = (server.match(("me", "person"), variant="barrage") for _ in range(2))
        for _ in range(3):
            assert tags(server, f"/match/{match.id}")["og:title"] == "Come and play Barrage"
        answer = httpx.get(server.url(f"/match/{other.id}"), timeout=60)
        assert (answer.status_code, httpx.head(server.url(f"/match/{other.id}"), timeout=60).status_code) == (200, 200)
        assert "<title>The page</title>" in answer.text
        guest = other.sit("blue")
        assert tags(server, f"/match/{other.id}")["og:title"] == "A match of Barrage", "a match in memory costs nothing"
        guest.close()
        match.sit("blue").close()
        wait_for(lambda: tags(server, f"/match/{match.id}")["og:title"] == "The page")  # no longer what was kept


def test_a_link_is_described_in_its_own_language_else_in_that_of_the_request(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        path = f"/match/{server.match(('me', 'person'), variant='barrage').id}"
        said = tags(server, f"{path}?language=de")
        assert (said["og:title"], said["og:description"]) == ("Einladung zu Sperrfeuer", "Kurz.")
        assert said["og:url"] == f"{server.url(path)}?language=de"
        wishes = {"accept-language": "pt-PT, fr;q=0.4, de-AT;q=0.9, en;q=0"}
        assert tags(server, path, **wishes)["og:title"] == "Einladung zu Sperrfeuer"
        assert tags(server, path, **wishes)["og:url"] == server.url(path)
        assert tags(server, f"{path}?language=en", **wishes)["og:title"] == "Come and play Barrage"
        for unknown in ("xx", "", "de%22%3E%3Cscript%3E", "de&language=fr", "../de"):
            said = tags(server, f"/?language={unknown}")
            assert said["og:title"] in ("The page", "Die Seite")
            assert "script" not in said["og:url"]


def test_the_first_document_is_in_the_language_of_the_request(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        first = httpx.get(server.url("/"), headers={"accept-language": "de"}, timeout=60)
        assert "accept-language" in first.headers["vary"]
        for text in (
            '<html lang="de">',
            "<title>Die Seite</title>",
            "<noscript><p>Braucht Skripte.</p></noscript>",
            '<p>Noch nicht da.</p><p><a href="">Neu laden</a></p></div></div>',
            'href="/manifest.de.webmanifest"',
        ):
            assert text in first.text
        match = httpx.get(server.url("/match/x"), headers={"accept-language": "de"}, timeout=60).text
        assert "Noch nicht da." in match
        assert '<a href="">' not in match, "the link would lose the secret of a seat"
        again = {"accept-language": "fr", "if-none-match": first.headers["etag"]}
        assert httpx.get(server.url("/"), headers=again, timeout=60).status_code == 200
        plain = httpx.get(server.url("/"), headers={"accept-language": "*"}, timeout=60).text
        for text in ('<html lang="en">', 'href="/manifest.webmanifest"'):
            assert text in plain


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        ("", []),
        ("de", ["de"]),
        ("de-AT,de;q=0.8, en-GB ; q=0.9", ["de", "en", "de"]),
        ("da;q=0, nl;q=0.5, it;q=1.0", ["it", "nl"]),
        ("es;q=2, pt;q=much, fr;q=", []),
        ("da;level=1", []),
        ("en-US@posix, de_DE.utf-8;q=0.9", ["en", "de"]),
    ],
)
def test_the_wishes_of_a_request(header: str, languages: list[str]) -> None:
    assert read_wishes(header) == languages


def test_only_a_trusted_proxy_says_how_it_was_asked(tmp_path: Path, built: Path) -> None:
    told = {"x-forwarded-proto": "https"}
    with running(tmp_path / "data", static=str(built)) as server:
        assert tags(server, "/", **told)["og:image"].startswith("http://")
    with running(tmp_path / "behind", static=str(built), trusted_proxies=["127.0.0.1"]) as server:
        assert tags(server, "/", **told)["og:image"].startswith("https://")
        assert tags(server, "/", **{"x-forwarded-proto": "gopher"})["og:image"].startswith("http://")


def test_nothing_in_a_request_becomes_a_tag_of_its_own_and_no_secret_stands_in_one(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        match = server.match(("me", "person"), variant="barrage")
        plain = httpx.get(server.url(f"/match/{match.id}"), timeout=60).text
        assert not any(secret in plain for secret in (*match.secrets.values(), *match.invitations.values()))
        evil = httpx.get(server.url('/x"><script>'), headers={"host": 'localhost:1"><script>'}, timeout=60).text
        assert "<script>" not in evil


def test_no_answer_repeats_the_secret_of_a_damaged_link(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        match = server.match(("me", "person"), variant="barrage")
        secret = "invite." + match.invitations["blue"]
        path = f"/match/{match.id}"
        for link in (f"{path}%23{secret}", f"{path}%2523{secret}.", f"{path}?language=de%23{secret}", f"{path}."):
            found = httpx.get(server.url(link), timeout=60)
            assert found.status_code == 200
            assert secret not in found.text
            assert server.url(path) in found.text
        assert tags(server, f"{path}%23{secret}")["og:title"] == "Come and play Barrage"
        assert tags(server, f"{path}?language=de%23{secret}")["og:description"] == "Kurz."
        for link in (f"/{match.id}%23{secret}", f"/api/{match.id}%23{secret}", f"/api/matches/{match.id}%23{secret}"):
            found = httpx.get(server.url(link), timeout=60)
            assert found.status_code == 404
            assert secret not in found.text


def test_the_page_tells_its_version_and_the_source_that_the_operator_names(tmp_path: Path, built: Path) -> None:
    version = f'<div id="page" data-version="{gonfalon.__version__}"'
    with running(tmp_path / "data", static=str(built)) as server:
        assert f"{version}>" in server.get("/").text
    with running(tmp_path / "source", static=str(built), source='https://code.example/a?b="c"&d') as server:
        assert f'{version} data-source="https://code.example/a?b=&quot;c&quot;&amp;d">' in server.get("/").text


@pytest.mark.parametrize(
    "source", ["code.example", "ftp://code.example", "javascript:alert(1)", "https://", "http:///x"]
)
def test_a_source_without_an_address_of_the_web_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="the source needs a URL with http or https"):
        Config(source=source)


def test_the_page_is_compressed_and_not_sent_again(tmp_path: Path, built: Path) -> None:
    with running(tmp_path / "data", static=str(built)) as server:
        first = httpx.get(server.url("/"), headers={"accept-encoding": "gzip"}, timeout=60)
        assert (first.headers["content-encoding"], first.headers["content-type"]) == (
            "gzip",
            "text/html; charset=utf-8",
        )
        again = {"accept-encoding": "gzip", "if-none-match": first.headers["etag"]}
        assert httpx.get(server.url("/"), headers=again, timeout=60).status_code == 304
        other = httpx.get(server.url("/rules/barrage"), headers=again, timeout=60)
        assert other.status_code == 200


def test_without_the_words_of_the_build_the_page_is_as_it_is(tmp_path: Path, built: Path) -> None:
    (built / "previews.json").unlink()
    with running(tmp_path / "data", static=str(built)) as server:
        assert tags(server, "/") == {}
        assert "<title>x</title>" in server.get("/").text


UNITS = {"minutes": "{minutes} min", "seconds": "{seconds} s", "minutes-seconds": "{minutes} min {seconds} s"}
TIMES = {
    "bank": "{time} each.",
    "increment": "{time} and {extra} more.",
    "delay": "{time}, {extra} free.",
    "delay-only": "{extra} each.",
    "longest": "At most {longest}.",
    "deployment": "First {deployment}.",
    "turn": "{time} a turn.",
    "correspondence": "{count} days.",
    "correspondence.one": "{count} day.",
    **UNITS,
}


@pytest.mark.parametrize(
    ("clock", "line"),
    [
        (Bank(900, deployment=90), "15 min each. First 90 s."),
        (Bank(900, delay=3, longest=180), "15 min, 3 s free. At most 3 min. First 5 min."),
        (Bank(450, increment=5), "7 min 30 s and 5 s more. First 5 min."),
        (Bank(0, delay=20), "20 s each. First 5 min."),
        (PerTurn(60, deployment=600), "1 min a turn. First 10 min."),
        (Correspondence(1), "1 day."),
        (Correspondence(3), "3 days."),
    ],
)
def test_a_preview_says_every_time_control(clock: Control, line: str) -> None:
    assert _say_times(TIMES, clock) == line
    assert _say_times({}, clock) == "", "without the words of the build"


SCREENS = {"new": "needed", "rules": "optional", "match": "needed", "replay": "optional", "matches": "none"}


def test_an_address_without_a_screen_a_game_or_a_match_answers_404_with_the_page(tmp_path: Path, built: Path) -> None:
    (built / "facts.json").write_text(json.dumps({"screens": SCREENS}))
    with running(tmp_path / "data", static=str(built)) as server:
        match = server.match(("me", "person"), variant="barrage").id
        there = ("", "matches", "rules", "rules/barrage", "new/duel", f"match/{match}", f"match/{match}.", "replay")
        missing = (
            "nothing",
            "matches/x",
            "new",
            "new/chess",
            "rules/none",
            "match",
            "match/none",
            "replay/none",
            "a/b/c",
        )
        for status, paths in ((200, there), (404, missing)):
            for path in paths:
                answer = httpx.get(server.url(f"/{path}"), timeout=60)
                assert (path, answer.status_code) == (path, status)
                assert '<div id="page"' in answer.text
