"""Features of the browser that are missing or that throw: each costs only itself."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, expect

from server.harness import Match, Server
from web.conftest import Browse
from web.setting import deployed, new_match, scripted, sit_at
from web.table import wait_for

SOURCE = Path(__file__).parents[2] / "web" / "src" / "browser" / "features.ts"
TABLE = re.search(r"FEATURES = \[(.*?)\] as const", SOURCE.read_text(encoding="utf-8"), re.DOTALL)
FEATURES = re.findall(r"'([\w.]+)'", TABLE[1] if TABLE else "")
STORAGE = ("localStorage", "sessionStorage")
WAYS = ("missing", "throws")
TAKE_AWAY = """(() => {
  const take = (name, way) => {
    const steps = name.split('.')
    const last = steps.pop()
    const owner = steps.reduce((at, step) => at[step], window)
    const refuse = () => { throw new DOMException(`${name} is forbidden`, 'SecurityError') }
    const able = typeof owner[last] === 'function'
    for (let at = owner; at !== null; at = Object.getPrototypeOf(at)) delete at[last]
    if (way === 'throws') Object.defineProperty(owner, last,
      able ? { configurable: true, value: function () { refuse() } } : { configurable: true, get: refuse })
  }
  // The name of a window outlives its pages.
  const [way, ...names] = window.name.split(' ')
  for (const name of names) take(name, way)
  window.taken = names.length
})()"""


def take(page: Page, way: str, *names: str) -> None:
    """Take these features away from the pages that are opened from now on."""
    page.evaluate("(name) => { window.name = name }", " ".join([way, *names]))


def battle_of(server: Server) -> Match:
    match = server.match()
    deployed(match, "red", {"a1": "flag", "b4": "marshal"})
    deployed(match, "blue", {"j10": "flag", "i7": "general"})
    return match


def test_a_feature_that_is_taken_away_costs_only_itself(browse: Browse, server: Server) -> None:
    assert set(FEATURES) > set(STORAGE)
    match = battle_of(server)
    page = browse("/about")
    page.context.add_init_script(TAKE_AWAY)
    for way, feature in product(WAYS, FEATURES):
        take(page, way, feature)
        table = sit_at(page, match, "red")
        assert table.ready(), (way, feature)
        assert page.evaluate("() => window.taken") == 1
        if feature == "localStorage":  # without memory every match is the first one
            table.do("close-pictures").click()
        table.choose("b4")
        wait_for(page, table.targets, f"targets, {feature} {way}")
        # Without storage, tips cover the links, so press them by script.
        page.locator('header nav a[href="/settings"]').dispatch_event("click")
        expect(page.locator('select[name="language"]'), f"settings, {feature} {way}").to_be_visible()
        page.locator("header a.name").dispatch_event("click")
        expect(table.do("play-now"), f"start page, {feature} {way}").to_be_visible()


def test_a_match_is_played_without_any_of_them(browse: Browse, server: Server) -> None:
    """With storage the sounds and vibrations are wanted; without it the match lasts as long as the page. The history
    stays, because without it every link loads the page anew.
    """
    page = browse("/about", patient=True)
    page.context.add_init_script(TAKE_AWAY)
    settings = '{"pace": "at-once", "hints": "off", "vibration": "on"}'
    page.evaluate("(settings) => localStorage.setItem('gonfalon.settings', settings)", settings)
    steady = [name for name in FEATURES if not name.startswith("history.")]
    for way in WAYS:
        take(page, way, *(name for name in steady if name not in STORAGE))
        play(page, battle_of(server))
        take(page, way, *steady)
        play(page, battle_of(server), pictures=True)
        new_match(page, "barrage", "link", "red").do("copy-invite").click()
        expect(page.locator("input[readonly]")).to_be_visible()


def play(page: Page, match: Match, pictures: bool = False) -> None:
    """Play a turn and resign, then share the match by its address. `pictures`: whether the browser has no memory, so
    that the pictures of the game come first.
    """
    table, blue = sit_at(page, match, "red"), match.sit("blue")
    if pictures:
        table.do("close-pictures").click()
    table.move("b4", "b5")
    scripted(blue, "i7", "i6")
    assert table.ready()
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("share").click()
    field = page.locator("input[readonly]")
    # A dialog that does not open makes the button copy from now on.
    wait_for(page, lambda: field.count() or table.do("share").click(), "the address to copy by hand")


def test_a_language_tag_that_the_browser_refuses(browse: Browse) -> None:
    page = new_match(browse(), "duel", "agent:greedy").page
    page.locator('[data-do="ready"]').wait_for()
    for tag in ("en-US@posix", "de_DE@euro", "de-DE@euro"):
        page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'languages', {{ get: () => ['{tag}'] }})")
        page.goto("/matches")
        expect(page.locator("main ul a")).to_contain_text("20")
        expect(page.locator("html")).to_have_attribute("lang", tag[:2])
