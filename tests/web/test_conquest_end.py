"""The page at the end of a match of Conquest, for one player or for all."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from gonfalon.engine.game import PUBLIC
from gonfalon.engine.screens.scene import Choice
from server.harness import Match, Server
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import sit_at
from web.staged import Story, staged
from web.test_axe import check

RED = 0


def leads_to(story: Story, choice: Choice, event: str) -> bool:
    """Return whether Red's move causes this event for everybody."""
    after = story.game.apply(story.state, RED, choice.id)
    return event in (told.code for told in story.game.events(choice.id, after, PUBLIC))


def one_move_before(server: Server, variant: str, event: str, seats: tuple[str, ...]) -> tuple[Match, Choice]:
    """Return a match, and a move of Red's in it that causes this event for everybody."""
    found: list[Choice] = []

    def reached(story: Story) -> bool:
        moves = [choice for choice in story.choices(RED) if choice.verb in ("move", "attack", "stop")]
        found[:] = [choice for choice in moves if leads_to(story, choice, event)]
        return bool(found)

    return staged(server, variant, reached, seats), found[0]


def carry_out(table: MapTable, choice: Choice) -> None:
    assert table.due() == "move"
    for step in choice.path:
        if step.startswith("do."):
            table.button(step).click()
        else:
            table.choose(step)
    table.confirm()


def test_the_last_flag_wins(browse: Browse, server: Server) -> None:
    match, move = one_move_before(server, "conquest-narrows", "won", ("me", "person"))
    red, blue = (MapTable(sit_at(browse(), match, side).page) for side in ("red", "blue"))
    carry_out(red, move)
    for table, words, reason in (
        (red, "You win", "The Flag of Blue is taken"),
        (blue, "You lose", "Your Flag is taken"),
    ):
        expect(table.page.locator(".status")).to_contain_text(words)
        expect(table.page.locator(".status .reason")).to_contain_text(reason)
        table.hear("Flag")


def test_who_cannot_move_any_more_is_passed_over(browse: Browse, server: Server) -> None:
    match, move = one_move_before(server, "conquest-three", "skipped", ("me", "person", "person"))
    table = MapTable(sit_at(browse(), match, "red").page)
    carry_out(table, move)
    table.hear("out: no Flag, and nothing that can move")
    expect(table.page.locator(".score .out")).to_have_count(1)
    check(table.page, "who is out can still be read")
    table.page.reload()
    expect(table.page.locator(".players .out .state")).to_have_text(
        re.compile("out: no Flag, and nothing that can move")
    )
