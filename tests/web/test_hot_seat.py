"""Two people on one device: behind the closed curtain the page has nothing of either side."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, WebSocket, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployment_for, new_match
from web.table import Table, wait_for

FACES = ("marshal", "general", "miner", "scout", "spy", "bomb", "flag")


class Sockets:
    """The open sockets of a page."""

    def __init__(self, page: Page) -> None:
        self.open: set[WebSocket] = set()
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        self.open.add(socket)
        socket.on("close", self._closed)

    def _closed(self, socket: WebSocket) -> None:
        self.open.discard(socket)


def closed(table: Table, sockets: Sockets, side: str) -> None:
    """Check that the curtain is closed before `side`'s turn: no token, no square, no face, no word of the match, no
    socket.
    """
    page = table.page
    expect(table.do("open-curtain")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Pass the device to {side}")
    assert page.locator("[data-token], [data-space], [data-face], [data-live]").count() == 0
    main = page.locator("main").inner_html()
    assert not [word for word in (*FACES, "numeral", "emblem") if word in main.lower()]
    wait_for(page, lambda: not sockets.open, "the socket behind the curtain being closed")


def stored(page: Page) -> str:
    text: str = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    return text


def test_the_curtain_hides_everything_and_tells_again(browse: Browse, server: Server) -> None:
    texts = {
        "red": deployment_for(server, "barrage", "red", {"a1": "flag", "b4": "scout"}),
        "blue": deployment_for(server, "barrage", "blue", {"b7": "marshal", "j10": "flag"}),
    }
    page = browse()
    sockets = Sockets(page)
    table = new_match(page, "barrage", "device")
    for side in ("Red", "Blue"):
        closed(table, sockets, side)
        table.do("open-curtain").click()
        table.deploy(texts[side.lower()])
    closed(table, sockets, "Red")
    kept = stored(page).lower()
    # Search for whole words: a seat's secret has random letters, which sometimes contain "spy".
    assert not [word for word in (*FACES, "draft") if re.search(rf"\b{word}\b", kept)]
    assert texts["red"].split(":")[1].lower() not in kept
    table.do("open-curtain").click()
    table.hear("Both sides are ready")
    table.move("b4", "b5")
    closed(table, sockets, "Blue")
    page.reload()
    closed(table, sockets, "Blue")
    table.do("open-curtain").click()
    table.hear(r"Red: b4 to b5\.")
    expect(table.square("b5")).to_have_attribute("aria-label", re.compile("^b5, enemy, has moved"))
    _a_battle_is_told_to_both(table, sockets)


def _a_battle_is_told_to_both(table: Table, sockets: Sockets) -> None:
    table.move("b7", "b6")
    closed(table, sockets, "Red")
    table.do("open-curtain").click()
    table.hear(r"Blue: b7 to b6\.")
    table.move("b5", "b6")
    closed(table, sockets, "Blue")
    table.do("open-curtain").click()
    table.hear(r"Scout \(2\) falls to Marshal \(10\) on b6\.")
    expect(table.page.locator(".status")).to_contain_text("Your turn")
    table.do("resign").click()
    table.do("confirm-resign").click()
    expect(table.page.locator(".status")).to_contain_text("Red wins.")
    expect(table.do("replay")).to_be_visible()
    table.page.reload()
    expect(table.page.locator(".status")).to_contain_text("Red wins.")
    expect(table.do("open-curtain")).to_have_count(0)


def curtains(page: Page) -> list[bool]:
    """Collect what the page says of its curtain."""
    said: list[bool] = []

    def note(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "curtain":
            said.append(message["down"])

    page.on("websocket", lambda socket: socket.on("framesent", note))
    return said


def test_the_clocks_stand_still_behind_the_curtain(browse: Browse) -> None:
    page = browse()
    said = curtains(page)
    table = new_match(page, "barrage", "device", time="quick")
    table.do("open-curtain").click()
    expect(page.locator('.players [data-clock="red"]')).to_have_class(re.compile("runs"))
    expect(page.locator('.players [data-clock="red"]')).to_have_text(re.compile(r"1:5\d"))
    assert said == [False]
    table.deploy()
    expect(table.do("open-curtain")).to_be_visible()
    assert said == [False, True]
    page.wait_for_timeout(12_000)  # more than the digits below allow
    table.do("open-curtain").click()
    blue = page.locator('.players [data-clock="blue"]')
    expect(blue).to_have_text(re.compile(r"1:5\d|2:00"))
    table.deploy()
    expect(table.do("open-curtain")).to_be_visible()
    assert said == [False, True, False, True]
    table.do("open-curtain").click()
    expect(page.locator('.players [data-clock="red"]')).to_have_text(re.compile(r"5:00|4:5\d"))
    expect(page.locator('.players [data-clock="red"]')).to_have_class(re.compile("runs"))
    expect(blue).to_have_text("5:00")


def test_without_a_clock_the_server_need_not_know_of_the_curtain(browse: Browse) -> None:
    page = browse()
    said = curtains(page)
    table = new_match(page, "barrage", "device")
    table.do("open-curtain").click()
    table.deploy()
    expect(table.do("open-curtain")).to_be_visible()
    assert said == []
