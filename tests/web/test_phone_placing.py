"""Placing pieces on a small phone: pieces, buttons and board are all on the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from web.conftest import Browse
from web.setting import new_match
from web.table import wait_for
from web.test_phone import HEIGHT, PHONE, WIDTH, box_of, covered


@pytest.mark.parametrize(("variant", "rows"), [("barrage", [7]), ("classic", [6, 6])])
def test_no_piece_to_place_stands_alone(browse: Browse, variant: str, rows: list[int]) -> None:
    table = new_match(browse(**PHONE), variant, "agent:random")
    table.do("random").wait_for()
    tops = table.page.locator(".tray li").evaluate_all("(all) => all.map((each) => each.offsetTop)")
    assert [tops.count(top) for top in sorted(set(tops))] == rows


@pytest.mark.parametrize(
    ("variant", "size"), [("original", (WIDTH, HEIGHT)), ("classic", (WIDTH, HEIGHT)), ("special", (740, 360))]
)
def test_the_buttons_of_a_deployment_lie_above_the_drawer(browse: Browse, variant: str, size: tuple[int, int]) -> None:
    page = browse(**{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
    table = new_match(page, variant, "agent:random")

    def check(*names: str) -> None:
        for name in names:
            expect(table.do(name)).to_be_in_viewport(ratio=1)
            assert not covered(page, f'[data-do="{name}"]')

    check("random", "clear", "undo", "shelf", "ready")
    table.do("random").tap()
    table.do("ready").tap()
    assert table.ready()
    page.locator("button.drawer").tap()
    for step in ("resign", "confirm-resign", "rematch"):
        table.do(step).first.tap()
    table.do("same").wait_for()
    check("random", "same", "shelf")
    table.do("same").tap()
    check("random", "clear", "undo", "shelf", "ready")


@pytest.mark.parametrize("variant", ["classic", "original"])
@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), (844, 390)], ids=["upright", "on its side"])
def test_who_chooses_a_deployment_sees_the_board(browse: Browse, variant: str, size: tuple[int, int]) -> None:
    page = browse(**{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
    table = new_match(page, variant, "agent:random")
    table.do("random").wait_for()
    closed = box_of(page, ".board")
    table.do("shelf").tap()
    before = table.squares()
    choice = page.locator("[data-deployment]").first
    choice.tap()
    wait_for(page, lambda: table.squares() != before, "the deployment on the board")
    board, shelf = box_of(page, ".board"), box_of(page, "#shelf")
    assert board["y"] + board["height"] <= size[1]
    assert shelf["y"] >= board["y"] + board["height"] or shelf["x"] >= board["x"] + board["width"]
    for selector in ("[data-deployment]", '[data-do="close-shelf"]'):
        expect(page.locator(selector).first).to_be_in_viewport(ratio=1)
        assert not covered(page, selector)
    table.do("close-shelf").tap()
    expect(table.do("ready")).to_be_enabled()
    assert box_of(page, ".board") == board == closed
