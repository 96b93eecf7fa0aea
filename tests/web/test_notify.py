"""Notifications by the browser when it is the player's turn: turned on by a button, sent only while the page is hidden,
closed when the player sees it.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployed, due, scripted, sit_at

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
BROWSER = """(answer) => {
  window.told = [];
  window.asked = 0;
  window.Notification = class {
    static get permission() { return sessionStorage.allowed ?? 'default'; }
    static async requestPermission() { window.asked += 1; return sessionStorage.allowed = answer; }
    constructor(title, options = {}) { this.said = { title, ...options, open: true }; window.told.push(this.said); }
    close() { this.said.open = false; }
  };
  window.sight = (hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };
}"""


def told(page: Page) -> list[dict[str, Any]]:
    """Return the notifications that the page sent to the browser."""
    calls: list[dict[str, Any]] = page.evaluate("() => window.told.filter(({ silent }) => !silent)")
    return calls


def test_one_is_told_of_his_turn_while_the_page_is_out_of_sight(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "red", {"a1": "flag", "b4": "marshal"})
    deployed(match, "blue", {"j10": "flag", "i7": "general"})
    page = browse()
    page.add_init_script(f"({BROWSER})('granted')")
    red, blue = sit_at(page, match, "red"), match.sit("blue")
    page.reload()
    red.move("b4", "b5")
    due(blue)
    assert page.evaluate("() => window.asked") == 0, "it does not ask by itself"
    red.do("notify").click()
    expect(page.get_by_text("your browser now tells you")).to_be_visible()
    scripted(blue, "i7", "i6")
    red.move("b5", "b6")
    due(blue)
    assert told(page) == [], "who sees the page is not told"
    page.evaluate("() => window.sight(true)")
    scripted(blue, "i6", "i5")
    page.wait_for_function("() => window.told.some(({ silent, open }) => !silent && open)")
    assert told(page) == [{"title": "Your turn: Barrage", "tag": match.id, "open": True}]
    page.evaluate("() => window.sight(false)")
    assert [call["open"] for call in told(page)] == [False]
    page.goto("/settings")
    red.do("notify-no-more").click()
    expect(red.do("notify")).to_be_visible()
    assert page.evaluate("() => JSON.parse(localStorage['gonfalon.settings']).notify") == "off"


def test_who_may_not_be_told_is_told_so(browse: Browse, server: Server) -> None:
    match = server.match()
    page = browse(**PHONE)
    page.add_init_script(f"({BROWSER})('denied')")
    red = sit_at(page, match, "red")
    page.reload()
    page.locator("button.drawer").tap()
    red.do("notify").tap()
    expect(page.get_by_text("Your browser blocks notifications")).to_be_visible()
    assert page.evaluate("() => JSON.parse(localStorage['gonfalon.settings']).notify ?? 'off'") == "off"
    shared = sit_at(browse(), server.match(("me", "greedy")), "red")
    expect(shared.do("resign")).to_be_visible()
    expect(shared.do("notify")).to_have_count(0)
