"""Lines stay long enough to be read: the result of the player's move before the opponent's move is shown, and the
player's last battle until the player's next action.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deploy, deployed, scripted, sit_at

RED, BLUE = {"b4": "marshal", "a1": "flag"}, {"b7": "scout", "j10": "flag", "i7": "miner"}
WATCH = """() => { window.said = []
  const [turn, last] = ['.turn', '.last'].map((part) => document.querySelector(`.status ${part}`))
  new MutationObserver(() => window.said.push([performance.now(), turn.textContent, last.textContent]))
    .observe(turn.parentElement, { childList: true, characterData: true, subtree: true }) }"""


def told(page: Page) -> list[tuple[float, str, str]]:
    """Return all states of the status without repetitions: the time, the title and the line."""
    said: list[tuple[float, str, str]] = [(at, *map(str.strip, texts)) for at, *texts in page.evaluate("window.said")]
    return [now for i, now in enumerate(said) if i == 0 or now[1:] != said[i - 1][1:]]


def stood(page: Page, answer: str) -> float:
    """Return how many milliseconds the line before the answer was shown."""
    said = told(page)
    line = next(line for _, _, line in reversed(said) if answer not in line)
    begin = next(at for at, _, other in said if other == line)
    return next(at for at, _, other in said if answer in other) - begin


def test_the_own_result_stands_before_the_answer(browse: Browse, server: Server) -> None:
    match = server.match()
    table = sit_at(browse(patient=True), match, "red")
    blue = match.sit("blue")
    deploy(blue, BLUE)
    deployed(match, "red", RED)
    last = table.page.locator(".status .last")
    table.move("b4", "b5")
    scripted(blue, "i7", "i6")
    table.move("b5", "b6")
    scripted(blue, "i6", "i7")
    table.ready()
    table.page.evaluate(WATCH)
    table.move("b6", "b7")
    scripted(blue, "i7", "i6")
    expect(last).to_have_text("You: Marshal (10) takes Scout (2) on b7. Blue: i7 to i6.")
    assert stood(table.page, "Blue: i7 to i6") >= 690
    battle = [line for _, title, line in told(table.page) if title == "A battle"]
    assert battle == ["You attack from b6 to b7.", "Marshal (10) takes Scout (2) on b7."]
    table.page.reload()
    expect(last).to_contain_text("You: Marshal (10) takes Scout (2)")
    table.move("b7", "b6")
    expect(last).not_to_contain_text("You:")


def test_how_long_it_stands_is_a_setting(browse: Browse) -> None:
    page = browse("/settings", patient=True)
    expect(page.locator('[name="pace"][value="brisk"]')).to_be_checked()
    page.check('[name="pace"][value="calm"]')
    page.reload()
    expect(page.locator('[name="pace"][value="calm"]')).to_be_checked()


def test_an_act_is_told_whole_on_a_phone(browse: Browse, server: Server) -> None:
    match = server.match(variant="special")
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    table = sit_at(browse(**phone), match, "blue")
    red = match.sit("red")
    deployed(match, "blue", {"d6": "scout", "e6": "marshal", "f6": "scout", "e7": "bomb"})
    deploy(red, {"f1": "flag"})
    scripted(red, "do.apple", "e6")
    expect(table.page.locator(".status .last")).to_contain_text(
        re.compile(r"Red used the Apple on \w+; its Flag is on f1\..*Marshal \(10\) (falls to Bomb|and Bomb)")
    )
    table.see_outlined("e6", "f1")
