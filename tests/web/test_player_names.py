"""Names that players give themselves: typed once, shown to everybody in the match, and changed at the player's own
seat.
"""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.guard import Guard
from web.setting import link_of, new_match, sit_at
from web.table import Table
from web.test_phone import box_of

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
MARKUP = "<b>Eve</b> & co"


def players(page: Page) -> list[str]:
    page.locator(".players").wait_for(state="attached")
    return [re.sub(r"\s+", " ", text).strip() for text in page.locator(".players li .about").all_text_contents()]


def call(page: Page, name: str) -> None:
    field = page.locator('[name="own-name"]:visible')
    field.fill(name)
    field.press("Enter")


def test_two_people_by_link_tell_their_names(browse: Browse, guard: Guard) -> None:
    guard.allow("status of 400")
    page = browse("/new/barrage")
    page.check('[name="opponent"][value="agent"]')
    expect(page.locator('[name="own-name"]')).to_have_count(0)
    page.check('[name="opponent"][value="link"]')
    call(page, "level-8")
    page.click('[data-do="start"]')
    expect(page.get_by_role("alert").first).to_contain_text("A computer player is called level-8.")
    call(page, "  Ada ")
    page.click('[data-do="start"]')
    red = Table(page)
    guest = browse(link_of(red), **PHONE)
    expect(red.do("random")).to_be_visible()
    blue = Table(guest)
    expect(blue.do("random")).to_be_visible()
    expect(guest.locator(".naming")).to_be_visible()
    stood = box_of(guest, ".boardbox")
    guest.locator('[name="own-name"]:visible').press_sequentially("n" * 30)
    expect(guest.get_by_text("A name has 24 letters at most.")).to_be_visible()
    call(guest, MARKUP)
    expect(guest.locator(".naming")).to_have_count(0)
    assert box_of(guest, ".boardbox") == stood
    expect(page.locator(".players")).to_contain_text(MARKUP)
    assert players(page)[0].startswith("Red Ada (you)")

    guest.locator("button.drawer").tap()
    blue.do("rename").tap()
    expect(guest.locator('[name="own-name"]:visible')).to_be_focused()
    call(guest, "\u05d9\u05d5\u05e0\u05d4")
    expect(page.locator(".players")).to_contain_text("\u05d9\u05d5\u05e0\u05d4")
    guest.reload()
    expect(blue.do("random")).to_be_visible()
    guest.locator("button.drawer").tap()
    expect(blue.do("rename")).to_be_visible()
    assert players(guest)[1].startswith("Blue \u05d9\u05d5\u05e0\u05d4 (you)")

    page.goto("/settings")
    expect(page.locator('[name="own-name"]')).to_have_value("Ada")
    call(page, "Countess")
    page.go_back()
    assert players(page)[0].startswith("Red Ada (you)"), "a name that was told stays"
    red.do("resign").click()
    red.do("confirm-resign").click()
    red.do("replay").first.click()
    expect(page.locator(".panel")).to_contain_text("Red: Ada")
    expect(page.locator(".panel")).to_contain_text("Blue: \u05d9\u05d5\u05e0\u05d4")


def test_the_button_beside_a_guests_name_says_what_it_does(browse: Browse, server: Server) -> None:
    page = browse()
    match = server.match()
    page.goto(f"/match/{match.id}#invite.{match.invitations['blue']}")
    button = page.locator('[data-do="no-name"]')
    expect(button).to_have_text("No name")
    page.locator('[name="own-name"]:visible').press_sequentially("Ada")
    expect(button).to_have_text("That is my name")
    button.click()
    expect(page.locator(".naming")).to_have_count(0)
    assert "Ada" in players(page)[1]


def test_who_wants_no_name_has_none(browse: Browse, server: Server) -> None:
    page = browse()
    match = server.match()
    page.goto(f"/match/{match.id}#invite.{match.invitations['blue']}")
    page.click('[data-do="no-name"]')
    expect(page.locator(".naming")).to_have_count(0)
    assert players(page)[1].startswith("Blue you")


@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u202e", "\u2066", "\ufeff"])
def test_a_name_with_an_invisible_sign_is_refused_where_it_is_typed(browse: Browse, guard: Guard, sign: str) -> None:
    guard.allow("status of 400")
    page = browse("/settings")
    call(page, f"A{sign}da")
    expect(page.get_by_role("alert")).to_contain_text(f"cannot be shown (U+{ord(sign):04X})")
    page.goto("/")
    page.click('[data-do="play-now"]')
    expect(page).to_have_url(re.compile("/match/"))


def test_every_box_for_a_name_says_what_is_wrong_and_accepts_joiners(browse: Browse, guard: Guard) -> None:
    guard.allow("status of 400")
    page = browse("/new/barrage")
    page.check('[name="opponent"][value="link"]')
    call(page, "A\u200bda")
    expect(page.get_by_role("alert").first).to_contain_text("cannot be shown")
    page.click('[data-do="start"]')
    expect(page).to_have_url(re.compile("/new/"))
    joined = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    call(page, joined)
    page.click('[data-do="start"]')
    red = Table(page)
    guest = browse(link_of(red))
    expect(red.do("random")).to_be_visible()
    assert joined in players(page)[0]
    expect(Table(guest).do("random")).to_be_visible()
    call(guest, "B\u00ado")
    expect(guest.locator(".naming")).to_be_visible()
    expect(guest.get_by_text("cannot be shown (U+00AD)").first).to_be_visible()
    call(guest, "Bo")
    expect(guest.locator(".naming")).to_have_count(0)
    expect(page.locator(".players")).to_contain_text("Bo")


def test_names_stand_wherever_a_player_is_meant(browse: Browse, server: Server) -> None:
    match = server.match()
    guest = match.sit("blue")
    guest.send("give-name", name="Ada")
    page = browse(**PHONE)
    red = sit_at(page, match, "red")
    expect(page.locator("button.drawer")).to_contain_text("Ada")
    red.deploy()
    expect(page.locator(".status")).to_contain_text("Waiting for Ada to place")
    guest.deploy(random.Random(4))
    expect(page).to_have_title(re.compile("Barrage against Ada"))
    guest.send("offer-draw")
    expect(page.locator(".calls")).to_contain_text("Ada offers a draw.")
    red.do("refuse-draw").click()
    guest.send("resign")
    red.do("rematch").first.wait_for()
    guest.send("offer-rematch")
    expect(page.locator(".calls")).to_contain_text("Ada asks for a rematch.")
    page.goto(f"/replay/{match.id}")
    expect(page.locator(".eyes")).to_contain_text("Ada (Blue)")


def test_a_mark_shows_which_players_are_computers(browse: Browse, server: Server) -> None:
    """No person can be called as computers are, and no person has their mark."""
    page = browse()
    marks = page.locator("[data-computer]:visible")
    red = sit_at(page, server.match(("me", "person")), "red")
    expect(red.do("random")).to_be_visible()
    expect(marks).to_have_count(0)
    red = new_match(page, "duel", "agent:random")
    expect(marks).to_have_count(1)
    expect(page.locator(".players li").filter(has=marks)).to_contain_text("Random moves")
    red.do("random").click()
    red.do("ready").click()
    assert red.ready()
    red.do("resign").click()
    red.do("confirm-resign").click()
    red.do("replay").first.click()
    expect(page.locator(".panel")).to_contain_text("Random moves")
    expect(marks).to_have_count(1)
    page.goto("/matches")
    expect(page.locator("main li").filter(has_text="Duel").locator("[data-computer]")).to_have_count(1)
