"""Accounts: made, opened by password or recovery code, changed, closed on all devices."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from gonfalon.server.config import Config
from gonfalon.server.match.registry import Registry
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.people.account_names import read_account_name
from gonfalon.server.people.accounts import Entrance
from gonfalon.server.people.cookies import read_cookie, write_cookie
from gonfalon.server.people.devices import name_device
from gonfalon.server.people.passwords import MOST_WAITING, Passwords, check_password
from gonfalon.server.people.people import People
from gonfalon.server.people.recovery import hash_code, make_codes
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import tables
from server.harness import Server, find_database, running
from server.visitors import PASSWORD, log_in, make_account, new_name, refused

RULES = NameRules(("level-8", "random", "Stufe 8, meisterhaft"))


# ---- names and passwords -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ada", "a-b", "x_1", "A" * 20, "123"])
def test_names_of_accounts(name: str) -> None:
    assert read_account_name(name, RULES) == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "account-name"),
        ("A" * 21, "account-name"),
        ("Ada Lovelace", "account-name"),
        ("Zoë", "account-name"),
        ("---", "account-name"),
        ("Ada\n", "account-name"),
        ("Level-8", "name-of-agent"),
        ("stufe8", "name-of-agent"),
        ("ADMIN", "name-taken"),
        ("", "account-name"),
    ],
)
def test_names_that_no_account_gets(name: str, code: str) -> None:
    with pytest.raises(Declined) as refusal:
        read_account_name(name, RULES)
    assert refusal.value.line.code == code


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short", "password-short"),
        ("Password123", "password-common"),
        ("aaaaaaaaaaaa", "password-common"),
        ("QWERTYUIOP", "password-common"),
        ("Commander-Ada", "password-name"),
    ],
)
def test_passwords_that_are_refused(password: str, code: str) -> None:
    with pytest.raises(Declined) as refusal:
        check_password(password, "commander-ada")
    assert refusal.value.line.code == code


def test_few_passwords_wait_and_more_are_refused_before_any_work() -> None:
    async def script() -> None:
        passwords = Passwords()
        tries = await asyncio.gather(*(passwords.verify(None, "x" * 10) for _ in range(60)), return_exceptions=True)
        refusals = [each for each in tries if isinstance(each, Declined)]
        assert {each.line.code for each in refusals} == {"passwords-busy"}
        assert [each for each in tries if not isinstance(each, Declined)] == [False] * MOST_WAITING
        assert passwords.waiting == 0
        passwords.close()

    asyncio.run(script())


def test_a_recovery_code_may_be_typed_in_any_form() -> None:
    code = make_codes()[0]
    assert hash_code(code.upper().replace("-", " ")) == hash_code(code)
    assert hash_code("o0il-1111-aaaa-bbbb") == hash_code("0011-1111-AAAA-BBBB")
    assert len(set(make_codes())) == 8


def test_cookies() -> None:
    secret = "s" * 32
    assert read_cookie(f"a=b; gonfalon={secret}; c=d", secure=False) == secret
    assert read_cookie(f"gonfalon={secret}", secure=True) == "", "another host of the domain may have set it"
    assert read_cookie(f"__Host-gonfalon={secret}", secure=True) == secret
    assert read_cookie("gonfalon=x", secure=False) == read_cookie("", secure=True) == ""
    assert write_cookie(secret, secure=True).startswith(f"__Host-gonfalon={secret}; Path=/; ")
    assert write_cookie(secret, secure=True).endswith("HttpOnly; SameSite=Lax; Secure")
    assert "Max-Age=0" in write_cookie("", secure=False)


def test_devices_have_short_names() -> None:
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1"
    assert name_device(firefox) == "Firefox, Linux"
    assert name_device(phone) == "Safari, iPhone"
    assert name_device("curl/8") == ""


# ---- on a server -------------------------------------------------------------------------------------------------


def test_an_account_is_opened_on_another_device(server: Server) -> None:
    first = server.browser()
    name, codes = make_account(first)
    assert len(codes) == 8
    assert first.get("/api/me").json() == {"name": name, "guest": False, "accounts": True, "password": True}
    second = log_in(server, name.upper())
    assert second.get("/api/me").json()["name"] == name
    assert [each["current"] for each in second.get("/api/account").json()["sessions"]].count(True) == 1
    assert len(first.get("/api/account").json()["sessions"]) == 2


def test_the_cookie_is_not_for_scripts_and_other_sites(server: Server) -> None:
    answer = server.browser().post("/api/guests", json={})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    secret = cookie.partition("=")[2].partition(";")[0]
    assert secret not in answer.text


def test_a_name_is_taken_in_any_case(server: Server) -> None:
    name, _ = make_account(server.browser())
    answer = server.browser().post("/api/accounts", json={"name": name.upper(), "password": PASSWORD})
    assert (answer.status_code, refused(answer)) == (409, "name-taken")


def test_a_wrong_password_and_an_unknown_name_are_refused_alike(server: Server) -> None:
    name, _ = make_account(server.browser())
    browser = server.browser()
    known = browser.post("/api/login", json={"name": name, "password": "not this one at all"})
    unknown = browser.post("/api/login", json={"name": new_name(), "password": "not this one at all"})
    assert known.json() == unknown.json()
    assert (known.status_code, refused(known)) == (403, "login-wrong")
    assert not browser.cookies


def test_a_recovery_code_opens_once_and_sets_a_password(server: Server) -> None:
    first = server.browser()
    name, codes = make_account(first)
    second = server.browser()
    body = {"name": name, "code": codes[3].upper(), "password": "another good password"}
    assert second.post("/api/login/recovery", json=body).status_code == 200
    assert second.get("/api/me").json()["name"] == name
    assert first.get("/api/me").json()["name"] == "", "all other sessions ended"
    assert refused(server.browser().post("/api/login/recovery", json=body)) == "code-wrong"
    log_in(server, name, "another good password")


def test_a_weak_new_password_does_not_use_the_code_up(server: Server) -> None:
    name, codes = make_account(server.browser())
    body = {"name": name, "code": codes[0], "password": "short"}
    browser = server.browser()
    assert refused(browser.post("/api/login/recovery", json=body)) == "password-short"
    assert browser.post("/api/login/recovery", json=body | {"password": PASSWORD}).status_code == 200


def test_a_new_password_ends_the_other_sessions(server: Server) -> None:
    first = server.browser()
    name, _ = make_account(first)
    second = log_in(server, name)
    wrong = first.post("/api/account/password", json={"old": "not my password", "new": "a fine new one"})
    assert refused(wrong) == "password-wrong"
    right = first.post("/api/account/password", json={"old": PASSWORD, "new": "a fine new one"})
    assert right.status_code == 204
    assert first.get("/api/me").json()["name"] == name
    assert second.get("/api/me").json()["name"] == ""
    log_in(server, name, "a fine new one")


def test_sessions_end_one_by_one_or_all(server: Server) -> None:
    first = server.browser()
    name, _ = make_account(first)
    second, third = log_in(server, name), log_in(server, name)
    listed = second.get("/api/account").json()["sessions"]
    mine = next(each["id"] for each in listed if each["current"])
    assert first.post("/api/account/sessions/end", json={"id": mine}).status_code == 204
    assert second.get("/api/me").json()["name"] == ""
    assert refused(first.post("/api/account/sessions/end", json={"id": mine})) == "not-found"
    assert third.post("/api/logout", json={"everywhere": True}).status_code == 200
    assert first.get("/api/me").json()["name"] == third.get("/api/me").json()["name"] == ""
    assert refused(first.get("/api/account")) == "no-session"


def test_new_codes_replace_the_old_ones(server: Server) -> None:
    browser = server.browser()
    name, old = make_account(browser)
    new = browser.post("/api/account/codes", json={"password": PASSWORD}).json()["codes"]
    assert not set(new) & set(old)
    body = {"name": name, "password": "another good password"}
    assert refused(server.browser().post("/api/login/recovery", json={**body, "code": old[0]})) == "code-wrong"
    assert server.browser().post("/api/login/recovery", json={**body, "code": new[0]}).status_code == 200


def test_calls_of_other_sites_are_refused(server: Server) -> None:
    browser = server.browser()
    make_account(browser)
    for origin in ("https://elsewhere.example", "null", "http://[", server.url("").replace("http:", "https:")):
        answer = browser.post("/api/logout", json={}, headers={"origin": origin})
        assert (answer.status_code, refused(answer)) == (403, "foreign-origin"), origin
    del browser.headers["origin"]
    assert refused(browser.post("/api/account/delete", json={"password": PASSWORD})) == "foreign-origin"
    assert browser.get("/api/me").json()["name"], "still open"


def test_a_cookie_of_another_server_opens_nothing(server: Server) -> None:
    browser = server.browser()
    browser.cookies.set("gonfalon", "A" * 32)
    assert browser.get("/api/me").json()["name"] == ""
    assert refused(browser.post("/api/logout", json={})) == "no-session"
    browser.cookies.set("gonfalon", "x" * 4_000)
    assert browser.get("/api/me").json() == {"name": "", "guest": False, "accounts": True, "password": False}


def test_a_huge_name_is_refused(server: Server) -> None:
    answer = server.browser().post("/api/accounts", json={"name": "A" * 1_000_000, "password": PASSWORD})
    assert (answer.status_code, refused(answer)) == (413, "too-large")
    answer = server.browser().post("/api/accounts", json={"name": "A" * 1_000, "password": PASSWORD})
    assert (answer.status_code, refused(answer)) == (400, "bad-message")


def test_guessing_is_limited_and_the_owner_still_comes_in(tmp_path: Path) -> None:
    """Many passwords for one account are refused, the right one too; a recovery code works all the time."""
    with running(tmp_path, password_rate=1e-6, password_burst=3) as own:
        name, codes = make_account(own.browser())
        browser = own.browser()
        for _ in range(3):
            assert refused(browser.post("/api/login", json={"name": name, "password": "wrong " * 3})) == "login-wrong"
        for password in ("wrong " * 3, PASSWORD):
            answer = browser.post("/api/login", json={"name": name, "password": password})
            assert (answer.status_code, refused(answer)) == (429, "passwords-tried")
        body = {"name": name, "code": codes[0], "password": "another good password"}
        assert own.browser().post("/api/login/recovery", json=body).status_code == 200


def test_limits_of_addresses_and_of_new_accounts(tmp_path: Path) -> None:
    with running(tmp_path, login_rate=1e-6, login_burst=5, accounts_an_hour=2, guest_rate=1e-6, guest_burst=4) as own:
        for _ in range(2):
            make_account(own.browser())
        third = own.browser().post("/api/accounts", json={"name": new_name(), "password": PASSWORD})
        assert (third.status_code, refused(third)) == (503, "accounts-many")
        body = {"name": new_name(), "password": PASSWORD}
        codes = [refused(own.browser().post("/api/login", json=body)) for _ in range(3)]
        assert codes == ["login-wrong", "login-wrong", "login-often"]
        assert [own.browser().post("/api/guests", json={}).status_code for _ in range(5)] == [201] * 4 + [429]


def test_accounts_can_be_switched_off(tmp_path: Path) -> None:
    with running(tmp_path) as own:
        name, _ = make_account(own.browser())
        own.stop()
        own.settings["accounts"] = False
        own.start()
        assert own.browser().get("/api/me").json()["accounts"] is False
        assert refused(own.browser().post("/api/accounts", json={"name": "Ada", "password": PASSWORD})) == "no-accounts"
        log_in(own, name)
        assert own.browser().post("/api/guests", json={}).status_code == 201


# ---- without a server process ------------------------------------------------------------------------------------


def with_people(folder: Path, script, **settings) -> None:  # type: ignore[no-untyped-def]
    """Run `script(people, store)` on a database in a folder."""

    async def whole() -> None:
        config = Config(data=folder, database=find_database(folder), **settings)
        registry = Registry(config, ConnectionCounts(config, 1_000))
        people = People(config, registry.store, registry.name_rules)
        await registry.start()
        await people.start()
        try:
            await script(people, registry.store)
        finally:
            await people.close()
            await registry.close()

    asyncio.run(whole())


def test_no_secret_is_stored_as_it_is(tmp_path: Path) -> None:
    async def script(people: People, store) -> None:  # type: ignore[no-untyped-def]
        entered = await people.accounts.sign_up(Entrance("1.2.3.4", ""), "Ada", PASSWORD)
        with store.read() as connection:
            rows = [
                row
                for table in (tables.persons, tables.sessions, tables.recovery_codes)
                for row in connection.execute(sa.select(table))
            ]
        text = repr(rows)
        assert "argon2id$v=19$m=19456,t=2,p=1" in text
        for secret in (PASSWORD, entered.secret, *entered.codes):
            assert secret not in text

    with_people(tmp_path, script)


def test_two_accounts_with_one_name_at_once(tmp_path: Path) -> None:
    async def script(people: People, _store) -> None:  # type: ignore[no-untyped-def]
        made = await asyncio.gather(
            *(people.accounts.sign_up(Entrance(f"1.2.3.{i}", ""), ("Ada", "ADA")[i], PASSWORD) for i in range(2)),
            return_exceptions=True,
        )
        refusals = [each for each in made if isinstance(each, Declined)]
        assert [each.line.code for each in refusals] == ["name-taken"]

    with_people(tmp_path, script)


def test_unused_guests_are_forgotten_and_accounts_are_not(tmp_path: Path) -> None:
    async def script(people: People, store) -> None:  # type: ignore[no-untyped-def]
        old = await people.accounts.make_guest(Entrance("1.2.3.4", ""))
        new = await people.accounts.make_guest(Entrance("1.2.3.4", ""))
        account = await people.accounts.sign_up(Entrance("1.2.3.4", ""), "Ada", PASSWORD)
        people.sessions.forget(old.session)
        long_ago = old.session.seen - 181 * 86_400
        for person in (old.session.person, account.session.person):
            await store.execute(
                [
                    sa.update(tables.persons).where(tables.persons.c.id == person).values(seen=long_ago),
                    sa.update(tables.sessions).where(tables.sessions.c.person == person).values(seen=long_ago),
                ]
            )
        assert await people.sweep() == 1
        assert await people.sessions.recognise(old.secret) is None
        assert await people.sessions.recognise(new.secret) is not None
        assert people.find(old.session.person) is None
        assert people.find(account.session.person) is not None

    with_people(tmp_path, script)


def test_a_session_that_nobody_used_has_ended(tmp_path: Path) -> None:
    async def script(people: People, store) -> None:  # type: ignore[no-untyped-def]
        entered = await people.accounts.sign_up(Entrance("1.2.3.4", ""), "Ada", PASSWORD)
        long_ago = entered.session.seen - 181 * 86_400
        await store.execute([sa.update(tables.sessions).values(seen=long_ago)])
        assert await people.sessions.recognise(entered.secret) is None
        assert await people.sessions.list_of(entered.session.person) == []

    with_people(tmp_path, script)
