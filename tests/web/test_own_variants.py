"""Variants of the operator's own on the page: the list, the form, the rules, and a match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gonfalon.server.config import STATIC
from server.harness import Server, running
from server.test_own_variants import SMALL, TITLES
from web.conftest import CLAIM_AFTER, Browse
from web.guard import Guard
from web.table import Table

MATCH = re.compile(r"/match/[\w-]+$")


@pytest.fixture
def own(tmp_path: Path, guard: Guard) -> Iterator[Server]:
    """A server with the variant `small-board`."""
    folder = tmp_path / "variants"
    folder.mkdir()
    (folder / "small-board.toml").write_text(SMALL, encoding="utf-8")
    with running(tmp_path, static=str(STATIC), claim_after=CLAIM_AFTER, variants=str(folder)) as started:
        guard.host = started.url("").removeprefix("http://").rstrip("/")
        yield started


def test_a_match_on_a_board_of_the_servers_own(browse: Browse, own: Server) -> None:
    page = browse(own.url("/"))
    card = page.locator('[data-variant="small-board"]')
    expect(card.get_by_role("heading", name="Small board")).to_be_visible()
    card.scroll_into_view_if_needed()
    expect(card.locator("svg .water[d]:not([d=''])")).to_have_count(1)
    card.get_by_role("link", name="Rules of Small board").click()
    expect(page.get_by_role("heading", name="Small board")).to_be_visible()
    expect(
        page.get_by_text("5 by 6 squares. Each side has 6 pieces and places them in its first 2 rows.")
    ).to_be_visible()
    expect(page.get_by_text(re.compile("Each side has Marshal, Scout ×2, Spy, Bomb,? and Flag."))).to_be_visible()
    page.get_by_role("link", name="Play Small board").click()
    page.locator('[data-do="start"]').click()
    expect(page).to_have_url(MATCH)
    table = Table(page)
    expect(page.locator("[data-space]")).to_have_count(30)
    table.suggest()
    table.do("ready").click()
    expect(page.locator('[data-do="resign"]')).to_be_enabled()
    expect(page.locator(".panel")).to_contain_text("Small board")
    page.goto(own.url("/matches"))
    expect(page.get_by_text("Small board").first).to_be_visible()


def test_the_title_of_the_file_stands_everywhere(browse: Browse, tmp_path: Path, guard: Guard) -> None:
    folder = tmp_path / "titled"
    folder.mkdir()
    (folder / "small.toml").write_text(TITLES, encoding="utf-8")
    with running(tmp_path, static=str(STATIC), variants=str(folder)) as server:
        guard.host = server.url("").removeprefix("http://").rstrip("/")
        page = browse(server.url("/"), locale="de-DE")
        card = page.locator('[data-variant="small"]')
        expect(card.get_by_role("heading", name="Kleines Feld")).to_be_visible()
        expect(card).to_contain_text("With a lake.")
        page.goto(server.url("/rules/small"))
        expect(page.get_by_role("heading", name="Kleines Feld")).to_be_visible()
        expect(page.get_by_text("With a lake.")).to_be_visible()
        page.goto(server.url("/new/small"))
        page.locator('[data-do="start"]').click()
        expect(page).to_have_url(MATCH)
        expect(page.locator(".panel")).to_contain_text("Kleines Feld")
        expect(page).to_have_title(re.compile("Kleines Feld"))
        page.goto(server.url("/matches"))
        expect(page.get_by_text("Kleines Feld").first).to_be_visible()
        page.wait_for_load_state("networkidle")


def test_an_address_of_no_variant_is_no_page(browse: Browse, own: Server, guard: Guard) -> None:
    guard.allow("404")
    assert own.get("/new/small-board").status_code == 200
    assert own.get("/new/other-board").status_code == 404
