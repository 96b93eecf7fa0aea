"""Rated play against a level: with an account and a clock, without help, and rated once it is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.harness import Server, running, wait_for
from server.visitors import make_account, new_match, refused, sit

SEATS = [{"kind": "me"}, {"kind": "agent", "agent": "level-1"}]
CLOCK = {"kind": "bank", "bank": 300, "increment": 3}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"clock": None}, "rated-needs-clock"),
        ({"clock": {"kind": "untimed"}}, "rated-needs-clock"),
        ({"seats": [{"kind": "me"}, {"kind": "agent", "agent": "random"}]}, "rated-needs-levels"),
        ({"seats": [{"kind": "me"}, {"kind": "me"}]}, "rated-needs-levels"),
    ],
)
def test_what_cannot_be_rated(server: Server, change: dict[str, Any], code: str) -> None:
    browser = server.browser()
    make_account(browser)
    wish = {"variant": "duel", "seats": SEATS, "clock": CLOCK, "rated": True, **change}
    assert refused(browser.post("/api/matches", json=wish)) == code


@pytest.mark.parametrize("guest", [False, True])
def test_rated_play_needs_an_account(server: Server, guest: bool) -> None:
    browser = server.browser()
    if guest:
        browser.post("/api/guests", json={})
    wish = {"variant": "duel", "seats": SEATS, "clock": CLOCK, "rated": True}
    assert refused(browser.post("/api/matches", json=wish)) == "rated-needs-account"


def test_a_lost_match_is_rated_and_shown(server: Server) -> None:
    browser = server.browser()
    name, _ = make_account(browser)
    made = new_match(browser, *SEATS, variant="duel", clock=CLOCK, rated=True)
    client = sit(server, made["match"], browser)
    assert client.welcome["match"]["rated"]
    client.send("ask-advice")
    assert client.until("refused")["line"]["code"] == "rated-no-help"
    client.send("return", n=1)
    assert client.until("refused")["line"]["code"] == "rated-no-help"
    client.send("resign")
    client.until("ended")
    wait_for(lambda: server.get(f"/api/matches/{made['match']}/ratings").json()["seats"])
    (rating,) = server.get(f"/api/people/{name}").json()["ratings"]
    assert (rating["variant"], rating["pool"]) == ("duel", "levels")
    assert rating["rating"]["rating"] < 1500
    assert rating["rating"]["provisional"]
    (listed,) = server.get(f"/api/people/{name}/matches").json()["matches"]
    assert (listed["rated"], listed["result"]) == (True, "loss"), "everybody may see a rated match"
    assert browser.get("/api/account/export").json()["ratings"]


def test_a_server_killed_at_the_end_rates_the_match_once(tmp_path: Path) -> None:
    """The server is killed as soon as a player knows of the end; after the next start there is one rating more."""
    with running(tmp_path) as server:
        browser = server.browser()
        name, _ = make_account(browser)
        for played in (1, 2, 3):
            made = new_match(browser, *SEATS, variant="duel", clock=CLOCK, rated=True)
            client = sit(server, made["match"], browser)
            client.send("resign")
            client.until("ended")
            server.kill()
            server.start()

            def is_rated(match: str = made["match"]) -> bool:
                return bool(server.get(f"/api/matches/{match}/ratings").json()["seats"])

            wait_for(is_rated)
            (rating,) = server.get(f"/api/people/{name}").json()["ratings"]
            assert rating["rating"]["matches"] == played
