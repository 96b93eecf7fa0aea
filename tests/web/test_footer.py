"""The footer of screens outside a match, and the screen About."""

from __future__ import annotations

import os
import re

from playwright.sync_api import Page, Route, expect

import gonfalon
from server.harness import Server
from web.conftest import Browse
from web.setting import sit_at
from web.speed import WATCH, visit

SOURCE = "https://code.example/gonfalon"
PHONE = {"width": 360, "height": 640}


def footer(page: Page) -> list[str]:
    return [text.strip() for text in page.get_by_role("contentinfo").locator("> *").all_inner_texts()]


def test_screens_outside_a_match_have_a_footer(browse: Browse, server: Server) -> None:
    for path in ("/", "/new/duel", "/rules/duel", "/matches", "/replay", "/settings"):
        page = browse(path, viewport=PHONE)
        page.locator("h1").first.wait_for()
        assert footer(page) == [f"Gonfalon {gonfalon.__version__}", "Rules", "About", "Privacy"]
    table = sit_at(browse(viewport=PHONE), server.match(), "red")
    table.do("ready").wait_for()
    expect(table.page.locator("footer")).to_have_count(0)


def test_it_leads_to_all_rules_and_to_facts_about_the_program(browse: Browse) -> None:
    page = browse("/")
    page.get_by_role("contentinfo").get_by_role("link", name="Rules").click()
    for variant in gonfalon.variants():
        expect(page.locator(f'main a[href="/rules/{variant}"]')).to_be_visible()
    page.get_by_role("contentinfo").get_by_role("link", name="About").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Gonfalon {gonfalon.__version__}")
    expect(page.locator("main")).to_contain_text(re.compile("Compatible with: .*not connected with the publishers"))
    expect(page.locator("main")).to_contain_text(re.compile("MIT License.*SIL Open Font License"))
    expect(page.get_by_role("link", name="Source")).to_have_count(0)
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=f"{shots}/about.png")


def test_the_operators_source_is_a_link(browse: Browse) -> None:
    def add_source(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace('<div id="page"', f'<div id="page" data-source="{SOURCE}"')
        route.fulfill(response=answer, body=text)

    page = browse("about:blank")
    page.route(re.compile("/about$"), add_source)
    page.goto("/about")
    links = page.get_by_role("link", name="Source")
    expect(links).to_have_count(2)
    for link in links.all():
        expect(link).to_have_attribute("href", SOURCE)


def test_it_does_not_move_while_a_screen_loads(browse: Browse) -> None:
    page = browse("about:blank", viewport=PHONE)
    page.add_init_script(f"({WATCH})()")
    for path in ("/settings", "/matches", "/"):
        visit(page, path)
        moved = page.evaluate("() => window.cost.moved")
        assert not any("footer" in what for what in moved), moved
        if shots := os.environ.get("SHOTS"):
            page.screenshot(path=f"{shots}/footer-{path.strip('/')}.png", full_page=True)
