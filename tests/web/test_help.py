"""Help for a player against the computer: take-backs and hints, which the end of the match and the list of matches
report; and the analysis of the replay.
"""

from __future__ import annotations

import os
import random
import re

from playwright.sync_api import expect

from server.against import analyse, finished
from server.harness import Server
from web.conftest import Browse
from web.setting import SAFE, deployment_for, new_match
from web.table import Table, wait_for


def test_moves_are_taken_back_and_hints_given(browse: Browse, server: Server) -> None:
    # Full armies: a sensible deployment keeps its Flag behind the front, and no piece can reach a Flag within three
    # turns. So the match continues, whatever is played.
    table = new_match(browse(), "original", "agent:greedy", "red")
    page = table.page
    table.deploy(deployment_for(server, "original", "red", SAFE))
    assert table.ready()
    expect(table.do("return")).to_be_disabled()
    before = table.squares()
    watcher = browse(page.url.split("#")[0])
    assert table.play_turn()
    assert table.ready()
    assert table.squares() != before
    table.do("return").click()
    table.hear("You took a move back")
    expect(page.locator(".status .last")).to_contain_text("You took a move back")
    wait_for(page, lambda: table.squares() == before, "the board as it was")
    expect(watcher.locator(".status .last")).to_contain_text("Red took a move back.")
    expect(table.do("return")).to_be_disabled()
    assert table.play_turn()
    assert table.ready()
    page.reload()
    assert table.ready()
    page.keyboard.press("u")
    expect(page.locator(".status .last")).to_contain_text("took a move back")
    assert table.ready()
    page.keyboard.press("h")
    expect(page.locator(".status .last")).to_contain_text("Hint: ", timeout=120_000)
    said = page.locator(".status .last").inner_text()
    advised = set(page.locator(".advised[data-space]").evaluate_all("all => all.map((each) => each.dataset.space)"))
    found = re.fullmatch(r"Hint: (\w+) → (\w+)\. Chance of winning: (\d+) %\.", said)
    assert found, said
    assert advised == {found[1], found[2]}
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=f"{shots}/back.png")
        for w, h in ((390, 844), (360, 640), (844, 390)):
            page.set_viewport_size({"width": w, "height": h})
            page.screenshot(path=f"{shots}/back{w}.png")
        page.set_viewport_size({"width": 1280, "height": 800})
    table.move(found[1], found[2])
    expect(page.locator(".advised")).to_have_count(0)
    assert table.ready()
    table.do("resign").click()
    table.do("confirm-resign").click()
    expect(page.locator(".panel .outcome")).to_contain_text("Moves taken back: 2.")
    expect(page.locator(".panel .outcome")).to_contain_text("Hints: 1.")
    page.goto("/matches")
    expect(page.locator("[data-match]").first).to_contain_text("with hints and moves taken back")


def test_a_match_is_analysed_on_its_replay(browse: Browse, server: Server) -> None:
    match = finished(server, random.Random(7))
    page = browse(f"/replay/{match.id}")
    page.select_option('[name="analysed"]', "red")
    # The request for this analysis never reaches the server, so it cannot end before the player stops it.
    page.route("**/analyses/red", lambda _: None)
    Table(page).do("analyse").click()
    Table(page).do("stop-analysis").click()
    expect(Table(page).do("analyse")).to_be_visible()
    page.unroute("**/analyses/red")
    Table(page).do("analyse").click()
    expect(page.get_by_role("img", name=re.compile("Chances of winning"))).to_be_visible(timeout=120_000)
    expect(page.get_by_role("img", name=re.compile("Chances of winning"))).to_be_in_viewport(ratio=1)
    expect(page.locator(".analysis svg text")).to_have_text(["100 %", "50 %", "0 %"])
    page.locator(".analysis summary").click()
    rows = page.locator(".analysis tbody tr")
    expect(rows).to_have_count(len(analyse(match)[-1]["analysis"]["judged"]))
    assert rows.count()
    for row in rows.all():
        expect(row).to_contain_text(re.compile(r"\w\d+ \([A-Z][a-z]+\) → \w\d+.* \([A-Z][a-z]+\) → "))
    dearest = page.locator("[data-judged]")
    if dearest.count():
        dearest.first.click()
        expect(page.locator('[name="eyes"][value="red"]')).to_be_checked()
        expect(page.locator(".advised[data-space]")).to_have_count(2)
    if shots := os.environ.get("SHOTS"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for w, h in ((1280, 800), (390, 844), (360, 640), (844, 390)):
                page.set_viewport_size({"width": w, "height": h})
                page.screenshot(path=f"{shots}/analysis-{scheme}{w}.png", full_page=True)
