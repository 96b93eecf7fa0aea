"""Facts that a player of Conquest must not miss, seen on the page: a lost Flag, the score, a capture that helps
another.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import sit_at
from web.staged import Story, staged
from web.test_axe import check
from web.test_phone import PHONE, covered, no_sideways, on_screen

RED, OCHRE = 0, 3
SEATS = ("me", "person", "person", "person")
MOVES = ("move", "attack")


def to_move(story: Story) -> bool:
    return story.mover == RED and any(choice.verb in MOVES for choice in story.choices(RED))


def flag_lost(story: Story) -> bool:
    """Return whether Ochre has captured Red's Flag, in the turn before Red's."""
    return to_move(story) and int(story.state["holder"][0][RED]) == OCHRE


def warned(story: Story) -> bool:
    return to_move(story) and any(choice.warning for choice in story.choices(RED))


def test_a_lost_flag_is_named_and_stays_in_sight(browse: Browse, server: Server) -> None:
    match = staged(server, "conquest", flag_lost, SEATS)
    page = sit_at(browse(**PHONE), match, "red").page
    headline = page.locator("[data-headline=away]")
    expect(headline).to_contain_text("holds your Flag: you draw no cards")
    on_screen(page, "[data-headline=away]")
    no_sideways(page)
    expect(page.locator(".status .last")).to_contain_text("You have lost your Flag")
    for fold in ("recap", "score"):
        on_screen(page, f"[data-{fold}]")
    for fold in ("recap", "score"):
        page.locator(f'[data-do="unfold-{fold}"]').tap()
    expect(page.locator("[data-recap] li").first).to_be_visible()
    assert "card" in score_of(page, "blue")


def card_due(story: Story) -> bool:
    paths = [choice.path for choice in story.choices(RED)] if story.mover == RED else []
    return ("do.no-card",) in paths and int(story.state["turn"][0]) >= 4 and len(paths) > 3


def test_what_can_be_done_stays_in_sight_below_what_was_done(browse: Browse, server: Server) -> None:
    match = staged(server, "conquest", card_due, SEATS)
    page = sit_at(browse(viewport={"width": 1280, "height": 768}), match, "red").page
    expect(page.locator("[data-recap]")).to_be_attached()
    assert not covered(page, '[data-button="do.no-card"]')


def score_of(page: Page, side: str) -> str:
    row = page.locator(f"[data-score] [data-bank={side}]")
    expect(row).to_be_visible()
    return row.inner_text()


def test_what_was_done_to_a_player_stands_until_he_decides(browse: Browse, server: Server) -> None:
    match = staged(server, "conquest", flag_lost, SEATS)
    page = sit_at(browse(), match, "red").page
    recap = page.locator("[data-recap]")
    expect(recap).to_contain_text("You have lost your Flag")
    expect(page.locator("path.struck")).not_to_have_attribute("d", "")
    check(page, "recap")
    table = MapTable(page)
    table.make_move()
    expect(recap).to_have_count(0)


def test_the_score_stands_beside_the_map(browse: Browse, server: Server) -> None:
    page = sit_at(browse(), staged(server, "conquest", to_move, SEATS), "red").page
    assert "card" in score_of(page, "blue")
    expect(page.locator("[data-round]")).to_have_text("Round 1")
    flags = page.locator("[data-flags]")
    assert [flag.get_attribute("data-flags") for flag in flags.all()] == ["red", "blue", "green", "ochre"]


def test_an_attack_that_may_let_another_win_has_to_be_confirmed(browse: Browse, server: Server) -> None:
    match = staged(server, "conquest-three", warned, SEATS[:3])
    table = MapTable(sit_at(browse(), match, "red").page)
    client = match.sit("red")
    client.quiet()
    begin, finish = next(choice["path"] for choice in client.choices if choice.get("warning"))
    table.due()
    table.choose(begin)
    table.choose(finish)
    expect(table.page.locator(".warning")).to_contain_text("wins the match")
    table.do("cancel-move").click()
    expect(table.page.locator(".warning")).to_have_count(0)
    table.choose(finish)
    table.do("confirm-move").click()
    expect(table.page.locator(".warning")).to_have_count(0)
