"""The screens about people: an account is made, opened on another device by password, code and passkey, and deleted."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from server.harness import Server
from server.visitors import PASSWORD, make_account, new_match, new_name, sit
from web.conftest import Browse
from web.guard import Guard

OTHER_PASSWORD = "seven hidden miners"


def do(page: Page, name: str) -> None:
    page.locator(f'[data-do="{name}"]').click()


def sign_up(page: Page, name: str) -> list[str]:
    """Make an account on its screen. Return the recovery codes."""
    page.locator('[data-way="new"]').click()
    page.fill('[name="account-name"]', name)
    page.fill('[name="password"]', PASSWORD)
    do(page, "enter")
    expect(page.locator("code")).to_have_count(8)
    codes = page.locator("code").all_inner_texts()
    do(page, "codes-kept")
    expect(page.locator('[data-do="log-out"]')).to_be_visible()
    return codes


def test_an_account_from_making_to_deletion(browse: Browse, guard: Guard) -> None:
    guard.allow("403 (Forbidden)")
    name = new_name()
    first = browse("/account")
    codes = sign_up(first, name)
    expect(first.get_by_role("link", name=name)).to_be_visible()
    phone = browse("/account", viewport={"width": 360, "height": 640}, has_touch=True)
    phone.locator('[data-way="code"]').click()
    phone.fill('[name="account-name"]', name.lower())
    phone.fill('[name="code"]', codes[2].upper().replace("-", " "))
    phone.fill('[name="password"]', OTHER_PASSWORD)
    do(phone, "enter")
    expect(phone.locator(".who")).to_have_text(name)
    first.reload()
    expect(first.locator('[data-way="in"]')).to_be_visible()
    first.fill('[name="account-name"]', name)
    first.fill('[name="password"]', OTHER_PASSWORD)
    do(first, "enter")
    expect(first.get_by_role("button", name="Log out there")).to_have_count(1)
    do(first, "delete")
    first.fill('[name="delete-password"]', "not this one")
    do(first, "confirm-delete")
    expect(first.get_by_role("alert")).to_have_text("That is not your password.")
    first.fill('[name="delete-password"]', OTHER_PASSWORD)
    do(first, "confirm-delete")
    expect(first.locator('[data-way="in"]')).to_be_visible()
    phone.reload()
    expect(phone.locator('[data-way="in"]')).to_be_visible()


def test_refusals_say_what_is_wrong(browse: Browse, guard: Guard) -> None:
    guard.allow("400 (Bad Request)", "409 (Conflict)")
    page = browse("/account")
    page.locator('[data-way="new"]').click()
    for name, password, words in (
        ("Ada Lovelace", PASSWORD, "An account name has 3 to 20 letters"),
        (new_name(), "short", "A password has at least 10 characters."),
        (new_name(), "password123", "easy to guess"),
        ("admin", PASSWORD, "The name admin is taken."),
    ):
        page.fill('[name="account-name"]', name)
        page.fill('[name="password"]', password)
        do(page, "enter")
        expect(page.get_by_role("alert")).to_contain_text(words)


def test_recovery_codes_stay_until_they_are_kept(browse: Browse) -> None:
    page = browse("/account")
    name = new_name()
    sign_up(page, name)
    do(page, "codes")
    page.fill('[name="codes-password"]', PASSWORD)
    do(page, "confirm-codes")
    expect(page.locator("code")).to_have_count(8)
    do(page, "copy-codes")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.splitlines() == page.locator("code").all_inner_texts()


def test_a_passkey_opens_an_account_without_a_password(browse: Browse, server: Server, guard: Guard) -> None:
    """Chromium's virtual authenticator on `localhost`, where browsers allow passkeys without https."""
    guard.host = f"localhost:{server.port}"
    guard.allow("409 (Conflict)")
    page = browse("about:blank")
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto(f"http://localhost:{server.port}/account")
    name = new_name()
    page.locator('[data-way="new"]').click()
    page.fill('[name="account-name"]', name)
    do(page, "passkey")
    expect(page.locator("code")).to_have_count(8)
    do(page, "codes-kept")
    expect(page.get_by_role("button", name="Remove")).to_have_count(1)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("alert")).to_contain_text("your only way to log in")
    do(page, "log-out")
    do(page, "passkey")
    expect(page.locator(".who")).to_have_text(name)


def test_passkeys_are_not_offered_over_plain_http(browse: Browse, server: Server) -> None:
    page = browse("about:blank")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto(server.url("/account"))
    expect(page.locator('[data-way="in"]')).to_be_visible()
    expect(page.locator('[data-do="passkey"]')).to_have_count(0)
    expect(page.get_by_text("Passkeys work only over https")).to_be_visible()


def test_a_profile_with_its_matches_and_a_block(browse: Browse, server: Server) -> None:
    maker = server.browser()
    name, _ = make_account(maker)
    page = browse("/account")
    sign_up(page, new_name())
    page.goto(server.url(f"/player/{name.lower()}"))
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_text("No finished matches that you may see.")).to_be_visible()
    do(page, "block")
    expect(page.get_by_role("status").filter(has_text="You block this player")).to_be_visible()
    page.goto(server.url("/account"))
    page.get_by_role("button", name="No longer block").click()
    expect(page.get_by_role("link", name=name)).to_have_count(0)
    server.let_go()


def test_privacy_in_another_language(browse: Browse) -> None:
    page = browse("/privacy", locale="de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Datenschutz")
    expect(page.locator("dt")).to_have_count(10)
    assert not re.search(r"privacy\.", page.locator("main").inner_text())


def test_a_match_goes_on_on_another_device(browse: Browse, server: Server) -> None:
    """The account's matches stand in its lists on all devices, and open there without a link."""
    name = new_name()
    first = browse("/account")
    sign_up(first, name)
    first.goto(server.url("/new/barrage"))
    first.locator('[name="opponent"][value="link"]').check()
    do(first, "start")
    expect(first).to_have_url(re.compile(r"/match/"))
    phone = browse("/account", viewport={"width": 360, "height": 640}, has_touch=True)
    phone.fill('[name="account-name"]', name)
    phone.fill('[name="password"]', PASSWORD)
    do(phone, "enter")
    expect(phone.locator(".who")).to_have_text(name)
    phone.goto(server.url("/matches"))
    phone.locator("[data-match]").click()
    expect(phone.locator('[data-do="ready"]')).to_be_visible()
    do(phone, "random")
    do(phone, "ready")
    expect(first.locator('[data-do="ready"]')).to_have_count(0)


def test_a_replay_has_the_name_of_the_account(browse: Browse, server: Server) -> None:
    maker = server.browser()
    name, _ = make_account(maker)
    match = new_match(maker)["match"]
    red = sit(server, match, maker)
    red.send("resign")
    red.until("ended")
    page = browse(f"/replay/{match}")
    expect(page.locator("main")).to_contain_text(name)
