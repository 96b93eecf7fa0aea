"""Checks of every screen. In all of these tests the page must not complain or contact another host."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

from playwright.sync_api import expect

import gonfalon
from gonfalon.server.config import STATIC
from web.conftest import Browse
from web.guard import Guard
from web.setting import new_match
from web.speed import visit
from web.table import wait_for

MOST_SCRIPT = 100_000
"""Maximum number of bytes of compressed script."""
FIRST_VISIT, SECOND_VISIT = 180_000, 10_000
"""Maximum number of bytes on the wire, including heads of answers."""
FIRST_REQUESTS = 14
BOARDS_IN_SIGHT = 4


def test_the_guard_sees_what_it_watches_for(browse: Browse, guard: Guard) -> None:
    page = browse("/")
    page.evaluate("() => { console.error('a complaint'); fetch('http://127.0.0.2:9/').catch(() => {}) }")
    for wanted in ("a complaint", "127.0.0.2|Content Security Policy"):
        wait_for(page, lambda wanted=wanted: any(re.search(wanted, each) for each in guard.problems()))
    guard.complaints.clear()
    guard.hosts.clear()


def test_the_script_of_every_page_stays_small() -> None:
    """Check the bytes of the files that all pages load, and of the largest part that loads on demand (a screen, the
    words of a language, texts of rules) with the files that it needs.
    """
    scripts = {script.name: script.read_bytes() for script in Path(STATIC).glob("**/*.js")}
    shared = {name for name in scripts if name in (Path(STATIC) / "index.html").read_text(encoding="utf-8")}
    assert shared
    parts = [_needed(name, scripts) - shared for name in scripts.keys() - shared]
    assert len(parts) >= len(gonfalon.families(unlisted=True))
    sizes = {name: len(gzip.compress(script)) for name, script in scripts.items()}
    largest = max(sum(sizes[name] for name in part) for part in parts)
    assert sum(sizes[name] for name in shared) + largest <= MOST_SCRIPT


def _needed(name: str, scripts: dict[str, bytes]) -> set[str]:
    """Return a script together with all scripts that it imports statically."""
    found: set[str] = set()
    rest = {name}
    while rest:
        found |= rest
        imports = (re.findall(r'(?:from|import)"\./([^"]+)"', scripts[each].decode()) for each in rest)
        rest = {each for names in imports for each in names} - found
    return found


def test_no_rule_makes_every_change_one_of_the_whole_page() -> None:
    """A browser keeps one list for all rules with `:has()`: the elements that may need new styles after a change. If
    the last part of a rule is no class, name or attribute, every element of every page is on that list.
    """
    argument = r":has\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    style = "\n".join(sheet.read_text(encoding="utf-8") for sheet in Path(STATIC).glob("**/*.css"))
    assert ":has(" in style
    selectors = re.findall(r"[^{}]*:has\([^{}]*(?=\{)", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))
    bare = [each for each in selectors if re.search(argument + r"[^,{]*[\s>+~](\*|:not)[^,\s>+~]*(,|$)", each)]
    assert not bare


def test_ones_own_matches_are_listed_after_the_tab_was_closed(browse: Browse) -> None:
    table = new_match(browse(), "duel", "agent:greedy")
    table.deploy()
    address = table.page.url
    context = table.page.context
    table.page.close()
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="Go on with a match")).to_be_visible()
    page.goto("/matches")
    page.locator("main ul a").first.click()
    expect(page).to_have_url(address)
    expect(page.locator(".board")).to_be_visible()


def test_an_unfinished_match_is_forgotten_only_after_a_question(browse: Browse) -> None:
    page = new_match(browse(), "duel", "agent:greedy").page
    page.locator('[data-do="ready"]').wait_for()
    page.goto("/matches")
    forget = page.get_by_role("button", name=re.compile("^Forget Duel"))
    forget.click()
    expect(page.locator("main ul a")).to_have_count(1)
    page.click('[data-do="keep"]')
    expect(page.locator('[data-do="confirm-forget"]')).to_have_count(0)
    forget.click()
    page.click('[data-do="confirm-forget"]')
    expect(page.locator("main ul a")).to_have_count(0)
    page.click('[data-do="undo-forget"]')
    page.locator("main ul a").click()
    page.locator('[data-do="ready"]').wait_for()  # the seat is the player's again


def test_own_results_are_counted_saved_and_read(browse: Browse, tmp_path: Path) -> None:
    table = new_match(browse(), "duel", "agent:greedy", "red")
    table.deploy()
    assert table.ready()
    page = table.page
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("replay").first.wait_for()
    page.goto("/matches")
    row = page.locator('[data-score="duel.greedy"]')
    expect(row).to_have_text(re.compile("Duel.*0.*0.*1"))
    with page.expect_download() as coming:
        table.do("save-results").click()
    coming.value.save_as(tmp_path / "mine.json")
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=f"{shots}/matches.png")
        page.set_viewport_size({"width": 360, "height": 640})
        page.screenshot(path=f"{shots}/matches360.png", full_page=True)
    other = browse("/matches")
    broken = tmp_path / "broken.json"
    broken.write_text((tmp_path / "mine.json").read_text().replace('"lost"', '"best"'))
    other.set_input_files('[name="results-file"]', broken)
    expect(other.get_by_role("alert")).to_have_text("Result 1 in this file is broken: end. Nothing was added.")
    other.set_input_files('[name="results-file"]', tmp_path / "mine.json")
    expect(other.locator('[data-score="duel.greedy"]')).to_have_text(re.compile("Duel.*0.*0.*1"))
    expect(other.get_by_text("Results added: 1.")).to_be_visible()


def test_settings_are_kept(browse: Browse) -> None:
    page = browse("/settings")
    page.check('[name="theme"][value="dark"]')
    page.locator('[name="names"]').select_option("de")
    expect(page.locator(".sample")).to_contain_text("Hauptmann")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".sample")).to_contain_text("Hauptmann")


def test_a_visit_of_the_start_page_is_light(browse: Browse) -> None:
    page = browse("about:blank")
    boards: list[str] = []
    page.on("requestfinished", lambda request: boards.append(request.url) if "/api/games/" in request.url else None)
    first = visit(page)
    # On a busy machine the network can be idle for a while before the boards are asked for.
    wait_for(page, lambda: len(boards) == BOARDS_IN_SIGHT, "the boards")
    assert 5 < first.requests <= FIRST_REQUESTS
    assert 50_000 < first.size <= FIRST_VISIT
    page.close()
    again = visit(page.context.new_page())
    assert 0 < again.size <= SECOND_VISIT


def test_boards_of_the_list_are_loaded_when_they_come_into_sight(browse: Browse) -> None:
    page = browse("about:blank", viewport={"width": 360, "height": 640})
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    visit(page)
    assert not any(url.endswith("/api/games/conquest") for url in loaded)
    page.locator('[data-variant="conquest"]').scroll_into_view_if_needed()
    wait_for(page, lambda: any(url.endswith("/api/games/conquest") for url in loaded), "the map")
    assert len(loaded) == len(set(loaded)), "nothing is asked for twice"
