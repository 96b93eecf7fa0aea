"""Deployments: by tools, from the library, the player's own ones, and as a line of text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from gonfalon.server import library
from server.harness import Server
from web.conftest import Browse
from web.setting import sit_at
from web.table import Table, wait_for

VARIANTS = [card.variant for card in library.list_shipped() if library.read_deployments(card.variant)]


def placed(table: Table) -> dict[str, str]:
    return {name: label.split("your ")[1] for name, label in table.squares().items() if "your " in label}


def mirrored(name: str) -> str:
    return "abcdefghij"["jihgfedcba".index(name[0])] + name[1:]


def opened(browse: Browse, server: Server, variant: str, side: str = "red") -> Table:
    table = sit_at(browse(), server.match(variant=variant), side)
    table.do("random").wait_for()
    return table


def test_random_mirror_clear_and_by_hand(browse: Browse, server: Server) -> None:
    table = opened(browse, server, "duel", "blue")
    expect(table.do("ready")).to_be_disabled()
    table.suggest()
    first = placed(table)
    assert len(first) == 10
    table.do("mirror").click()
    stands = placed(table)
    assert stands == {mirrored(name): face for name, face in first.items()}
    table.suggest()
    expect(table.page.locator(".status")).to_contain_text("Placed as people do.")
    assert placed(table) != stands
    table.do("clear").click()
    assert not placed(table)
    table.page.locator('[data-face="flag"]').click()
    table.square("c8").click()
    table.page.locator('[data-face="marshal"]').drag_to(table.square("d7"))
    assert placed(table) == {"c8": "Flag", "d7": "Marshal"}
    table.square("c8").drag_to(table.square("d7"))
    assert placed(table) == {"c8": "Marshal", "d7": "Flag"}
    table.suggest()
    whole = placed(table)
    assert (len(whole), whole["c8"], whole["d7"]) == (10, "Marshal", "Flag"), "what was placed stays"
    table.do("shelf").click()
    table.do("any-order").click()
    assert len(placed(table)) == 10
    assert placed(table) != whole
    table.do("close-shelf").click()
    table.do("clear").click()
    table.square("d7").click()
    table.square("a5").click()
    expect(table.page.locator(".status")).to_contain_text("Your pieces go on the marked rows.")


def test_what_is_placed_while_an_arrangement_is_thought_about_stays(browse: Browse, server: Server) -> None:
    page = browse()
    kept: list[tuple[WebSocketRoute, str | bytes]] = []
    thinking = [True]

    def route(socket: WebSocketRoute) -> None:
        def tell(message: str | bytes) -> None:
            if '"suggestion"' in str(message) and thinking[0]:
                kept.append((socket, message))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(tell)

    page.route_web_socket(re.compile("/socket"), route)
    table = sit_at(page, server.match(variant="duel"), "red")
    table.do("random").click()
    expect(table.do("random")).to_have_attribute("aria-busy", "true")
    wait_for(page, lambda: kept, "an answer")
    page.locator('[data-face="flag"]').click()
    table.square("c1").click()
    thinking[0] = False
    kept[0][0].send(kept[0][1])
    expect(table.do("ready")).to_be_enabled()
    expect(table.do("random")).to_have_attribute("aria-busy", "false")
    assert placed(table)["c1"] == "Flag"


def test_random_places_nothing_senseless_without_a_connection(browse: Browse, server: Server) -> None:
    page = browse()
    sockets: list[WebSocketRoute] = []

    def route(socket: WebSocketRoute) -> None:
        if sockets:
            socket.close()
        else:
            sockets.append(socket)
            socket.connect_to_server()

    page.route_web_socket(re.compile("/socket"), route)
    table = sit_at(page, server.match(variant="duel"), "red")
    table.do("random").wait_for()
    sockets[0].close()
    expect(table.page.locator(".status .turn")).to_contain_text("Connection lost.")
    table.do("random").click()
    expect(table.do("random")).to_have_attribute("aria-busy", "false")
    assert placed(table) == {}


def test_what_few_people_do_is_said_and_forbids_nothing(browse: Browse, server: Server) -> None:
    """The Flag changes places with a piece of the front row, and goes back again."""
    table = opened(browse, server, "original")
    remark = table.page.locator("[data-remark]")
    table.do("shelf").click()
    table.page.fill('[name="deployment-text"]', "BFB342323B5B43254B352768S62MB26285927674")
    table.do("use-text").click()
    table.square("b1").click()
    table.square("a4").click()
    expect(remark).to_have_text(re.compile("^Your Flag stands on your front row"))
    expect(table.do("ready")).to_be_enabled()
    table.square("a4").click()
    table.square("b1").click()
    expect(remark).to_have_count(0)


def test_what_random_has_placed_is_not_called_unusual(browse: Browse, server: Server) -> None:
    """The page says of a suggested deployment that people place their pieces like this. Remarks follow only after a
    change by hand.
    """
    page = browse()
    asked: list[str] = []

    def hear(frame: str | bytes) -> None:
        if "remarks" in str(frame):
            asked.append(str(frame))

    page.on("websocket", lambda socket: socket.on("framesent", hear))
    table = sit_at(page, server.match(variant="original"), "red")
    table.do("random").wait_for()
    table.suggest()
    page.wait_for_timeout(800)
    assert not asked
    stands = placed(table)
    begin, face = next(iter(stands.items()))
    table.square(begin).click()
    table.square(next(name for name in stands if stands[name] != face)).click()
    wait_for(page, lambda: bool(asked), "what was changed is asked about")


def test_the_same_as_last_time(browse: Browse, server: Server) -> None:
    table = opened(browse, server, "barrage")
    expect(table.do("same")).to_have_count(0)
    table.suggest()
    wanted = placed(table)
    table.do("ready").click()
    expect(table.do("ready")).to_have_count(0)
    again = sit_at(table.page, server.match(variant="barrage"), "red")
    again.do("same").click()
    assert placed(again) == wanted
    expect(again.do("ready")).to_be_focused()
    again.do("clear").click()
    expect(again.do("same")).to_be_visible()
    other = sit_at(table.page, server.match(variant="duel"), "red")
    other.do("random").wait_for()
    expect(other.do("same")).to_have_count(0)


def test_save_use_rename_delete(browse: Browse, server: Server) -> None:
    table = opened(browse, server, "barrage")
    page = table.page
    table.suggest()
    wanted = placed(table)
    table.do("shelf").click()
    page.get_by_label("Name", exact=True).fill("My fort")
    table.do("save-deployment").click()
    table.do("clear").click()
    fort = page.get_by_role("button", name="My fort", exact=True)
    stood = fort.bounding_box()
    fort.click()
    assert placed(table) == wanted
    assert fort.bounding_box() == stood
    page.get_by_role("button", name="Rename My fort").click()
    page.locator(".own input").fill("Old fort")
    page.keyboard.press("Enter")
    again = opened(browse, server, "barrage")
    assert again.page.get_by_role("button", name="Old fort", exact=True).count() == 0, "kept in its own browser only"
    page.reload()
    table.do("shelf").click()
    page.get_by_role("button", name="Old fort", exact=True).click()
    assert placed(table) == wanted
    page.get_by_role("button", name="Delete Old fort").click()
    page.get_by_role("button", name="Really delete").click()
    expect(page.get_by_role("button", name="Old fort", exact=True)).to_have_count(0)


def test_shared_as_text(browse: Browse, server: Server) -> None:
    table = opened(browse, server, "classic")
    table.suggest()
    wanted = placed(table)
    table.do("shelf").click()
    text = table.copied("copy-deployment")
    assert text.startswith("classic:")
    assert "\n" not in text
    other = opened(browse, server, "classic", "blue")
    paste(other.page, text)
    turned = {mirrored(f"{name[0]}{9 - int(name[1:])}"): face for name, face in placed(other).items()}
    assert turned == wanted


def paste(page: Page, text: str) -> None:
    if not page.locator('[name="deployment-text"]').count():
        page.click('[data-do="shelf"]')
    page.fill('[name="deployment-text"]', text)
    page.click('[data-do="use-text"]')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There is no text to read."),
        ("duel:FB", "That deployment is for another game (duel)."),
        ("FBM", "That text has 3 letters; this game needs 40."),
        ("?" * 40, 'Letter 1, "?", stands for no piece of this game.'),
        ("F" * 40, "That text has too many of Flag."),
        ("." * 40, "That text leaves too many squares empty."),
        ("<b>x</b>", "letters; this game needs 40."),
    ],
)
def test_a_wrong_text_is_refused_with_the_reason(browse: Browse, server: Server, text: str, words: str) -> None:
    table = opened(browse, server, "barrage")
    table.suggest()
    before = placed(table)
    paste(table.page, text)
    expect(table.page.get_by_role("alert")).to_contain_text(words)
    assert placed(table) == before, "nothing changes"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_library_can_be_used(browse: Browse, server: Server, variant: str) -> None:
    table = opened(browse, server, variant)
    table.do("shelf").click()
    buttons = table.page.locator("[data-deployment]")
    buttons.first.wait_for()
    assert buttons.count() >= 3
    seen = []
    for button in buttons.all():
        assert re.fullmatch(r"[A-Z][A-Za-z ]+", button.inner_text())
        button.click()
        expect(table.do("ready")).to_be_enabled()
        seen.append(placed(table))
    assert all(one != other for i, one in enumerate(seen) for other in seen[:i])
    table.do("ready").click()
    expect(table.page.locator(".status")).to_contain_text("You are ready")
