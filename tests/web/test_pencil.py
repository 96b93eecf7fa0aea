"""Pencil marks on hidden pieces: the player's own, by pointer and keys, kept through a reload, shown in the player's
replay.
"""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployed, new_match, sit_at
from web.staged import Story, staged
from web.table import NEXT, Table
from web.test_turn_log import many_turns

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


RED = 0
LONG_PRESS_MS = 700


def to_attack(story: Story) -> bool:
    return story.mover == RED and any(choice.verb == "attack" for choice in story.choices(RED))


def hidden(table: Table) -> list[str]:
    return [space for space, label in table.squares().items() if label.split(", ")[1] == "enemy"]


def shoot(page: Page, name: str) -> None:
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=f"{shots}/{name}.png")


COVERED = """() => [...document.querySelectorAll('[data-space]')].filter((square) => {
  const [one, other] = [square, document.querySelector('.marking')].map((each) => each.getBoundingClientRect())
  const apart = other.left - one.right >= -1 || one.left - other.right >= -1
  return !apart && other.top - one.bottom < -1 && one.top - other.bottom < -1
}).map((square) => square.dataset.space)"""
"""Script that returns the squares covered by the dialog."""


def _covers_nothing(page: Page, *sizes: tuple[int, int]) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], (width, height)
        for button in page.locator(".marking button").all():
            expect(button).to_be_in_viewport(ratio=1)


