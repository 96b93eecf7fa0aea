"""The end of a match: the winner and the reason, the losses, and the next steps."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deploy, deployed, scripted, sit_at
from web.speed import WATCH
from web.table import Table

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def test_the_end_says_how_it_went_and_leads_on(browse: Browse, server: Server) -> None:
    match = server.match()
    front = {"b4": "scout", "j4": "scout", "a1": "flag", "e4": "bomb", "f4": "marshal", "i4": "general"}
    deployed(match, "red", front)
    blue = match.sit("blue")
    deploy(blue, {"b7": "flag", "j7": "spy", "e7": "scout", "f7": "scout"})
    table = sit_at(browse(), match, "red")
    table.move("j4", "j7")
    scripted(blue, "e7", "e4")
    table.move("i4", "i5")
    scripted(blue, "f7", "f4")
    table.move("b4", "b7")
    outcome = table.page.locator(".panel .outcome")
    expect(outcome).to_contain_text("You win. The Flag of Blue is taken.")
    expect(outcome).to_contain_text("The hardest blow, turn 4")
    expect(outcome).to_contain_text("Scout (2) falls to Marshal (10) on f4.")
    expect(outcome).to_contain_text("Blue lost 4.")
    expect(outcome).to_contain_text(re.compile(r"Turns: 5, in \d+ min\."))
    told = outcome.locator(".battle").inner_text()
    table.page.reload()
    expect(outcome.locator(".battle")).to_have_text(
        re.compile(r"turn 4\s+Blue: Scout \(2\) falls to Marshal \(10\) on f4\.$")
    )
    assert outcome.locator(".battle").inner_text() == told
    link = table.copied("share")
    assert link == server.url(f"/replay/{match.id}?language=en")
    expect(browse(link).locator(".board")).to_be_visible()
    phone = sit_at(browse(**PHONE), match, "blue")
    expect(phone.page.locator(".narrow .outcome")).to_be_visible()
    expect(phone.page.locator(".panel .outcome")).to_be_hidden()
    last = phone.page.locator(".narrow .numbers").bounding_box()
    bar = phone.page.locator(".drawer").bounding_box()
    assert last
    assert bar
    assert last["y"] + last["height"] <= bar["y"], "it lies under the drawer's button"


def test_a_draw_is_foretold(browse: Browse, server: Server) -> None:
    match = server.match(max_quiet_turns=4)
    deployed(match, "red", {"a1": "flag", "b4": "scout"})
    blue = match.sit("blue")
    deploy(blue, {"b7": "flag", "j7": "scout"})
    table = sit_at(browse(**PHONE), match, "red")
    headline = table.page.locator("[data-headline=quiet]")
    table.move("b4", "c4")
    expect(headline).to_have_count(0)
    scripted(blue, "j7", "i7")
    expect(headline).to_have_text("Turns of both sides without an attack until the match is a draw: 2.")
    expect(headline).to_be_in_viewport(ratio=1)
    table.move("c4", "b4")
    expect(headline).to_contain_text("1.")
    scripted(blue, "i7", "j7")
    expect(headline).to_have_count(0)
    expect(table.page.locator(".status")).to_contain_text("Too long without an attack")


def test_who_can_share_otherwise_does(browse: Browse, server: Server) -> None:
    page = browse()
    page.add_init_script("navigator.share = async (given) => void (window.given = given)")
    match = server.match()
    table = sit_at(page, match, "red")
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("share").click()
    given = page.wait_for_function("() => window.given").json_value()
    assert given["url"].endswith(f"/replay/{match.id}?language=en")
    assert "A match of" in given["title"]


@pytest.mark.parametrize("variant", ["cardgame", "conquest-narrows"])
def test_every_layout_has_its_end(browse: Browse, server: Server, variant: str) -> None:
    table = sit_at(browse(), server.match(variant=variant), "red")
    table.do("resign").click()
    table.do("confirm-resign").click()
    expect(table.page.locator(".panel .outcome")).to_contain_text("You lose.")
    for name in ("rematch", "replay", "share"):
        expect(table.do(name)).to_be_visible()


WATCH_THE_END = """() => {
  window.seen = { flags: [], said: [], banners: [], waving: 0 }
  const all = (selector) => [...document.querySelectorAll(`.finale ${selector}`)]
  const look = () => {
    for (const { left, right, width } of all('.flag svg').map((flag) => flag.getBoundingClientRect()))
      window.seen.flags.push({ left, right, width })
    for (const said of all('.said')) window.seen.said.push(said.innerText.replace(/\\s+/g, ' '))
    for (const { dataset } of all('[data-banner]')) window.seen.banners.push(dataset.banner)
    const waving = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === Infinity)
    window.seen.waving = Math.max(window.seen.waving, waving.length)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}"""
"""Records the frames of the end. On a busy machine the end is over before a test could look twice."""


def before_the_end(browse: Browse, server: Server, **options: Any) -> Table:
    """Return Red's table; Red's Scout is next to Blue's Flag."""
    match = server.match()
    deployed(match, "red", {"b4": "scout", "a1": "flag"})
    deploy(match.sit("blue"), {"b7": "flag", "a7": "bomb"})
    page = browse(patient=True, **options)
    for script in (WATCH, WATCH_THE_END):
        page.add_init_script(f"({script})()")
    return sit_at(page, match, "red")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_end_is_a_moment(browse: Browse, server: Server, motion: str) -> None:
    """The Flag is shown where it fell, then the winner's colours. Nothing beside them moves, and the result is
    announced once.
    """
    table = before_the_end(browse, server, reduced_motion=motion)
    page = table.page
    finale = page.locator(".finale")
    table.move("b4", "b7")
    expect(finale.locator(".said")).to_be_visible()
    expect(finale).to_have_attribute("data-finale", "")
    seen = page.evaluate("() => window.seen")
    large, space = max(seen["flags"], key=lambda flag: flag["width"]), page.locator('[data-space="b7"]').bounding_box()
    assert space
    assert large["width"] > 3 * space["width"]
    assert large["left"] < space["x"] + space["width"] / 2 < large["right"]
    assert set(seen["said"]) == {"You win."}
    assert set(seen["banners"]) == {"red"}
    assert (seen["waving"] > 0) == (motion == "no-preference")
    moved = " ".join(page.evaluate("() => Object.keys(window.cost.moved)"))
    assert not re.search("finale|colours|board|token|status|button", moved), "only the panel makes room for its summary"
    assert page.locator("[data-live]").inner_text().count("You win.") == 1
    page.reload()
    expect(page.locator(".panel .outcome")).to_be_visible()
    expect(finale).to_have_count(0)


