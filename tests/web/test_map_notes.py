"""The note about a zone of the map stands beside the zone and covers no name and no city."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import sit_at
from web.staged import Story, staged

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES: dict[str, dict[str, Any]] = {"wide": {}, "phone": PHONE}
COVERED = """() => {
  const note = document.querySelector('.map .note').getBoundingClientRect();
  const map = document.querySelector('.map').getBoundingClientRect();
  const names = [...document.querySelectorAll('.names :is(text, .tower)')];
  const meets = (box) =>
    box.left < note.right && note.left < box.right && box.top < note.bottom && note.top < box.bottom;
  const inside = note.left >= map.left - 1 && note.right <= map.right + 1 &&
    note.top >= map.top - 1 && note.bottom <= map.bottom + 1;
  const covered = names
    .filter((name) => meets(name.getBoundingClientRect()))
    .map((name) => name.textContent || 'a city');
  return [...covered, ...(inside ? [] : ['the edge of the map'])];
}"""


def zones(page: Page) -> list[str]:
    """Return all zones of the map."""
    page.locator("[data-space]").first.wait_for()
    found: list[str] = page.eval_on_selector_all("[data-space]", "all => all.map((it) => it.dataset.space)")
    return found


def covered(page: Page, zone: str, by_pointer: bool) -> list[str]:
    """Look at a zone; return the names and cities that the note covers."""
    if by_pointer:
        page.mouse.move(0, 0)
        page.locator(f'[data-space="{zone}"]').hover()
    else:
        page.evaluate(f"""() => document.querySelector('[data-space="{zone}"]').focus()""")
    page.locator(".map .note").wait_for()
    found: list[str] = page.evaluate(COVERED)
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_notes_about_territories_cover_no_name(browse: Browse, server: Server, size: str, language: str) -> None:
    page = browse(**SIZES[size], locale=language)
    sit_at(page, server.match(("me", "random"), "conquest-two"), "red")
    all_zones = zones(page)
    assert len(all_zones) == 72
    for by_pointer in (False, True) if size == "wide" else (False,):
        faults = {zone: found for zone in all_zones if (found := covered(page, zone, by_pointer))}
        assert not faults


def test_a_note_stands_beside_its_zone(browse: Browse, server: Server) -> None:
    page = browse()
    sit_at(page, server.match(("me", "random"), "conquest-two"), "red")
    for zone in zones(page)[::7]:
        covered(page, zone, True)
        note, place = (page.locator(name).bounding_box() for name in (".map .note", f'[data-space="{zone}"]'))
        assert note is not None
        assert place is not None
        across = max(note["x"] - place["x"] - place["width"], place["x"] - note["x"] - note["width"], 0)
        down = max(note["y"] - place["y"] - place["height"], place["y"] - note["y"] - note["height"], 0)
        assert across + down < 200, zone


@pytest.mark.parametrize("size", SIZES)
def test_notes_about_units_cover_no_name(browse: Browse, server: Server, size: str) -> None:
    """During play the note says what is known of a unit."""

    def reached(story: Story) -> bool:
        scene = story.game.scene(story.game.view(story.state, 0))
        return bool(scene.started and scene.turn >= 12 and story.mover == 0)

    match = staged(server, "conquest", reached, ("me", "random", "random", "random"))
    page = browse(**SIZES[size])
    sit_at(page, match, "red")
    expect(page.locator(".status")).to_be_visible()
    faults, told = {}, 0
    for zone in zones(page):
        page.evaluate(f"""() => document.querySelector('[data-space="{zone}"]').focus()""")
        page.wait_for_timeout(20)
        if page.locator(".map .note").count():
            told += 1
            faults |= {zone: found} if (found := page.evaluate(COVERED)) else {}
    assert told > 3
    assert not faults


@pytest.mark.parametrize("size", SIZES)
def test_the_note_about_borders_covers_nothing_while_units_are_placed(
    browse: Browse, server: Server, size: str
) -> None:
    def placing(story: Story) -> bool:
        view = story.game.view(story.state, 0)
        return story.mover == 0 and story.game.scene(view).arrange is not None

    match = staged(server, "conquest", placing, ("me", "person", "person", "person"))
    page = browse(**SIZES[size])
    sit_at(page, match, "red")
    expect(page.locator(".map .note")).to_have_text("Dotted zones border a zone of another side.")
    assert not page.evaluate(COVERED)


def test_a_city_in_the_list_of_free_territories_has_the_colour_of_the_text(browse: Browse, server: Server) -> None:
    page = browse(color_scheme="dark")
    sit_at(page, server.match(("me", "random"), "conquest-two"), "red")
    city = page.locator(".borders svg").first
    assert city.evaluate("""(it) => getComputedStyle(it.firstChild).fill === getComputedStyle(it).color""")
