"""Routes, headers, limits, the static page."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from gonfalon.games import variants
from gonfalon.server.config import Config
from gonfalon.server.http.routes import ON_ERROR
from gonfalon.server.net.hosts import Hosts
from gonfalon.server.storage.holding import FencedError
from gonfalon.server.storage.writer import StoreError
from server.harness import Match, Server, running

ROOT = Path(__file__).parents[3]
PATHS = ("/", "/api/games", "/api/nothing", "/healthz", "/no.js", "/api/matches/none", "/api/matches/none/socket")


@pytest.mark.parametrize("path", PATHS)
def test_security_headers_on_every_answer(server: Server, path: str) -> None:
    headers = server.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "permissions-policy" in headers
    assert "server" not in headers


def test_lists(server: Server) -> None:
    cards = server.get("/api/games").json()
    assert [card["variant"] for card in cards] == list(variants())
    page = server.get("/api/games/barrage").json()
    assert page["board"]["spaces"]
    assert sum(piece["count"] for piece in page["arrange"]["pieces"] if piece["face"]) == page["card"]["pieces"]
    assert page["deployments"]
    assert {"random", "greedy"} <= {agent["name"] for agent in server.get("/api/agents").json()}
    names = server.get("/api/names").json()
    assert (names["en"]["language"], names["en"]["names"]["marshal"]) == ("English", "Marshal")
    assert names["de"]["genders"]["bomb"] == "f"
    assert "marshal" in names["templars.en"]["names"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"variant": "nothing", "seats": []}, 400, "bad-rules"),
        ({"variant": "barrage", "seats": [{"kind": "me"}]}, 400, "bad-rules"),
        ({"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "cat"}]}, 400, "bad-rules"),
        ({"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "agent", "agent": "x"}]}, 400, "no-agent"),
        ({"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "me"}], "switches": {"x": 1}}, 400, "bad-rules"),
        (
            {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "me"}], "switches": {"rescue": 7}},
            400,
            "bad-rules",
        ),
        ({"variant": "barrage", "seats": [], "more": 1}, 400, "bad-message"),
        ([1], 400, "bad-message"),
        ({"variant": "x" * 20_000, "seats": []}, 413, "too-large"),
    ],
)
def test_bad_matches_are_refused(server: Server, body: object, status: int, code: str) -> None:
    answer = server.post("/api/matches", body)
    assert (answer.status_code, answer.json()["line"]["code"]) == (status, code)


def test_a_request_names_no_files(server: Server, tmp_path: Path) -> None:
    """The library makes variants from files; a server plays only those that it ships."""
    own = tmp_path / "mine.toml"
    own.write_text('inherits = "duel"\n', encoding="utf-8")
    for name in (str(own), str(tmp_path / "none.toml")):
        answer = server.post("/api/matches", {"variant": name, "seats": [{"kind": "me"}, {"kind": "me"}]})
        assert (answer.status_code, answer.json()["line"]["code"]) == (400, "bad-rules")
        assert f"no variant {name!r}" in answer.text.replace("\\", "")


def test_unknown_things_are_problems(server: Server) -> None:
    for path, code in (
        ("/api/nothing", "not-found"),
        ("/api/games/nothing", "no-variant"),
        ("/api/matches/none", "no-match"),
        ("/api/matches/none/replay", "no-match"),
    ):
        answer = server.get(path)
        assert (answer.status_code, answer.json()["line"]["code"]) == (404, code)
    assert httpx.delete(server.url("/api/games")).status_code == 405


@pytest.mark.parametrize("kind", ["text/plain", "text/plain; charset=application/json", "multipart/form-data", ""])
@pytest.mark.parametrize("path", ["/api/matches", "/api/replays", "/api/candidates"])
def test_a_body_that_does_not_say_it_is_json_is_refused(server: Server, path: str, kind: str) -> None:
    """A page of another site can make a browser send such a body without asking the server first (preflight)."""
    body = json.dumps({"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "me"}]})
    answer = httpx.post(server.url(path), content=body, headers={"content-type": kind} if kind else {})
    assert (answer.status_code, answer.json()["line"]["code"]) == (415, "not-json")


@pytest.mark.parametrize("name", ["%00.x", "assets/%00.js", "x" * 300 + ".js", "x/" * 3_000 + "y.js"])
def test_names_that_no_file_can_have_are_not_there(server: Server, name: str) -> None:
    assert server.get(f"/{name}").status_code == 404


@pytest.mark.parametrize("path", ["/", "/no.js", "/healthz", "/api/matches/none/socket", "/api/games"])
def test_content_types_name_one_charset(server: Server, path: str) -> None:
    kind = server.get(path).headers["content-type"]
    assert kind.count("charset=") == (not kind.startswith("application/json"))


HOSTS = {
    "localhost": True,
    "LOCALHOST:8000": True,
    "localhost.": True,
    "page.localhost": True,
    "127.0.0.1:8000": True,
    "192.168.1.7": True,
    "[::1]:8000": True,
    "play.example.org": True,
    "Play.Example.Org:443": True,
    "evil.example": False,
    "www.play.example.org": False,
    "localhost.evil.example": False,
    "127.0.0.1.evil.example": False,
    "2130706433": False,
    "": False,
}


def test_hosts() -> None:
    """A request with two `Host` headers is refused, since a proxy and the server might each believe another one."""
    hosts = Hosts(["play.example.org"])
    assert {name: hosts.allow([name]) for name in HOSTS} == HOSTS
    assert not hosts.allow([])
    assert not hosts.allow(["localhost", "localhost"])


def test_names_that_are_not_ours_are_refused(server: Server, match: Match) -> None:
    """A foreign page may have pointed its own host name at this server (DNS rebinding); then `Origin` and `Host`
    agree.
    """
    evil = {"host": "evil.example", "origin": "http://evil.example"}
    for path in ("/", "/api/games", f"/api/matches/{match.id}", "/healthz", "/no.js"):
        answer = httpx.get(server.url(path), headers=evil)
        assert (answer.status_code, answer.json()["line"]["code"]) == (403, "foreign-host")
        assert "content-security-policy" in answer.headers
    opening = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    opening["sec-websocket-key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
    path = f"/api/matches/{match.id}/socket"
    assert httpx.get(server.url(path), headers=evil | opening).status_code == 403
    own = {"host": "localhost", "origin": "http://localhost"}
    with httpx.stream("GET", server.url(path), headers=own | opening) as answer:
        assert answer.status_code == 101


def test_a_name_that_is_not_ours_is_explained_to_people(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Under the machine's own name people get a page that names the option, and the log has one line."""
    with running(tmp_path) as server:
        asked = {"host": "raspberrypi.local:8521", "accept": "text/html,*/*"}
        answers = [httpx.get(server.url("/new/duel"), headers=asked) for _ in range(3)]
        assert {(answer.status_code, answer.headers["content-type"]) for answer in answers} == {
            (403, "text/html; charset=utf-8")
        }
        assert "gonfalon serve --name raspberrypi.local<" in answers[0].text
        assert len(answers[0].headers.get_list("content-security-policy")) == 1
        strange = httpx.get(server.url("/"), headers={**asked, "host": "a<b>.example"})
        assert (strange.status_code, "<b>.example" in strange.text) == (400, False)  # the HTTP parser refuses it
    lines = [line for line in capfd.readouterr().err.splitlines() if "raspberrypi.local" in line]
    assert len(lines) == 1


