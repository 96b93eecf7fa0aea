"""How a match of Conquest ends for one or for all, seen on the page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from gonfalon.engine.game import PUBLIC
from gonfalon.engine.scene import Choice
from server.harness import Server
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import sit_at
from web.staged import Story, staged

RED = 0


def leads_to(event: str) -> Callable[[Story], Choice | None]:
    """A move of Red's after which all are told this."""

    def found(story: Story) -> Choice | None:
        if story.mover != RED:
            return None
        for choice in story.choices(RED):
            if choice.verb in ("move", "attack", "stop"):
                after = story.game.apply(story.state, RED, choice.id)
                if event in (told.code for told in story.game.events(story.state, RED, choice.id, after, PUBLIC)):
                    return choice
        return None

    return found


def carry_out(table: MapTable, choice: Choice) -> None:
    assert table.due() == "move"
    for step in choice.path:
        table.choose(step)
    table.confirm()


def test_the_last_flag_wins(browse: Browse, server: Server) -> None:
    found: list[Choice] = []

    def reached(story: Story) -> bool:
        found[:] = filter(None, [leads_to("won")(story)])
        return bool(found)

    match = staged(server, "conquest-narrows", reached, lambda _story, _drawn: None, ("me", "person"))
    red, blue = (MapTable(sit_at(browse(), match, side).page) for side in ("red", "blue"))
    carry_out(red, found[0])
    for table, words in ((red, "You win"), (blue, "You lose")):
        expect(table.page.locator(".status")).to_contain_text(words)
        expect(table.page.locator(".status .reason")).to_contain_text("All other Flags are taken")
        table.hear("Flag")


def test_who_cannot_move_any_more_is_passed_over(browse: Browse, server: Server) -> None:
    found: list[Choice] = []

    def reached(story: Story) -> bool:
        found[:] = filter(None, [leads_to("skipped")(story)])
        return bool(found)

    match = staged(server, "conquest-three", reached, lambda _story, _drawn: None, ("me", "person", "person"))
    table = MapTable(sit_at(browse(), match, "red").page)
    carry_out(table, found[0])
    table.hear("is out: no Flag, and nothing that can move")
