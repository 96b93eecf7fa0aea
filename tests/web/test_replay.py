"""A replay of a finished match: automatic, by keys, from battle to battle, to a moment, and with pictures."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import gonfalon
from gonfalon.engine.game import CHANCE
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import make_record, play_record
from server.against import finished
from server.harness import Server
from web.conftest import Browse
from web.setting import sit_at
from web.table import Table, wait_for

SIZES = ((1280, 800), (390, 844), (360, 640), (844, 390))
MOST = 150
FIRST = b"\x89PNG\r\n"


def at(page: Page) -> int:
    return int(page.locator('[name="step"]').input_value())


def saved(page: Page, what: str, folder: Path) -> bytes:
    with page.expect_download() as coming:
        page.click(f'[data-do="{what}"]')
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path.read_bytes()


def played(variant: str) -> str:
    """Return the record of the beginning of a match."""
    game, rng, steps = gonfalon.make(variant), np.random.default_rng(3), list[tuple[int, int]]()
    state = game.initial_state()
    while len(steps) < MOST and game.outcome(state) is None:
        player = game.to_act(state)[0]
        if player == CHANCE:
            actions = [int(rng.choice(game.chance_outcomes(state)[0]))]
        else:
            view = game.view(state, player)
            placing = game.standing(view).arranges
            actions = list(map(int, game.sensible_deployment(view, rng))) if placing else [int(rng.choice(view.legal))]
        for action in actions:
            state = game.apply(state, player, action)
            steps.append((player, action))
    return make_record(game, steps).write()


def test_what_could_not_be_ruled_out_stands_on_the_pieces(browse: Browse) -> None:
    text = played("classic")
    page = browse("/replay")
    page.fill('[name="record"]', text)
    page.click('[data-do="open-record"]')
    slips = page.locator("[data-possible]")
    expect(page.locator(".board")).to_be_visible()
    expect(slips).to_have_count(0)
    page.get_by_label("What could not be ruled out").check()
    page.get_by_label("Red", exact=True).check()
    page.click('[data-do="last"]')
    record = read_record(text)
    game = gonfalon.make("classic")
    *_, (_, _, _, state) = play_record(game, record)
    view = game.view(state, 0)
    hidden = {token.place: token.id for token in game.scene(view).tokens if token.side == "blue" and not token.face}
    candidates = game.candidates(view)
    expect(slips).to_have_count(len(hidden))
    for place, token in hidden.items():
        slip = page.locator(f'[data-token="{token}"] [data-possible]')
        assert set(str(slip.get_attribute("data-possible")).split()) == set(candidates[place])
    moved = next(place for place in hidden if "bomb" not in candidates[place])
    page.hover(f'[data-space="{moved}"]')
    expect(page.locator(".named")).to_have_text(re.compile(r"^Blue's hidden piece; has moved; one of [2-9, ]+, and 1$"))
    page.get_by_label("What could not be ruled out").uncheck()
    expect(slips).to_have_count(0)


@pytest.mark.parametrize("variant", ["duel", "cardgame"])
def test_on_a_phone_the_board_keeps_its_place_whatever_is_said(browse: Browse, variant: str) -> None:
    text = played(variant)
    page = browse("/replay", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.fill('[name="record"]', text)
    page.click('[data-do="open-record"]')
    tops, said = set(), set()
    for _ in range(25):
        page.locator('[data-do="next"]').tap()
        tops.add(page.locator(".boardbox").evaluate("(board) => board.getBoundingClientRect().top + scrollY"))
        said.add(page.locator(".say .soft").last.inner_text())
    assert len(said) > 5
    assert len(tops) == 1


def test_who_played_is_told_so_of_himself(browse: Browse, server: Server) -> None:
    table = sit_at(browse(), server.match(("me", "random")), "red")
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("replay").first.click()
    players = table.page.locator("h1 + .small bdi")
    expect(players).to_have_text(["Red: you", "Blue: Random moves"])
    expect(table.page.locator(".say")).to_contain_text("Blue wins.")
    expect(table.page.locator(".say")).to_have_class(re.compile(r"\bside-blue\b"))
    expect(browse(table.page.url).locator("h1 + .small bdi").first).to_have_text("Red: a person")


def test_a_replay_is_gone_through_and_a_moment_linked(browse: Browse, server: Server) -> None:
    match = finished(server, random.Random(5))
    page = browse(f"/replay/{match.id}")
    table = Table(page)
    table.do("first").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator('[name="step"]')).to_have_value("2")
    page.keyboard.press("End")
    expect(page.locator('[data-do="next"]')).to_be_disabled()
    page.keyboard.press("?")
    expect(page.get_by_text("to the battle before")).to_be_visible()
    page.get_by_label("Red", exact=True).check()
    table.do("first").click()
    page.select_option('[name="speed"]', label="×4")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(table.do("play")).to_have_accessible_name("Pause")
    expect(page.locator('[name="step"]')).to_have_value(re.compile(r"^([4-9]|\d\d+)$"))
    page.keyboard.press(" ")
    expect(table.do("play")).to_have_accessible_name("Play")
    # A step that has begun is shown to its end. The URL names the moment a little later.
    wait_for(page, lambda: page.url.endswith(f"#red/{at(page)}"), "the address of the moment")
    here = at(page)
    link = table.copied("copy-moment")
    board = table.squares()
    page.reload()
    expect(page.locator('[name="step"]')).to_have_value(str(here))
    other = browse(link)
    expect(other.locator('[name="step"]')).to_have_value(str(here))
    expect(other.get_by_label("Red", exact=True)).to_be_checked()
    assert Table(other).squares() == board
    _is_on_every_screen(other, "replay")


def _is_on_every_screen(page: Page, name: str) -> None:
    """Check that the board and the buttons fit on every screen together."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => scrollTo(0, 0)")
        for part in (".boardbox", '[data-do="last"]', '[name="step"]', '[name="speed"]'):
            box = page.locator(part).first.bounding_box()
            assert box is not None
            inside = box["y"] >= 0 and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
            assert inside, (part, width, height, box)
        if shots := os.environ.get("SHOTS"):
            page.screenshot(path=f"{shots}/{name}{width}.png")