def test_the_moment_takes_no_presses_and_goes_with_the_next(browse: Browse, server: Server) -> None:
    table = before_the_end(browse, server)
    table.do("resign").click()
    table.do("confirm-resign").click()
    expect(table.page.locator('.finale [data-banner="blue"]')).to_be_visible()
    table.do("share").first.click()
    expect(table.page.locator(".finale")).to_have_attribute("data-finale", "")
    assert set(table.page.evaluate("() => window.seen.said")) == {"You lose."}
    _says_once_how_it_ended(table)
    table.do("replay").first.click()
    expect(table.page).to_have_url(re.compile("/replay/"))


def _says_once_how_it_ended(table: Table) -> None:
    expect(table.page.locator(".status .turn")).to_have_text("You lose. You resigned.")
    expect(table.page.locator(".status .last")).to_have_text("")


def test_a_draw_shows_the_colours_of_both(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "red", {"b4": "scout", "a1": "flag"})
    deploy(match.sit("blue"), {"b7": "flag", "a7": "bomb"})
    red, blue = (sit_at(browse(patient=True), match, side) for side in ("red", "blue"))
    red.do("offer-draw").click()
    blue.do("accept-draw").click()
    for table in (red, blue):
        expect(table.page.locator(".finale [data-banner]")).to_have_count(2)
