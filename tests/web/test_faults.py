"""Faults during a match: reloads, a dead server, a lost connection, two windows, wrong links, forbidden moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from gonfalon.server.config import STATIC
from server.harness import Server, dead_until, running
from web.conftest import Browse
from web.guard import Guard
from web.setting import SAFE, deployed, due, scripted, sit_at
from web.table import Table, wait_for
from web.test_conquest import near_the_battle

LOST = ("WebSocket connection to", "Failed to load resource")
GONE = ("dynamically imported module", "Unable to preload CSS", *LOST)
"""Parts of the browser's messages about missing files."""


def test_reload_in_deployment_and_in_play(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "blue", {"j10": "flag", "i7": "general"})
    table = sit_at(browse(), match, "red")
    table.suggest()
    placed = {name: label for name, label in table.squares().items() if "your" in label}
    table.page.reload()
    expect(table.do("ready")).to_be_enabled()
    assert {name: label for name, label in table.squares().items() if "your" in label} == placed
    table.do("ready").click()
    assert table.play_turn()
    blue = match.sit("blue")
    scripted(blue, "i7", "i6")
    table.ready()
    before = table.squares()
    # The panel with the log may appear a little later than the board.
    log = table.page.locator("section.log li")
    log.first.wait_for()
    lines = log.count()
    table.page.reload()
    table.ready()
    assert table.squares() == before
    expect(log).to_have_count(lines)
    assert table.play_turn()


