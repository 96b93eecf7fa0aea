"""Nodes tell each other of changes to what they keep in memory: people, the lobby, ratings, old matches."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gonfalon.server.operator.requests import RenamePerson
from gonfalon.server.operator.socket import ask
from server.harness import Match, play, wait_for
from server.nodes.site import Node, Site, running_site, seen_from
from server.visitors import PASSWORD, log_in, make_account, new_match, new_name, sit


@contextlib.contextmanager
def in_lobby(node: Node, cookies: Any = None) -> Iterator[ClientConnection]:
    """Open a page of the lobby while the block runs."""
    cookie = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
    headers = {"Cookie": cookie} if cookie else {}
    uri = f"ws://127.0.0.1:{node.port}/api/lobby/socket"
    with connect(uri, compression=None, ping_interval=None, proxy=None, additional_headers=headers) as page:
        page.send('{"type": "hello", "window": "w"}')
        yield page


def hear(page: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while (told := json.loads(page.recv(timeout=60)))["type"] != kind:
        pass
    return dict(told)


def test_exactly_one_node_has_each_job(site: Site, one: Node, two: Node) -> None:
    assert site.ask("SELECT count(*) FROM jobs WHERE node IN ('one', 'two')") == 2
    for node in (one, two):
        with in_lobby(node) as page:
            assert hear(page, "lobby")["games"]


def test_people_at_different_nodes_are_paired(one: Node, two: Node) -> None:
    with contextlib.ExitStack() as stack:
        pages = []
        for node in (one, two):
            browser = node.browser()
            assert browser.post("/api/guests", json={}).status_code == 201
            pages.append(stack.enter_context(in_lobby(node, browser.cookies)))
            pages[-1].send('{"type": "seek", "game": "barrage"}')
        found = [hear(page, "paired") for page in pages]
        assert found[0]["match"] == found[1]["match"]


def test_a_match_of_another_node_is_in_the_list_while_it_runs(site: Site, one: Node, two: Node) -> None:
    holder = site.ask("SELECT node FROM jobs WHERE job = 'meeting'")
    other = next(node for node in (one, two) if node.name != holder)
    rng = random.Random(6)
    browser = other.browser()
    make_account(browser)
    seats = ({"kind": "me"}, {"kind": "agent", "agent": "level-1"})
    made = new_match(browser, *seats, rated=True, clock={"kind": "bank", "bank": 600, "deployment": 600})
    with in_lobby(one) as page:
        hear(page, "lobby")
        red = sit(other, made["match"], browser, next(iter(made["secrets"].values())))
        assert site.find_owner(made["match"]) == other.name
        red.deploy(rng)
        while not any(match["id"] == made["match"] for match in hear(page, "lobby-update").get("started", ())):
            pass
        red.send("resign")
        red.until("ended")
        while made["match"] not in hear(page, "lobby-update").get("ended", ()):
            pass
    wait_for(lambda: site.ask("SELECT count(*) FROM rating_changes WHERE match = :match", match=made["match"]) == 1)


def test_a_session_that_ends_at_one_node_ends_at_all(one: Node, two: Node) -> None:
    browser = one.browser()
    name, _ = make_account(browser)
    match = new_match(browser)
    away = log_in(two, name)
    assert away.get("/api/me").json()["name"] == name
    seat = sit(two, match["match"], away)
    sessions = browser.get("/api/account").json()["sessions"]
    other = next(session for session in sessions if not session["current"])
    assert browser.post("/api/account/sessions/end", json={"id": other["id"]}).status_code == 204
    with pytest.raises(ConnectionClosed):
        seat.until("ended", 30)
    wait_for(lambda: not away.get("/api/me").json()["name"])


def test_a_new_name_is_seen_everywhere(site: Site, one: Node, two: Node) -> None:
    browser = one.browser()
    name, _ = make_account(browser)
    made = new_match(browser)
    match = Match(two, made["match"], made["secrets"], made["invitations"])
    red = match.sit("red")
    new = new_name()

    asyncio.run(ask(Path(one.settings["data"]), RenamePerson(name, new)))
    while red.until("presence")["match"]["seats"][0]["account"] != new:
        pass
    assert site.find_owner(match.id) == "two"


def test_a_block_counts_at_every_node(one: Node, two: Node) -> None:
    ada, bob = one.browser(), two.browser()
    ada_name, _ = make_account(ada)
    bob_name, _ = make_account(bob)
    assert ada.post("/api/account/blocks", json={"name": bob_name, "on": True}).status_code == 204
    terms = {"variant": "barrage", "switches": {}, "clock": None, "rated": False, "side": ""}

    def is_refused() -> bool:
        with in_lobby(two, bob.cookies) as page:
            hear(page, "you")
            page.send(json.dumps({"type": "post-challenge", "terms": terms, "to": ada_name}))
            return hear(page, "refused")["line"]["code"] == "cannot-challenge"

    wait_for(is_refused)


def test_the_names_of_a_deleted_person_are_gone_at_every_node(one: Node, two: Node) -> None:
    browser = one.browser()
    make_account(browser)
    made = new_match(browser, {"kind": "me", "name": "Ada L."}, {"kind": "person"})
    match = Match(two, made["match"], made["secrets"], made["invitations"])
    blue = match.sit("blue")
    assert blue.welcome["match"]["seats"][0]["account"]
    assert browser.post("/api/account/delete", json={"password": PASSWORD}).status_code == 200
    while not blue.until("presence")["match"]["seats"][0]["deleted"]:
        pass


def test_old_matches_in_the_memory_of_any_node_stay(tmp_path: Path) -> None:
    with running_site(tmp_path, "one", "two", "three", keep_days=1) as site:
        sweeper = site.ask("SELECT node FROM jobs WHERE job = 'upkeep'")
        leaving, *staying = sorted(site.nodes, key=lambda node: node.name != sweeper)
        kept, gone = [node.match() for node in staying], staying[0].match()
        for match in kept:
            match.sit("red")
        site.change("UPDATE matches SET created = 0")
        leaving.stop()  # the node that takes its job over begins with a search
        count = "SELECT count(*) FROM matches WHERE id = :match"
        wait_for(lambda: site.ask(count, match=gone.id) == 0)
        assert [site.ask(count, match=match.id) for match in kept] == [1, 1]
        for match in kept:
            assert match.sit("red").quiet() is not None


def test_a_whole_match_is_over_for_all(site: Site, one: Node, two: Node) -> None:
    rng = random.Random(8)
    match = one.match()
    red, blue = match.sit("red"), seen_from(two, match).sit("blue")
    red.deploy(rng)
    blue.deploy(rng)
    play((red, blue), rng, 10)
    blue.send("resign")
    assert red.until("ended")
    assert two.get(f"/api/matches/{match.id}/record").status_code == 200
    assert one.get(f"/api/matches/{match.id}/replay").status_code == 200
    assert site.find_owner(match.id) == "one"