def test_a_record_from_a_file_survives_a_reload(browse: Browse, tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    record.write_text(played("duel"))
    page = browse("/replay")
    page.set_input_files('[name="record-file"]', record)
    page.locator('[data-do="last"]').click()
    last = at(page)
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("[data-live]")).to_contain_text(re.compile("takes|fall|beat|lose"))
    battle = at(page)
    assert 2 < battle < last
    page.locator('[data-do="prev"]').click()
    page.keyboard.press("Shift+ArrowRight")
    assert at(page) == battle
    page.locator('[data-do="last"]').click()
    expect(page).to_have_url(re.compile(f"/replay#everything/{last}$"))
    page.reload()
    expect(page.locator('[name="step"]')).to_have_value(str(last))
    expect(page.locator('[data-do="copy-moment"]')).to_have_count(0)
    page.locator('[data-do="open-other"]').click()
    expect(page.locator('[name="record"]')).to_have_value("")
    page.reload()
    expect(page.locator('[name="record"]')).to_have_value("")


@pytest.mark.parametrize("variant", ["duel", "cardgame", "conquest"])
def test_a_position_is_whole_on_every_screen_and_in_pictures(browse: Browse, tmp_path: Path, variant: str) -> None:
    page = browse("/replay")
    page.fill('[name="record"]', played(variant))
    page.click('[data-do="open-record"]')
    # On a busy machine the process that makes replays may have to compile the game first.
    page.locator('[data-do="last"]').click(timeout=240_000)
    svg = saved(page, "picture-svg", tmp_path)
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert b"@font-face" in svg
    assert b"var(--" not in svg
    if shots := os.environ.get("SHOTS"):
        (Path(shots) / f"{variant}.svg").write_bytes(svg)
    png = saved(page, "picture-png", tmp_path)
    assert png.startswith(FIRST)
    if shots := os.environ.get("SHOTS"):
        (Path(shots) / f"{variant}.png").write_bytes(png)
        page.locator(".boardbox").screenshot(path=f"{shots}/{variant}-board.png")
    _is_on_every_screen(page, variant)
