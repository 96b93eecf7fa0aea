"""Matches against the computer by mouse alone, and the replay of one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gonfalon.games import ruleset
from gonfalon.games.grid.play.deployments import load
from web.conftest import Browse
from web.setting import new_match
from web.table import Table

MOST_TURNS = 160


def test_from_the_first_screen_a_match_is_two_clicks_away(browse: Browse) -> None:
    page = browse("/")
    page.locator('[data-variant="duel"] [data-do="quick-play"]').click()
    expect(page.locator('[data-do="random"]')).to_be_visible()
    expect(page).to_have_url(re.compile("/match/"))


def test_play_now_leads_to_the_first_move_by_one_click(browse: Browse) -> None:
    page = browse("/")
    page.locator('[data-do="play-now"]').click()
    expect(page).to_have_url(re.compile("/match/"))
    table = Table(page)
    assert table.ready()
    assert page.locator('[data-do="random"]').count() == 0, "the pieces are placed"
    assert table.play_turn()


def test_pressing_play_again_makes_no_second_match(browse: Browse) -> None:
    page = browse("/")
    duel = page.locator('[data-variant="duel"] [data-do="quick-play"]')
    duel.click()
    expect(page.locator('[data-do="random"]')).to_be_visible()
    first = page.url
    page.goto("/")
    expect(page.locator('[data-do="play-now"]')).to_be_visible()
    expect(page.locator('[data-do="go-on"]')).to_have_count(0)  # no player has acted in this match
    duel.click()
    expect(page).to_have_url(first)
    Table(page).deploy()
    page.goto("/")
    expect(page.locator('[data-do="go-on"]')).to_have_attribute("href", first.removeprefix(page.url.rstrip("/")))
    duel.click()
    expect(page.locator('[data-do="random"]')).to_be_visible()
    assert page.url != first, "a match that has begun is not the one that is played now"


@pytest.mark.parametrize("variant", ["classic", "original"])
def test_four_turns_against_the_computer(browse: Browse, variant: str) -> None:
    """In four turns no side can reach a Flag behind the enemy's lines."""
    table = new_match(browse(), variant, "agent:greedy")
    table.deploy(f"{variant}:{next(iter(load(ruleset(variant)).values()))}")
    for turn in range(2):
        assert table.play_turn(by_drag=turn == 0)
    table.ready()
    table.do("offer-draw").click()
    expect(table.page.locator(".calls")).to_contain_text("Your draw offer stands")
    assert table.play_turn(by_drag=True)
    expect(table.page.locator(".calls")).to_contain_text("No draw was agreed")
    assert table.play_turn()
    expect(table.page.locator(".calls")).not_to_contain_text("No draw was agreed")
    table.ready()
    move = re.compile(r"Blue(:| attacks)|You (attack|move) from|Your Scout runs")
    moves = table.page.locator("section.log li").filter(has_text=move)
    expect(moves).to_have_count(8)


def test_a_whole_match_by_mouse_and_its_replay(browse: Browse, tmp_path: Path) -> None:
    table = new_match(browse(), "barrage", "agent:random", switches={"max_turns": MOST_TURNS})
    table.deploy()
    while table.play_turn(by_drag=table.moves % 3 == 0):
        pass
    page = table.page
    expect(page.locator(".status")).to_contain_text(re.compile("You win|You lose|Draw"))
    result = page.locator(".status .reason").inner_text()
    table.do("replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    _step_through(page)
    _everything_and_eyes(page)
    record = _save(page, tmp_path)
    assert record.read_text().startswith("Gonfalon record 1")
    _open_again(page, record, result)


def _step_through(page: Page) -> None:
    last = int(page.locator('[name="step"]').get_attribute("max") or 0)
    assert last >= 4, "two deployments and a move of each at least"
    page.click('[data-do="first"]')
    expect(page.locator('[name="step"]')).to_have_value("0")
    for _ in range(3):
        page.click('[data-do="next"]')
    expect(page.locator('[name="step"]')).to_have_value("3")
    page.click('[data-do="prev"]')
    expect(page.locator('[name="step"]')).to_have_value("2")
    page.click('[data-do="last"]')
    expect(page.locator('[name="step"]')).to_have_value(str(last))
    expect(page.locator('[data-do="next"]')).to_be_disabled()


def _everything_and_eyes(page: Page) -> None:
    """Check that "everything" shows both deployments, and a side's view only the side's own pieces."""
    page.click('[data-do="deployments"]')
    faces = {"everything": 16, "red": 8, "blue": 8, "public": 0}
    for eyes, known in faces.items():
        page.check(f'[name="eyes"][value="{eyes}"]')
        labels = Table(page).squares().values()
        words = "Marshal|General|Miner|Scout|Spy|Bomb|Flag"
        assert sum(bool(re.search(words, label)) for label in labels) == known, eyes
        assert sum(bool(re.search("Red|Blue", label)) for label in labels) == 16, eyes


def _save(page: Page, folder: Path) -> Path:
    with page.expect_download() as coming:
        page.click('[data-do="save-record"]')
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path


def _open_again(page: Page, record: Path, result: str) -> None:
    page.goto("/replay")
    page.set_input_files('[name="record-file"]', record)
    page.click('[data-do="last"]')
    expect(page.locator(".turn").first).to_contain_text(result)
    page.goto("/replay")
    page.fill('[name="record"]', record.read_text())
    page.click('[data-do="open-record"]')
    page.click('[data-do="last"]')
    expect(page.locator(".turn").first).to_contain_text(result)
    page.goto("/replay")
