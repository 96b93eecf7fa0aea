"""Conquest through the page: by mouse, keys and touch, alone against computers, by link, on one device."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from server.harness import Client, Match, Server
from web.conftest import Browse
from web.maptable import MapTable, Spaces, new_map_match
from web.setting import HASTE, sit_at
from web.staged import Story, staged
from web.table import wait_for
from web.test_axe import LOOKS, check
from web.test_keyboard import focused, tab_to
from web.test_phone import PHONE, no_sideways, on_screen

SIDES = ("red", "blue", "green", "ochre")
RED = 0
MOST_FREE = 12
"""Maximum number of free zones when a match is continued near the battle."""
MOST_CURTAINS = 5
"""Maximum number of curtains: one at the beginning, one for each player who places units, one before the first turn."""


def at_map(page: Page, match: Match, side: str) -> MapTable:
    sit_at(page, match, side)
    return MapTable(page)


def near_the_battle(server: Server, variant: str, seats: tuple[str, ...]) -> Match:
    """Return a match in which Red chooses one of the last territories and has the first turn, so that no computer
    player can take Red's Flag before it.
    """

    def reached(story: Story) -> bool:
        starts = int(story.state["start"][0]) == RED
        return starts and story.mover == RED and len(story.choices(RED)) <= MOST_FREE

    return staged(server, variant, reached, seats)


def spaces(server: Server, variant: str) -> Spaces:
    board = server.get(f"/api/games/{variant}").json()["board"]
    return {space["id"]: space for space in board["spaces"]}


def test_a_whole_match_against_three_computers_and_its_replay(browse: Browse) -> None:
    page = browse()
    page.add_init_script(HASTE)
    seats = {"red": "me", "blue": "agent:greedy", "green": "agent:random", "ochre": "agent:random"}
    table = new_map_match(page, "conquest", seats, max_rounds=10)
    table.pick_territories()
    expect(page.locator('[data-held="red"]')).to_have_count(6)
    table.place_units()
    while table.decide():
        pass
    expect(page.locator(".players li")).to_have_count(4)
    expect(page.locator(".status .turn")).to_contain_text(re.compile("win|Draw|lose"))
    check(page, "end")
    table.do("replay").click()
    # On a busy machine the replay of a long match takes a while.
    page.locator('[data-do="last"]').wait_for(timeout=120_000)
    check(page, "replay")
    expect(page.locator('[name="eyes"]')).to_have_count(6)
    for side in SIDES:
        page.check(f'[name="eyes"][value="{side}"]')
        table.do("deployments").click()
        known = {
            label.split(", ")[1].split("'")[0] for label in table.squares().values() if re.search("King|Scout", label)
        }
        assert known == {side.title()}, side


def test_links_for_all_open_seats(browse: Browse) -> None:
    page = browse()
    table = new_map_match(page, "conquest", {"red": "me", "blue": "link", "green": "link", "ochre": "agent:random"})
    invites = page.locator('[data-do="copy-invite"]')
    expect(invites).to_have_count(2)
    invites.first.click()
    expect(invites.first).to_have_text("Copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    other = MapTable(browse(link))
    other.page.locator("[data-space]").first.wait_for()
    expect(invites).to_have_count(1)
    expect(other.page.locator(".players li").nth(1)).to_contain_text("you")
    table.do("to-match").click()
    table.page.locator(".players").wait_for()
    assert table.page.locator(".players li").nth(2).inner_text().count("has not opened")


def test_three_people_on_one_device_and_a_computer(browse: Browse) -> None:
    page = browse()
    page.add_init_script(HASTE)
    table = new_map_match(page, "conquest", {"red": "me", "blue": "agent:random", "green": "device", "ochre": "device"})
    curtain = table.do("open-curtain")
    opened: list[str] = []

    def asked() -> str:
        return "curtain" if curtain.count() else table._due()

    while (wanted := wait_for(page, asked)) not in ("card", "move"):
        if wanted == "curtain":
            assert not page.locator("[data-space]").count()
            opened.append(page.locator("h1").inner_text().split()[-1])
            curtain.click()
        else:
            table.decide()
    assert set(opened) == {"Red", "Green", "Ochre"}
    assert len(opened) <= MOST_CURTAINS, "while territories are chosen, nothing is hidden"
    assert table.status() in ("card", "move")


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_to_complain_of(browse: Browse, server: Server, look: str) -> None:
    page = browse("/new/conquest", **LOOKS[look])
    page.locator("#seat-red").wait_for()
    check(page, "new match")
    page.goto("/rules/conquest")
    page.locator("h1").wait_for()
    check(page, "rules")
    match = near_the_battle(server, "conquest-two", ("me", "random"))
    table = at_map(page, match, "red")
    seen = set()
    for _ in range(60):
        wanted = table.due()
        if wanted not in seen:
            check(page, wanted)
            seen.add(wanted)
        if {"place", "move"} <= seen:
            break
        assert table.decide(plays=False)
    assert {"zone", "place", "move"} <= seen


def test_all_on_a_small_phone(browse: Browse, server: Server) -> None:
    match = near_the_battle(server, "conquest-two", ("me", "random"))
    table = at_map(browse(**PHONE), match, "red")
    page = table.page
    seen = set()
    for _ in range(60):
        wanted = table.due()
        if wanted not in seen:
            page.evaluate("() => scrollTo(0, 0)")
            on_screen(page, ".board")
            on_screen(page, '[data-do="ready"]' if wanted == "place" else ".status .turn")
            no_sideways(page)
            seen.add(wanted)
        if {"place", "move"} <= seen:
            break
        decide_by_touch(table, wanted)
    assert {"zone", "place", "move"} <= seen
    begin = table.open_zones()[0]
    table.square(begin).tap()
    table.square(min(table.targets())).tap()
    expect(table.do("confirm-move")).to_be_visible()
    table.confirm()
    table.settle()
    expect(table.square(begin)).not_to_have_attribute("aria-label", re.compile("your "))


def decide_by_touch(table: MapTable, wanted: str) -> None:
    if wanted == "place":
        table.do("random").tap()
        table.do("ready").tap()
        table.do("ready").wait_for(state="detached")
        return
    if wanted == "card":
        # One tap is enough, because it changes nothing on the map.
        table.button("do.no-card").tap()
        expect(table.button("do.no-card")).to_be_hidden()
        return
    table.square(table.open_zones()[0]).tap()
    expect(table.do("confirm-move")).to_be_visible()
    table.confirm()


def test_the_rest_of_the_territories_is_chosen_for_who_wants_it(browse: Browse, server: Server) -> None:
    match = server.match(variant="conquest-two")
    table = at_map(browse(), match, "red")
    blue, rng = match.sit("blue"), random.Random(4)
    choose_territories(blue, rng)
    assert table.due() == "zone"
    note = table.page.locator(".board .note")
    table.choose(table.open_zones()[0])
    table.do("choose-rest").click()
    expect(table.do("choose-rest")).to_have_attribute("aria-pressed", "true")
    while not blue.scene["arrange"]:
        choose_territories(blue, rng)
        table.page.wait_for_timeout(50)  # without a pause the server would close a socket that asks so often
    expect(table.do("ready")).to_be_visible()
    assert table.due() == "place"
    table.page.mouse.move(0, 0)
    expect(note).to_have_text("Dotted zones border a zone of another side.")
    table.do("random").click()
    expect(note).to_have_count(0)


def choose_territories(client: Client, rng: random.Random) -> None:
    """Choose as many territories as the client must choose now."""
    client.quiet()
    while client.choices:
        client.decide(rng)
        client.until("update")
        client.quiet()


def test_from_the_form_to_the_first_turn_by_keys_alone(browse: Browse, server: Server) -> None:
    page = browse("/new/conquest-two")
    tab_to(page, "start")
    page.keyboard.press("Enter")
    table = MapTable(page, keys=True)
    table.spaces = spaces(server, "conquest-two")
    picked = 0
    while table.due() == "zone":
        to_the_map(page)
        table.choose(table.open_zones()[-1])
        picked += 1
        wait_for(page, lambda: not table.open_zones() or own_territories(page) == picked)  # noqa: B023 - not kept
    assert picked == OWN_TERRITORIES
    for name in ("random", "ready"):
        expect(table.do(name)).to_be_enabled()
        tab_to(page, name)
        page.keyboard.press("Enter")
    table.do("ready").wait_for(state="detached")
    while (wanted := table.due()) in ("zone", "place"):
        assert wanted != "place"
        to_the_map(page)
        table.choose(table.open_zones()[0])
    assert wanted in ("card", "move", "over")  # the starting player may take the Flag in the first turn


OWN_TERRITORIES = 12
"""Number of territories that each player chooses in Conquest for two."""


def own_territories(page: Page) -> int:
    return page.locator('[data-held="red"]').count()


def test_by_keys_alone(browse: Browse, server: Server) -> None:
    match = near_the_battle(server, "conquest-two", ("me", "random"))
    sit_at(browse(), match, "red")
    table = MapTable(browse(f"/match/{match.id}#{match.secrets['red']}"), keys=True)
    table.spaces = spaces(server, "conquest-two")
    page = table.page
    for _ in range(30):
        wanted = table.due()
        if wanted == "place":
            break
        to_the_map(page)
        table.choose(table.open_zones()[-1])
        page.wait_for_timeout(60)
    tab_to(page, "random")
    page.keyboard.press("Enter")
    expect(table.do("ready")).to_be_enabled()
    tab_to(page, "ready")
    page.keyboard.press("Enter")
    table.do("ready").wait_for(state="detached")
    moves = 0
    while moves < 3 and (wanted := table.due()) != "over":
        if wanted == "card":
            to_the_button(page, "do.no-card")
            page.keyboard.press("Enter")
        elif wanted == "move":
            to_the_map(page)
            squares = table.open_zones()
            table.choose(squares[0])
            table.choose(min(table.targets()))
            table.settle()
            moves += 1
        else:  # a Flag was taken
            to_the_map(page)
            table.choose(table.open_zones()[0])
        page.wait_for_timeout(60)
    assert moves > 0
    assert "Borders" in page.evaluate("() => document.querySelector('[data-space]').getAttribute('aria-description')")


def to_the_map(page: Page) -> None:
    for _ in range(60):
        if re.fullmatch(r"[a-z]+[123]", focused(page)[0]):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the map")


def to_the_button(page: Page, name: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.button ?? ''") == name:
            return
    raise AssertionError(f"Tab does not lead to {name}")