def _look_back(table: Table, marked: str) -> None:
    """Check the enemy's remaining pieces, and the marks in the replay."""
    page = table.page
    for width, height in ((1280, 800), (390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        shoot(page, f"marks{width}")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator('[data-left="blue"] .chip')).to_have_count(7)
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("replay").first.click()
    page.get_by_label("Red", exact=True).check()
    expect(table.square(marked)).to_have_accessible_name(f"{marked}, Blue, your mark: Bomb")
    page.get_by_label("Blue", exact=True).check()
    expect(page.locator(".tokens [data-pencil]")).to_have_count(0)


def test_hidden_pieces_are_marked_for_oneself(browse: Browse, server: Server) -> None:
    table = new_match(browse(), "barrage", "agent:greedy", "red")
    page = table.page
    table.deploy()
    assert table.ready()
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    page.reload()
    assert table.ready()
    first, second, third, *_ = hidden(table)
    # Mark by the second button,
    table.square(first).click(button="right")
    page.locator('[data-mark="bomb"]').wait_for()
    shoot(page, "pencil")
    _covers_nothing(page, (1000, 600), (1280, 800))
    page.locator('[data-mark="bomb"]').click()
    expect(table.square(first)).to_have_accessible_name(f"{first}, enemy, your mark: Bomb")
    expect(table.square(first)).to_be_focused()
    # by the button,
    table.do("mark").click()
    own = next(space for space, label in table.squares().items() if label.startswith(f"{space}, your "))
    table.square(own).click()
    expect(page.locator("[data-mark]")).to_have_count(0)
    table.square(second).click()
    page.locator('[data-mark="dot"]').click()
    expect(table.square(second)).to_have_accessible_name(f"{second}, enemy, you marked it")
    # and by keys.
    table.square(third).focus()
    page.keyboard.press("m")
    expect(page.locator("[data-mark]").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(table.square(third)).to_have_accessible_name(f"{third}, enemy, your mark: General")
    page.keyboard.press("m")
    expect(page.locator("[data-mark]").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".marking")).to_have_count(0)
    expect(page.locator(".tokens [data-pencil]")).to_have_count(3)
    page.reload()
    assert table.ready()
    expect(page.locator(".tokens [data-pencil]")).to_have_count(3)
    expect(table.square(first)).to_have_accessible_name(f"{first}, enemy, your mark: Bomb")
    table.square(second).focus()
    page.keyboard.press("m")
    table.do("rub-out").click()
    expect(page.locator(".tokens [data-pencil]")).to_have_count(2)
    _look_back(table, first)
    # Search for whole words, because the seat's secret has random letters.
    assert sent
    assert not any('"bomb"' in frame or '"dot"' in frame for frame in sent)


def test_a_slow_click_of_a_mouse_is_a_choice(browse: Browse) -> None:
    table = new_match(browse(), "barrage", "agent:greedy", "red")
    table.deploy()
    assert table.ready()
    own = next(space for space, label in table.squares().items() if NEXT in label)
    table.square(own).click(delay=LONG_PRESS_MS)
    expect(table.page.locator("[data-mark]")).to_have_count(0)
    assert table.targets()


def test_marks_by_touch_and_without_them(browse: Browse, server: Server) -> None:
    match = server.match(("me", "greedy"))
    page = browse(**PHONE)
    table = sit_at(page, match, "red")
    table.deploy()
    assert table.ready()
    space = hidden(table)[0]
    box = table.square(space).bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.locator('[data-mark="spy"]').wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shoot(page, "touch")
    _covers_nothing(page, (320, 568), (844, 390), (360, 640))
    page.locator('[data-mark="spy"]').tap()
    expect(page.locator('.tokens [data-pencil="spy"]')).to_have_count(1)
    page.goto("/settings")
    page.check('[name="pencil"][value="off"]')
    page.check('[name="tally"][value="off"]')
    page.goto(f"/match/{match.id}")
    assert table.ready()
    expect(page.locator(".tokens [data-pencil]")).to_have_count(0)
    page.locator("button.drawer").click()
    expect(table.do("resign")).to_be_visible()
    expect(table.do("mark")).to_have_count(0)
    expect(page.locator("[data-left]")).to_have_count(0)


@pytest.mark.parametrize(
    ("variant", "seats", "words"),
    [("cardgame", ("me", "person"), "enemy"), ("conquest", ("me", "person", "person", "person"), "Blue's unit")],
)
def test_cards_and_units_are_marked_too(
    browse: Browse, server: Server, variant: str, seats: tuple[str, ...], words: str
) -> None:
    table = sit_at(browse(**PHONE), staged(server, variant, to_attack, seats), "red")
    assert table.ready()
    space = next(space for space, label in table.squares().items() if label.split(", ")[1:2] == [words])
    name = table.squares()[space].split(", ")[0]
    table.square(space).focus()
    table.page.keyboard.press("m")
    rank = table.page.locator("[data-mark]").first
    mark = rank.get_attribute("data-mark")
    rank.tap()
    expect(table.square(space)).to_have_accessible_name(re.compile(f"^{name}, {words}.*, your mark: "))
    expect(table.page.locator(f'.tokens [data-pencil="{mark}"]')).to_be_visible()
    table.page.reload()
    assert table.ready()
    expect(table.page.locator(f'.tokens [data-pencil="{mark}"]')).to_be_visible()


OUTLINED = """(square) => {
  const { borderTopWidth, borderTopStyle } = getComputedStyle(square, '::before')
  return `${borderTopStyle} ${borderTopWidth}`
}"""


def test_the_piece_to_mark_is_outlined_on_a_phone(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    deployed(match, "red", {})
    table = sit_at(browse(**PHONE), match, "red")
    page = table.page
    assert table.ready()
    page.locator(".drawer").tap()
    table.do("mark").tap()
    square = table.square(hidden(table)[0])
    assert page.locator(".pencil[data-space]").count() == 0
    square.tap()
    expect(page.locator("[data-mark]").first).to_be_visible()
    expect(square).to_have_class(re.compile(r"\bpencil\b"))
    assert square.evaluate(OUTLINED) == "solid 3px"
    shoot(page, "marking")
    table.do("close-marking").tap()
    expect(page.locator(".pencil[data-space]")).to_have_count(0)


def test_the_unit_to_mark_is_outlined_on_a_map(browse: Browse, server: Server) -> None:
    table = sit_at(browse(**PHONE), many_turns(server), "red")
    page = table.page
    page.locator(".drawer").tap()
    table.do("mark").tap()
    outline = page.locator(".signs .pencil")
    expect(outline).to_have_attribute("d", "")
    zone = next(name for name, label in table.squares().items() if re.search("'s unit$", label))
    table.square(zone).tap()
    expect(page.locator("[data-mark]").first).to_be_visible()
    expect(outline).to_have_attribute("d", re.compile("^M"))