def test_the_server_is_killed_and_started_again(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow(*LOST)
    match = server.match(("me", "random"))
    deployed(match, "red", SAFE)
    table = sit_at(browse(), match, "red")
    assert table.play_turn()
    table.ready()
    before = table.squares()
    server.kill()
    expect(table.page.get_by_text("Connection lost").first).to_be_visible()
    server.start()
    expect(table.page.get_by_text("Connection lost")).to_have_count(0)
    table.ready()
    assert table.squares() == before
    assert table.play_turn()
    assert table.ready()


def test_the_line_is_lost_for_a_while(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow(*LOST)
    match = server.match()
    deployed(match, "red", {"a1": "flag", "b4": "marshal"})
    deployed(match, "blue", {"i7": "general"})
    page = browse()
    routes: list[WebSocketRoute] = []
    cut = [False]

    def route(socket: WebSocketRoute) -> None:
        if cut[0]:
            socket.close()
            return
        routes.append(socket)
        socket.connect_to_server()

    page.route_web_socket(re.compile("/socket"), route)
    red = sit_at(page, match, "red")
    blue = match.sit("blue")
    red.move("b4", "b5")
    due(blue)  # make sure that the move has arrived and does not wait in the page until the connection is back
    cut[0] = True
    routes[-1].close()
    expect(page.get_by_text("Connection lost").first).to_be_visible()
    scripted(blue, "i7", "i6")
    cut[0] = False
    assert red.ready()
    red.hear(r"Blue: i7 to i6\.")
    cut[0] = True
    routes[-1].close()
    expect(page.get_by_text("Connection lost").first).to_be_visible()
    red.choose("b5")
    red.choose("b6")
    expect(page.get_by_text("Your move is kept")).to_be_visible()
    expect(page.locator("[data-ghost]")).to_have_attribute("data-ghost", "b6")
    for place, label in (("b5", "your Marshal.*waiting to be confirmed"), ("b6", "empty, waiting to be confirmed")):
        expect(red.square(place)).to_have_attribute("aria-label", re.compile(label))
        expect(red.square(place)).to_have_class(re.compile(r"\bwaiting\b"))
    cut[0] = False
    expect(red.square("b6")).to_have_attribute("aria-label", re.compile("your Marshal"))
    expect(page.get_by_text("Your move is kept")).to_have_count(0)
    expect(page.locator("[data-ghost], .waiting")).to_have_count(0)


def test_two_windows_of_one_seat(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    deployed(match, "red", SAFE)
    one = sit_at(browse(), match, "red")
    page = one.page.context.new_page()
    other = sit_at(page, match, "red")
    one.move("b4", "b5")
    expect(other.square("b5")).to_have_attribute("aria-label", re.compile("your Marshal"))
    assert other.ready()
    assert other.play_turn()
    assert one.ready()
    assert other.ready()
    wait_for(page, lambda: one.squares() == other.squares(), "both windows showing the same")
    assert one.ready()
    assert one.play_turn()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/match/{match}#no-such-secret-at-all", "This link opens no seat of the match"),
        ("/match/there-is-none", "There is no such match"),
        ("/replay/there-is-none", "There is no such match"),
        ("/replay/{match}", "not over yet"),
        ("/new/checkers", "no game called checkers"),
        ("/rules/checkers", "checkers"),
        ("/nothing/here", "There is no such page"),
    ],
)
def test_a_wrong_address_is_answered_in_place(
    browse: Browse, server: Server, guard: Guard, path: str, words: str
) -> None:
    guard.allow("Failed to load resource")
    page = browse(path.format(match=server.match().id))
    expect(page.get_by_role("alert")).to_contain_text(words)
    expect(page.get_by_role("link", name="To the start page")).to_be_visible()


def test_a_forbidden_move_is_explained(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "red", {"a1": "flag", "b4": "marshal", "b1": "bomb"})
    deployed(match, "blue", {"i7": "scout", "j10": "flag"})
    table = sit_at(browse(), match, "red")
    blue = match.sit("blue")
    others = iter(["i6", "i5", "i6", "i7"])
    here = "i7"
    for begin, end in (("b4", "b5"), ("b5", "b4"), ("b4", "b5")):
        table.move(begin, end)
        there = next(others)
        scripted(blue, here, there)
        here = there
    table.ready()
    alert = table.page.get_by_role("alert")
    table.choose(here)
    expect(alert).to_have_text("Choose one of your own first.")
    table.choose("b5")
    table.choose("b4")
    expect(alert).to_have_text(
        re.compile("Your Marshal may not go from b5 to b4 now: it has crossed the border there 3 times in a row")
    )
    table.page.keyboard.press("Escape")
    table.choose("b1")
    expect(alert).to_have_text("Your Bomb never moves.")
    table.choose("b5")
    table.choose("c5")
    expect(alert).to_have_text("Nothing can enter c5.")
    table.choose("b7")
    expect(alert).to_have_text("Your Marshal moves one square at a time.")


def rebuilt(page: Page) -> None:
    """Simulate a newer page on the server: files that an open page has not loaded yet are gone."""
    page.route(re.compile(r"/assets/.*\.(js|css)$"), lambda route: route.fulfill(status=404))


def reloadable(page: Page) -> None:
    """Make the page and its server fit together again."""
    page.unroute(re.compile(r"/assets/.*\.(js|css)$"))


def test_a_page_that_was_renewed_on_the_server_offers_a_reload(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow(*GONE)
    match = server.match()
    deployed(match, "blue", {"j10": "flag", "i7": "general"})
    table = sit_at(browse(), match, "red")
    table.suggest()
    placed = {name: label for name, label in table.squares().items() if "your" in label}
    rebuilt(table.page)
    table.do("shelf").click()
    said = table.page.get_by_role("alert").filter(has_text="The server has a newer page")
    expect(said).to_be_visible()
    table.do("later").click()
    expect(said).to_have_count(0)
    table.do("shelf").click()
    table.do("ranks").click()
    expect(said).to_be_visible()
    assert {name: label for name, label in table.squares().items() if "your" in label} == placed, "play goes on"
    reloadable(table.page)
    table.do("reload").click()
    expect(table.do("ready")).to_be_enabled()
    expect(said).to_have_count(0)
    assert {name: label for name, label in table.squares().items() if "your" in label} == placed


def test_beside_a_map_one_chooses_though_a_part_of_it_is_gone(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow(*GONE)
    match = near_the_battle(server, "conquest-two", ("me", "random"))
    page = browse("/")
    page.route(re.compile(r"/assets/Bank.*\.js$"), lambda route: route.fulfill(status=404))
    table = sit_at(page, match, "red")
    expect(page.get_by_role("alert").filter(has_text="The server has a newer page")).to_be_visible()
    expect(table.do("choose-rest")).to_be_visible()


def test_a_screen_that_was_renewed_on_the_server_is_loaded_anew(browse: Browse, guard: Guard) -> None:
    guard.allow(*GONE)
    page = browse("/")
    settings = page.get_by_role("link", name="Settings")
    settings.wait_for()
    rebuilt(page)
    settings.click()
    expect(page.get_by_role("heading", name="The server has a newer page")).to_be_visible()
    expect(page.get_by_role("button", name="Reload")).to_be_hidden()
    reloadable(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def test_a_part_that_cannot_be_loaded_is_no_newer_page_without_a_server(browse: Browse, guard: Guard) -> None:
    guard.allow(*GONE)
    page = browse("/")
    settings = page.get_by_role("link", name="Settings")
    settings.wait_for()
    page.context.set_offline(True)
    settings.click()
    expect(page.get_by_role("heading", name="The server does not answer")).to_be_visible()


def test_a_computer_player_that_has_failed_is_asked_again(chromium: Browser, tmp_path: Path) -> None:
    cured = tmp_path / "cured"
    command = dead_until(cured)
    with (
        running(tmp_path, static=str(STATIC), agent_tries=1, agent_command=command) as server,
        chromium.new_context() as context,
    ):
        match = server.match(("me", "random"), "duel")
        page = context.new_page()
        page.goto(server.url(f"/match/{match.id}#{match.secrets['red']}"))
        table = Table(page)
        table.do("random").click()
        table.do("ready").click()
        expect(page.locator(".calls")).to_contain_text("Blue: The computer player has failed")
        cured.touch()
        table.do("wake-agents").click()
        expect(page.locator(".calls")).to_be_hidden()
        assert table.play_turn()


@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/new/duel", '[data-do="start"]'),
        ("/", '[data-variant="duel"] [data-do="quick-play"]'),
        ("/", '[data-do="play-now"]'),
    ],
)
def test_a_match_that_takes_long_to_make_says_why(browse: Browse, path: str, button: str) -> None:
    page = browse(path)
    kept: list[Route] = []
    page.route("**/api/matches", lambda route: kept.append(route))  # noqa: PLW0108 - it takes no built-in
    page.locator(button).click()
    expect(page.get_by_text("The game is being prepared")).to_have_count(1)
    kept[0].continue_()
    page.wait_for_url("**/match/**")


@pytest.mark.parametrize("fault", ["missing", "unreadable"])
def test_a_page_whose_script_does_not_start_says_so(fault: str, browse: Browse, guard: Guard) -> None:
    """A browser that is too old for the script reads it as a fault of syntax."""
    guard.allow("SyntaxError", "Unexpected token", *LOST)

    def answer(route: Route) -> None:
        if fault == "missing":
            route.fulfill(status=404)
        else:
            route.fulfill(content_type="text/javascript", body="let now = {{}")

    page = browse("/about", locale="de-DE")
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".late")).to_have_count(0)
    page.route("**/assets/index-*.js", answer)
    page.goto("/")
    late = page.locator(".late")
    assert page.evaluate("() => getComputedStyle(document.querySelector('.late')).visibility") == "hidden"
    page.evaluate("() => document.getAnimations().forEach((each) => each.finish())")
    expect(late).to_be_visible()
    expect(late).to_contain_text("Gonfalon ist noch nicht gestartet.")
    page.unroute("**/assets/index-*.js")
    late.locator("a").click()
    expect(page.locator('[data-do="play-now"]')).to_be_visible()
    expect(late).to_have_count(0)
