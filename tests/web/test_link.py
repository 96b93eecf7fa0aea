"""Two people by link, each with a browser, and a spectator."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from server.harness import Match, Server
from web.conftest import Browse
from web.setting import deployed, deployment_for, link_of, new_match, sit_at
from web.staged import patient
from web.table import Table


def invite(table: Table) -> str:
    link = link_of(table)
    assert "?language=en#" in link
    assert table.copied("copy-invite") == link
    return link


def pair(browse: Browse, variant: str = "barrage") -> tuple[Table, Table]:
    """Red makes a match, blue opens the link."""
    red = new_match(browse(), variant, "link")
    blue = Table(browse(invite(red)))
    expect(blue.do("random")).to_be_visible()
    return red, blue


BACK = {"red": "a1", "blue": "j10"}
"""Squares on which no piece reaches a Flag in the first turns."""


def test_two_people_deploy_play_and_resign(browse: Browse, server: Server) -> None:
    red, blue = pair(browse)
    assert "#" not in blue.page.url, "the secret stays out of the address"
    texts = {side: deployment_for(server, "barrage", side, {flag: "flag"}) for side, flag in BACK.items()}
    watcher = Table(browse(f"/match/{red.page.url.split('/')[-1]}"))
    red.deploy(texts["red"])
    expect(red.page.locator(".status")).to_contain_text("Waiting for Blue to place its pieces")
    blue.deploy(texts["blue"])
    for _ in range(3):
        assert red.play_turn()
        assert blue.play_turn()
    _watcher_sees_nothing_hidden(watcher)
    blue.do("resign").press("Enter")
    expect(blue.do("keep-playing")).to_be_focused()
    blue.page.keyboard.press("Escape")
    expect(blue.do("resign")).to_be_focused()
    blue.do("resign").click()
    blue.do("confirm-resign").click()
    expect(red.page.locator(".status")).to_contain_text("You win.")
    expect(blue.page.locator(".status")).to_contain_text("You lose.")
    expect(blue.page.locator(".status")).to_have_class(re.compile(r"\bside-blue\b"))
    expect(watcher.page.locator(".status")).to_contain_text("Red wins.")
    _rematch_swaps_sides(red, blue)


def _watcher_sees_nothing_hidden(watcher: Table) -> None:
    watcher.hear("Red")
    known = [label for label in watcher.squares().values() if re.search("Marshal|General|Miner|Spy|Bomb|Flag", label)]
    told = " ".join(watcher.page.locator("section.log").all_inner_texts())
    for label in known:
        face = re.search("(Marshal|General|Miner|Spy|Bomb|Flag)", label)
        assert face is not None
        assert face[1] in told, f"{label} was never told"
    assert not watcher.do("resign").count()


def _rematch_swaps_sides(red: Table, blue: Table) -> None:
    first = red.page.url
    stood = [red.do(name).first.bounding_box() for name in ("rematch", "replay", "share")]
    red.do("rematch").dblclick()
    expect(red.page.get_by_text("You asked for a rematch.").first).to_be_visible()
    assert stood == [red.do(name).first.bounding_box() for name in ("rematch", "replay", "share")]
    expect(blue.page.get_by_text("Red asks for a rematch.").first).to_be_visible()
    blue.do("rematch").click()
    for table, side in ((red, "Blue"), (blue, "Red")):
        expect(table.page).not_to_have_url(first)
        expect(table.do("random")).to_be_visible()
        expect(table.page.locator(".players li").filter(has_text="you")).to_contain_text(side)
    assert red.page.url == blue.page.url


def test_draws_are_offered_refused_and_accepted(browse: Browse) -> None:
    red, blue = pair(browse)
    red.deploy()
    blue.deploy()
    red.do("offer-draw").click()
    expect(red.page.get_by_text("Your draw offer stands").first).to_be_visible()
    expect(blue.page.get_by_text("Red offers a draw.").first).to_be_visible()
    blue.do("refuse-draw").click()
    expect(red.do("offer-draw")).to_be_visible()
    assert red.play_turn()
    blue.do("offer-draw").click()
    red.do("accept-draw").click()
    for table in (red, blue):
        expect(table.page.locator(".status")).to_contain_text("Draw.")
        expect(table.page.locator(".status")).to_contain_text("By agreement")


def test_the_flag_ends_it_and_both_see_the_whole_match(browse: Browse, server: Server) -> None:
    match = server.match()
    pages = {side: sit_at(browse(), match, side) for side in ("red", "blue")}
    deployed(match, "red", {"a1": "flag", "b4": "scout"})
    deployed(match, "blue", {"b7": "flag", "i7": "scout"})
    pages["red"].move("b4", "b5")
    pages["blue"].move("i7", "i6")
    pages["red"].move("b5", "b6")
    pages["blue"].move("i6", "i5")
    pages["red"].move("b6", "b7")
    expect(pages["red"].page.locator(".status")).to_contain_text("You win. The Flag of Blue is taken")
    expect(pages["blue"].page.locator(".status")).to_contain_text("You lose. Your Flag is taken")
    pages["blue"].hear(r"Scout \(2\) takes Flag on b7")
    for table in pages.values():
        expect(table.page).to_have_title("Over - Barrage - Gonfalon")
        expect(table.square("a1")).to_have_attribute("aria-label", re.compile("Flag"))
        expect(table.square("i5")).to_have_attribute("aria-label", re.compile("Scout"))
    pages["blue"].do("replay").click()
    _steps_of_a_replay(pages["blue"].page)
    pages["red"].page.goto("/matches")
    expect(pages["red"].page.locator(f'[data-match="{match.id}"]')).to_contain_text("You win.")


def _steps_of_a_replay(page: Page) -> None:
    """Press keys faster than the page shows steps: no press is lost. Turns are counted from 1."""
    steps = page.locator("[data-step]")
    expect(steps).to_have_count(7)
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".turn").first).to_have_text("Step 6 of 7")
    numbers = [entry.locator("span").first.inner_text() for entry in steps.all()]
    assert numbers == ["", "", "1", "2", "3", "4", "5"]


def players(page: Page, side: str) -> str:
    return page.locator(".players li").filter(has_text=side).inner_text()


def deserted(browse: Browse, match: Match) -> Table:
    """Return Red's table after Blue, whose turn it is, has left."""
    red, blue = (sit_at(browse(), match, side) for side in ("red", "blue"))
    red.deploy()
    blue.deploy()
    expect(red.page.locator(".players li").filter(has_text="Blue")).to_contain_text("here")
    assert red.play_turn()
    expect(blue.page.locator(".status")).to_contain_text("Your turn")
    blue.page.close()
    expect(red.page.locator(".players li").filter(has_text="Blue")).to_contain_text("away")
    return red


def test_who_stays_away_is_waited_for(browse: Browse, server: Server) -> None:
    red = deserted(browse, patient(server, "barrage"))
    expect(red.page.get_by_text("You may claim the win in").first).to_be_visible()
    assert not red.do("claim").count(), "not before the stated time"


def test_who_stays_away_too_long_loses(browse: Browse, server: Server) -> None:
    red = deserted(browse, server.match())
    red.do("claim").click()
    expect(red.page.locator(".status")).to_contain_text("You win. Blue stayed away")
