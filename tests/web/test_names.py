"""Reference for newcomers: what a piece is and does, the ranks, the keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployed, sit_at

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def test_pointing_and_focus_name_a_piece(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    deployed(match, "red", {"a1": "flag", "b4": "miner", "d4": "scout"})
    table = sit_at(browse(), match, "red")
    table.ready()
    line = table.page.locator(".named")
    expect(line).to_have_text("")
    table.square("b4").hover()
    expect(line).to_have_text("Miner, 3: beats lower ranks and defuses Bombs")
    table.square("a1").focus()
    expect(line).to_have_text("Flag: never moves; lose it and you lose")
    enemy = next(name for name, label in table.squares().items() if "enemy" in label)
    table.square(enemy).hover()
    expect(line).to_contain_text("Blue's hidden piece")
    table.choose("d4")
    table.page.mouse.move(1, 1)
    expect(line).to_have_text("Scout, 2: runs any distance in a straight line")


def test_on_a_phone_a_tap_names_a_piece_and_the_drawer_has_the_ranks(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"), variant="original")
    deployed(match, "red", {"a1": "flag", "b4": "miner"})
    table = sit_at(browse(**PHONE), match, "red")
    table.ready()
    table.square("b4").tap()
    expect(table.page.locator(".named")).to_contain_text("Miner, 3")
    table.square("b5").tap()
    expect(table.page.locator(".named")).not_to_have_text("")
    table.do("confirm-move").wait_for()
    table.square("b5").tap()
    expect(table.page.locator(".named")).to_have_text("")
    table.page.locator("button.drawer").tap()
    table.do("ranks").tap()
    row = table.page.locator('[data-rank="miner"]')
    expect(row).to_contain_text("Miner×5")
    expect(row).to_be_in_viewport()
    table.page.keyboard.press("Escape")
    expect(table.page.locator("#panel")).to_be_hidden()
    expect(table.page.locator(".aid")).to_have_count(0)


@pytest.mark.parametrize(("variant", "face"), [("cardgame", "scout"), ("conquest-narrows", "cursed-land")])
def test_every_family_has_its_ranks(browse: Browse, server: Server, variant: str, face: str) -> None:
    page = sit_at(browse(), server.match(variant=variant), "red").page
    page.locator('[data-do="ranks"]').click()
    expect(page.locator(f'[data-rank="{face}"]')).to_be_visible()


def test_a_question_mark_shows_the_keys(browse: Browse, server: Server) -> None:
    page = sit_at(browse(), server.match(), "red").page
    page.locator('[data-do="ready"]').wait_for()
    page.keyboard.press("?")
    expect(page.locator(".aid")).to_contain_text("Arrow keys")
    page.keyboard.press("?")
    expect(page.locator(".aid")).to_have_count(0)
