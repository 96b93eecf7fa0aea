"""Links to a seat: opened once, kept by the guest's browser, replaced by the maker, moved to another device."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from server.harness import Server
from web.conftest import Browse
from web.guard import Guard
from web.setting import link_of, new_match, sit_at
from web.table import Table, wait_for

USED = "This link opens once, and it has been opened."
ENDED = "This seat has a new link, and yours has ended."


def made(browse: Browse) -> tuple[Table, str]:
    """Return Red's table after Red has made a match, and the link for Blue."""
    red = new_match(browse(), "barrage", "link")
    link = link_of(red)
    red.do("to-match").click()
    expect(red.do("random")).to_be_visible()
    return red, link


def stored(page: Page) -> str:
    text: str = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    return text


def sits(page: Page, side: str) -> Table:
    """Return the page's table, after a check that the player of this side may place pieces."""
    table = Table(page)
    expect(table.do("random")).to_be_visible()
    expect(page.locator(".players li").filter(has_text="you")).to_contain_text(side)
    return table


def test_a_guest_opens_it_once_and_reloads_as_he_likes(browse: Browse) -> None:
    red, link = made(browse)
    blue = browse(link)
    sits(blue, "Blue")
    assert "#" not in blue.url
    expect(red.do("show-invite")).to_have_count(0)
    own = blue.evaluate("() => Object.values(JSON.parse(localStorage['gonfalon.matches'])[0].secrets)[0]")
    assert len(own) == 32
    assert own not in stored(red.page), "the maker's browser knows nothing of it"
    blue.reload()
    sits(blue, "Blue")
    blue.goto(link)
    sits(blue, "Blue")
    new_tab = blue.context.new_page()
    new_tab.goto(link)
    sits(new_tab, "Blue")
    assert own in stored(new_tab), "the same secret as in the first tab"


def test_an_invitation_sent_in_vain_is_sent_again_with_the_same_secret(browse: Browse, guard: Guard) -> None:
    """The connection breaks before the server answers, and the guest loads the page again."""
    guard.allow("WebSocket connection to")
    red, link = made(browse)
    page = browse()
    deaf = [True]

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: None if deaf[0] else socket.send(message))

    page.route_web_socket(re.compile("/socket"), route)
    page.goto(link)
    expect(red.do("show-invite")).to_have_count(0)
    deaf[0] = False
    page.reload()
    sits(page, "Blue")


def test_a_second_person_is_told_and_may_watch(browse: Browse) -> None:
    _, link = made(browse)
    sits(browse(link), "Blue")
    late = browse(link)
    expect(late.get_by_role("alert")).to_contain_text(USED)
    late.locator('[data-do="watch"]').click()
    expect(late.locator(".players")).to_be_visible()
    expect(late.get_by_text("you", exact=True)).to_have_count(0)
    late.reload()
    expect(late.locator(".players")).to_be_visible()


def test_the_maker_takes_a_link_back(browse: Browse) -> None:
    red, link = made(browse)
    wrong = browse(link)
    sits(wrong, "Blue")
    red.do("invite-anew").click()
    expect(red.page.get_by_text("Someone has opened the link for Blue")).to_be_visible()
    red.do("keep-invite").click()
    red.do("invite-anew").click()
    red.do("confirm-invite").click()
    expect(wrong.get_by_role("alert")).to_contain_text(ENDED)
    new = red.copied("copy-new-invite")
    red.do("show-invite").click()
    assert new == link_of(red) != link
    red.do("to-match").click()
    wrong.reload()
    expect(wrong.locator(".players")).to_be_visible()
    expect(wrong.get_by_text("you", exact=True)).to_have_count(0)
    # In the same tab only the fragment changes, so the page is not loaded again.
    wrong.goto(link)
    expect(wrong.get_by_role("alert")).to_contain_text(ENDED)
    right = sits(browse(new), "Blue")
    right.deploy()
    expect(red.do("invite-anew")).to_have_count(0)


def test_who_was_sent_away_comes_back_by_the_new_link(browse: Browse) -> None:
    red, link = made(browse)
    blue = browse(link)
    sits(blue, "Blue")
    red.do("invite-anew").click()
    red.do("confirm-invite").click()
    expect(blue.get_by_role("alert")).to_contain_text(ENDED)
    blue.goto(red.copied("copy-new-invite"))
    sits(blue, "Blue")


def test_the_maker_does_not_use_up_his_own_link(browse: Browse) -> None:
    red, link = made(browse)
    tab = red.page.context.new_page()
    tab.goto(link)
    expect(tab.get_by_role("heading", level=1)).to_have_text("This is the link for Blue")
    tab.locator('[data-do="own-seat"]').click()
    tab.locator('[data-do="to-match"]').click()
    sits(tab, "Red")
    guest = red.page.locator(".players li").nth(1)
    expect(guest).to_contain_text("has not opened the link yet")
    tab.goto("/")
    tab.goto(link)
    tab.locator('[data-do="open-own-link"]').click()
    sits(tab, "Blue")
    expect(guest).not_to_contain_text("has not opened the link yet")


