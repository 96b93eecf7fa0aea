"""Captions of other players' battles in Conquest: a result is shown at least as long as its announcement."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import expect

from server.harness import Client, Server
from web.conftest import Browse
from web.setting import due, scripted, sit_at
from web.staged import Story, staged
from web.test_rhythm import WATCH, told

BLUE = 1
SEATS = ("me", "person", "person")


def attacks_wait(story: Story) -> bool:
    """Return whether Blue makes its moves, and more than two of its units can attack."""
    if story.mover != BLUE or story.game.scene(story.game.view(story.state, BLUE)).status.code != "move":
        return False
    return len({choice.path[0] for choice in story.choices(BLUE) if choice.verb == "attack"}) > 2


def attack(client: Client) -> None:
    """Attack where that is possible."""
    choices = due(client)
    chosen = next((choice for choice in choices if choice["verb"] == "attack"), choices[0])
    scripted(client, *chosen["path"])


def test_a_result_stays_as_long_as_its_announcement(browse: Browse, server: Server) -> None:
    match = staged(server, "conquest-three", attacks_wait, SEATS)
    page = sit_at(browse(patient=True), match, "red").page
    blue = match.sit("blue")
    page.locator(".status .last").wait_for()
    page.evaluate(WATCH)
    attack(blue)
    attack(blue)
    expect(page.locator(".status .turn")).to_have_text("A battle")
    expect(page.locator(".status .turn")).not_to_have_text("A battle", timeout=15_000)
    page.wait_for_timeout(1500)
    lasted = [(line, after[0] - at) for (at, _, line), after in pairwise(told(page))]
    battles = [pair for pair in pairwise(lasted) if "attacks" in pair[0][0] and "attacks" not in pair[1][0]]
    assert battles
    for (_, announced), (_, shown) in battles:
        assert shown >= announced, battles
