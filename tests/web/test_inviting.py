"""The first screen of a match for its maker: the links for the guests, until they have come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.conftest import Browse
from web.maptable import new_map_match
from web.setting import link_of, new_match
from web.table import Table

SIZES = ((1280, 800), (390, 844), (360, 640))
SHARES = "navigator.share = (what) => { window.shared = what; return Promise.resolve(); }"


def is_whole(page: Page, wanted: str) -> bool:
    box = page.locator(wanted).first.bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["x"] + box["width"] <= size["width"]


@pytest.mark.parametrize("size", SIZES)
def test_the_invitation_comes_first_in_every_game(browse: Browse, size: tuple[int, int]) -> None:
    page = browse(viewport={"width": size[0], "height": size[1]})
    for variant in ("duel", "cardgame"):
        red = new_match(page, variant, "link")
        expect(page.get_by_role("img", name="Code of the link for Blue")).to_be_visible()
        assert is_whole(page, '[data-do="copy-invite"]'), variant
        assert is_whole(page, 'figure [role="img"]'), variant
        blue = Table(browse(link_of(red)))
        expect(page.locator(".inviting"), f"{variant}: the guest has come").to_have_count(0)
        expect(page.locator("[data-space]").first).to_be_visible()
        blue.page.close()
    new_map_match(page, "conquest", {"red": "me", "blue": "link", "green": "link", "ochre": "agent:random"})
    expect(page.locator(".inviting figure")).to_have_count(2)
    assert is_whole(page, '[data-do="copy-invite"]')
    page.locator('[data-do="to-match"]').click()
    expect(page.locator(".hint-strip")).to_contain_text("Link not opened yet: Blue and Green")
    assert is_whole(page, '[data-do="show-invite"]')
    page.locator('[data-do="show-invite"]').click()
    expect(page.locator(".inviting figure")).to_have_count(2)


def test_the_device_sends_the_link_to_whom_the_player_chooses(browse: Browse) -> None:
    page = browse()
    page.add_init_script(SHARES)
    red = new_match(page, "duel", "link")
    red.do("share-invite").click()
    shared = page.evaluate("() => window.shared")
    assert shared["url"] == link_of(red)
    assert "Duel" in shared["title"]