@pytest.mark.parametrize("path", [*PATHS, "/api/games/barrage", "/api/agents", "/nothing"])
def test_head_is_answered_as_get_without_a_body(server: Server, path: str) -> None:
    get, head = (httpx.request(method, server.url(path)) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (get.status_code, b"")
    kept = ("content-type", "etag", "cache-control", "content-security-policy", "content-length")
    assert [head.headers.get(name) for name in kept] == [get.headers.get(name) for name in kept]


def test_security_reports_have_a_contact_where_the_operator_names_one(server: Server, tmp_path: Path) -> None:
    path = "/.well-known/security.txt"
    assert server.get(path).status_code == 404
    with running(tmp_path, contact="mailto:safe@example.org") as named:
        contact, expires = named.get(path).text.splitlines()
    assert contact == "Contact: mailto:safe@example.org"
    left = datetime.fromisoformat(expires.removeprefix("Expires: ")) - datetime.now(UTC)
    assert timedelta(days=60) < left < timedelta(days=365)


@pytest.mark.parametrize("contact", ["safe@example.org", "http://example.org", "mailto:a@b\nPolicy: x", "https://"])
def test_a_contact_that_is_none_is_refused(contact: str) -> None:
    with pytest.raises(ValueError, match="the contact needs a URL with mailto, https or tel"):
        Config(contact=contact)


def test_search_engines_may_read_the_start_page_and_the_rules_only() -> None:
    lines = (ROOT / "web" / "public" / "robots.txt").read_text(encoding="ascii").splitlines()
    assert lines == ["User-agent: *", "Allow: /$", "Allow: /rules/", "Disallow: /"]


def test_house_rules_are_shown(server: Server) -> None:
    assert server.match(rescue=True).info()["changed"] == {"rescue": True}


def test_a_node_that_others_declared_dead_says_try_again(caplog: pytest.LogCaptureFixture) -> None:
    request = SimpleNamespace(method="POST", url=SimpleNamespace(path="/api/matches"))
    for cause, status, shown in ((FencedError(), 503, False), (OSError(), 500, True)):
        caplog.clear()
        error = StoreError(f"not stored: {cause}")
        error.__cause__ = cause
        answer: Any = ON_ERROR[StoreError](request, error)  # type: ignore[arg-type]
        assert answer.status_code == status
        assert bool(caplog.records[0].exc_info) is shown


def test_making_matches_is_limited(tmp_path: Path) -> None:
    with running(tmp_path, create_rate=0.01, create_burst=2) as server:
        codes = [server.post("/api/matches", {}).status_code for _ in range(4)]
        assert codes == [400, 400, 429, 429]


def test_the_page(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        answer = server.get("/match/abc")
        assert answer.status_code == 503
        assert "make setup" in answer.text
        page = tmp_path / "page"
        (page / "assets").mkdir(parents=True)
        (page / "index.html").write_text("<!doctype html><title>x</title>")
        (page / "assets" / "main-AbCd1234.js").write_text("1")
        (tmp_path / "private.txt").write_text("no")
        for path in ("/", "/matches", "/new/classic"):
            answer = server.get(path)
            assert "<title>" in answer.text
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-type"].startswith("text/html")
            check_kept(server.url(path), "gzip")
        script = server.get("/assets/main-AbCd1234.js")
        assert "immutable" in script.headers["cache-control"]
        assert "javascript" in script.headers["content-type"]
        for path in ("/none.js", "/%2e%2e/private.txt", "/..%2fprivate.txt", "/assets/%2e%2e/%2e%2e/private.txt"):
            assert "no\n" != server.get(path).text != "no"
            assert server.get(path).status_code == 404


def test_files_come_in_the_shortest_form_that_is_taken(tmp_path: Path) -> None:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>x</title>")
    script = page / "assets" / "main-AbCd1234.js"
    forms = {None: b"plain", "br": b"as brotli", "gzip": gzip.compress(b"plain")}
    for ending, encoding in (("", None), (".br", "br"), (".gz", "gzip")):
        script.with_name(script.name + ending).write_bytes(forms[encoding])
    with running(tmp_path) as server:
        for accepted, encoding in (
            ("gzip, deflate, br, zstd", "br"),
            ("GZIP;q=0.5", "gzip"),
            ("br;q=0, gzip", "gzip"),
            ("br; q=0.0", None),
            ("*", None),
            ("identity", None),
            ("", None),
        ):
            asked = {"accept-encoding": accepted}
            with httpx.stream("GET", server.url("/assets/main-AbCd1234.js"), headers=asked) as answer:
                raw = b"".join(answer.iter_raw())
            assert (answer.headers.get("content-encoding"), raw) == (encoding, forms[encoding]), accepted
            assert answer.headers["vary"] == "accept-encoding"
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["content-type"].startswith("text/javascript")


def check_kept(url: str, accepted: str) -> None:
    """Check that a client that names the tag of an answer it already has gets 304 without a body."""
    asked = {"accept-encoding": accepted}
    first = httpx.get(url, headers=asked, timeout=120)
    tag = first.headers["etag"]
    assert first.content
    assert first.headers["vary"].split(", ")[0] == "accept-encoding"
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = httpx.get(url, headers=asked | {"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert (again.headers["etag"], again.headers["vary"]) == (tag, first.headers["vary"])
        assert again.headers["cache-control"] == "no-cache"
        assert "content-security-policy" in again.headers
    assert httpx.get(url, headers=asked | {"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/api/games", "/api/names", "/api/agents", "/api/games/barrage"])
@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_what_a_browser_has_is_not_sent_again(server: Server, path: str, accepted: str) -> None:
    check_kept(server.url(path), accepted)


def test_large_lists_come_compressed_and_what_holds_secrets_does_not(server: Server) -> None:
    for path in ("/api/games", "/api/names", "/api/games/barrage"):
        small = httpx.get(server.url(path), headers={"accept-encoding": "gzip"}, timeout=120)
        plain = httpx.get(server.url(path), headers={"accept-encoding": "identity"})
        assert small.headers["content-encoding"] == "gzip"
        assert int(small.headers["content-length"]) < int(plain.headers["content-length"]) / 3
        assert small.json() == plain.json()
        assert small.headers["etag"] != plain.headers["etag"]
    body = {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "person"}]}
    made = httpx.post(server.url("/api/matches"), json=body, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in made.headers
    assert made.headers["cache-control"] == "no-store"