def test_a_guest_goes_on_on_another_device_and_sees_that_he_has_two_windows(browse: Browse) -> None:
    _, link = made(browse)
    blue = sits(browse(link), "Blue")
    expect(blue.do("know-windows")).to_have_count(0)
    blue.do("other-device").click()
    expect(blue.page.get_by_text("keep it to yourself")).to_be_visible()
    board = blue.page.locator(".board").bounding_box()
    phone = browse(blue.copied("copy-seat"))
    other = sits(phone, "Blue")
    for table in (blue, other):
        expect(table.page.get_by_text("Your seat is open in 2 windows.")).to_be_visible()
        expect(table.page.locator(".players li").filter(has_text="you")).to_contain_text("open in 2 windows")
    assert blue.page.locator(".board").bounding_box() == board, "the notice takes no room"
    blue.do("know-windows").click()
    expect(blue.do("know-windows")).to_have_count(0)
    third = phone.context.new_page()
    third.goto(phone.url)
    expect(blue.page.get_by_text("Your seat is open in 3 windows.")).to_be_visible()
    third.close()
    phone.close()
    expect(blue.page.get_by_text("Your seat is open in")).to_have_count(0)
    blue.deploy()


def test_a_browser_that_keeps_nothing_does_not_open_it(browse: Browse) -> None:
    red, link = made(browse)
    page = browse()
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('no room') }")
    page.goto(link)
    expect(page.get_by_role("alert")).to_contain_text("the link was not opened")
    expect(red.do("show-invite")).to_have_count(1)


@pytest.mark.parametrize("damage", ["%23", "?language=en%23", "punctuation"])
def test_a_damaged_link_opens_the_seat(damage: str, browse: Browse) -> None:
    _, link = made(browse)
    address, _, secret = link.partition("#")
    path = address.partition("?")[0]
    page = browse(f"{path}#{secret}\u200b)." if damage == "punctuation" else f"{path}{damage}{secret}")
    sits(page, "Blue")
    expect(page).to_have_url(path)


def test_links_without_a_secure_context(browse: Browse) -> None:
    """Over plain http in a home network, browsers have no `randomUUID`, no `subtle` and no clipboard."""
    _, link = made(browse)
    page = browse()
    page.add_init_script(
        "delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle; delete Navigator.prototype.clipboard"
    )
    page.goto(link)
    blue = sits(page, "Blue")
    blue.do("other-device").click()
    blue.do("copy-seat").click()
    expect(blue.do("copy-seat")).to_have_text("Copied")
    sits(browse(pasted(page)), "Blue")


def pasted(page: Page) -> str:
    """Return the content of the clipboard without asking the browser for it."""
    page.evaluate("() => document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))")
    page.locator("#paste").press("Control+V")
    return page.locator("#paste").input_value()


def test_a_link_that_cannot_be_copied_is_shown_with_a_sentence(browse: Browse) -> None:
    page = browse()
    page.add_init_script("delete Navigator.prototype.clipboard; document.execCommand = () => false")
    red = new_match(page, "barrage", "link")
    red.do("copy-invite").click()
    expect(page.get_by_role("status")).to_contain_text("Copy the marked text yourself")
    assert page.locator("input[readonly]").input_value() == link_of(red)


def test_a_window_that_was_closed_for_another_says_so(browse: Browse, server: Server) -> None:
    page = browse()
    sockets: list[WebSocketRoute] = []
    heard: list[str] = []

    def route(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        behind = socket.connect_to_server()
        behind.on_message(lambda message: (socket.send(message), heard.append(str(message))))

    page.route_web_socket(re.compile("/socket"), route)
    red = sit_at(page, server.match(), "red")
    expect(red.do("random")).to_be_visible()
    sockets[-1].close(code=4001)
    expect(page.get_by_text("Your seat is open in too many windows.")).to_be_visible()
    before = len(sockets)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    red.do("go-on-here").click()
    expect(red.do("go-on-here")).to_have_count(0)
    assert len(sockets) == before + 1, "only when it was asked to"
    wait_for(page, lambda: len([message for message in heard if '"welcome"' in message]) == before + 1)
    red.deploy()


def test_a_match_that_answers_no_ping_is_opened_anew(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow("WebSocket connection to")
    page = browse()
    page.clock.install()
    sockets: list[WebSocketRoute] = []
    deaf = [False]

    def route(socket: WebSocketRoute) -> None:
        if deaf[0]:
            socket.close()
            return
        sockets.append(socket)
        behind = socket.connect_to_server()
        behind.on_message(lambda message: None if deaf[0] else socket.send(message))

    page.route_web_socket(re.compile("/socket"), route)
    red = sit_at(page, server.match(), "red")
    expect(red.do("random")).to_be_visible()
    deaf[0] = True
    page.clock.run_for(26_000)
    expect(page.get_by_text("Connection lost").first).to_be_visible()
    deaf[0] = False
    page.clock.run_for(2_000)
    expect(page.get_by_text("Connection lost")).to_have_count(0)
    assert len(sockets) == 2
    page.clock.resume()
    red.deploy()


def test_a_guest_sees_who_invites_to_which_game_and_its_goal(browse: Browse, server: Server) -> None:
    match = server.match()
    red = match.sit("red")
    red.send("give-name", name="Ada")
    red.until("presence")
    page = browse(f"/match/{match.id}#invite.{match.invitations['blue']}")
    blue = sits(page, "Blue")
    told = page.locator("[data-invited]")
    expect(told).to_contain_text("Ada invites you to play Barrage. Take the enemy Flag")
    expect(told.get_by_role("link")).to_have_attribute("href", "/rules/barrage")
    blue.deploy()
    expect(told).to_have_count(0)
