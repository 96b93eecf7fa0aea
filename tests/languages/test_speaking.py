"""The page in every language, on a small phone: it follows the browser, every text fits its place, and a whole match is
played to its end and replayed. `make test-languages`.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gonfalon.games.words import languages
from server.harness import Server
from texts import PAGE_WORDS, read_pairs
from web.conftest import Browse
from web.guard import UNKNOWN
from web.setting import sit_at
from web.table import Table, wait_for

PHONE = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
TOO_LONG = """() => [...document.querySelectorAll(
  'button, a.button, summary, select, legend, th, h1, h2, h3, label, .hint-strip')]
  .filter((each) => each.offsetParent !== null && each.clientWidth > 4)
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
  .map((each) => `${each.tagName} ${each.textContent.trim()} (${each.scrollWidth} in ${each.clientWidth})`)"""
HINT_CUT = """() => [...document.querySelectorAll('.hint-strip')]
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.getBoundingClientRect().height > 66)
  .map((each) => each.textContent)"""
"""Tips that do not fit into their strip, or whose strip covers elements below it."""
BEYOND = """() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth,
  ...[...document.querySelectorAll('header a')].map((link) => link.getBoundingClientRect().right)) - innerWidth"""
QUIET = """() => new Promise((done) => {
  let timer = setTimeout(done, 300);
  const watch = () => { clearTimeout(timer); timer = setTimeout(done, 300); };
  new MutationObserver(watch).observe(document.querySelector('main'), { childList: true, subtree: true });
  setTimeout(done, 3000);
}).then(() => document.fonts.ready.then(() => true))"""
"""Waits until the page has not changed for a moment; endless animations are ignored."""
CODE = re.compile(r"\b(do|event|status|refusal|board|deploy|hint|start|nav|settings|form)\.[a-z]|\{\w+(:\w+)?\}")

each_language = pytest.mark.parametrize("language", languages())


def read(language: str) -> dict[str, str]:
    return dict(read_pairs(PAGE_WORDS.parent / f"{language}.json"))


def fits(page: Page) -> None:
    """Check that everything has words, and that no text is cut or leaves its box."""
    page.locator("main :is(h1, h2, .status, p)").first.wait_for()
    page.evaluate(QUIET)
    assert page.evaluate(TOO_LONG) == [], page.url
    assert page.evaluate(HINT_CUT) == [], page.url
    assert page.evaluate(BEYOND) <= 0, page.url
    found = CODE.search(page.locator("body").inner_text())
    assert not found, f"{page.url} says {found[0]}" if found else ""


class Speaker(Table):
    """A person who knows squares by their accessible names in one language."""

    def __init__(self, page: Page, language: str) -> None:
        super().__init__(page)
        self.words = read(language)

    def named(self, code: str) -> list[str]:
        return sorted(square for square, label in self.squares().items() if self.words[code] in label)

    def choose_attacker(self) -> None:
        """Choose the first piece that can attack. A Flag that can do its trick cannot attack."""
        for begin in wait_for(self.page, lambda: self.named("board.choice"), "the own turn"):
            self.square(begin).click()
            if self.named("board.target"):
                return
        raise AssertionError("nothing can attack")

    def play_any_turn(self) -> bool:
        """Make the first offered move. Return False if the match is over."""
        wait_for(self.page, lambda: self.over() or self.named("board.choice"), "something to do")
        if self.over():
            return False
        for begin in self.named("board.choice"):
            self.square(begin).click()
            targets = self.named("board.target")
            if targets:
                self.square(targets[-1]).click()
                fits(self.page)
                self.do("confirm-move").click()
                wait_for(self.page, lambda: not self.named("board.target"), "the move being taken")
                return True
        raise AssertionError("no move is offered")


@each_language
def test_the_page_follows_the_browser_and_fits(browse: Browse, language: str) -> None:
    page = browse("/", locale=f"{language}-{language.upper()}", **PHONE)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("h1")).to_have_text(read(language)["start.title"])
    fits(page)
    for path in ("/new/special", "/new/conquest", "/settings", "/matches", "/replay", UNKNOWN):
        page.goto(path)
        fits(page)
    for variant in ("special", "cardgame", "conquest"):
        page.goto(f"/rules/{variant}")
        fits(page)


@each_language
def test_a_whole_match(browse: Browse, server: Server, language: str) -> None:
    match = server.match(("me", "random"), "duel", max_turns=16)
    page = browse(locale=language, patient=True, **PHONE)
    sit_at(page, match, "red")
    table = Speaker(page, language)
    table.do("random").wait_for()
    fits(page)
    table.suggest()
    fits(page)
    table.do("ready").click()
    while table.play_any_turn():
        fits(page)
    fits(page)
    table.do("replay").first.click()
    table.do("next").wait_for()
    fits(page)


@each_language
@pytest.mark.parametrize(("variant", "first"), [("cardgame", "random"), ("conquest-narrows", "")])
def test_other_games_begin(browse: Browse, server: Server, language: str, variant: str, first: str) -> None:
    match = server.match(("me", "random"), variant)
    page = browse(locale=language, patient=True, **PHONE)
    sit_at(page, match, "red")
    table = Speaker(page, language)
    if first:
        table.do(first).wait_for()
    else:
        wait_for(page, lambda: table.named("board.choice"), "the draft")
    fits(page)


@each_language
def test_what_is_asked_stands_whole_and_nothing_covers_it(browse: Browse, server: Server, language: str) -> None:
    """Cards leave little room, and the question is long in some languages."""
    match = server.match(("me", "random"), "cardgame")
    page = browse(locale=language, **PHONE)
    sit_at(page, match, "red")
    table = Speaker(page, language)
    table.suggest()
    table.do("ready").click()
    table.choose_attacker()
    targets = table.named("board.target")
    table.square(targets[0]).click()
    for answer in ("confirm-move", "cancel-move"):
        box = table.do(answer).bounding_box()
        assert box
        assert 0 <= box["y"] <= box["y"] + box["height"] <= PHONE["viewport"]["height"]
        table.do(answer).click(trial=True)


def test_a_language_is_chosen_in_a_match_and_the_match_goes_on(browse: Browse, server: Server) -> None:
    """All windows of the browser take the new language, wherever it is chosen, and keep what they show."""
    if len(languages()) < 2:
        pytest.skip("only one language is there")
    match = server.match(("me", "random"), "duel")
    page = browse(locale="en")
    sit_at(page, match, "red")
    table = Table(page)
    table.suggest()
    page.goto("/settings")
    page.select_option('[name="language"]', "de")
    expect(page.locator("h1")).to_have_text(read("de")["nav.settings"])
    page.goto(f"/match/{match.id}")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(table.do("ready")).to_have_text(read("de")["do.ready"])
    expect(table.do("ready")).to_be_enabled()
