"""Seats belong to accounts and guests: they open by session on any device, or by their secret as before."""

from __future__ import annotations

import json

import httpx

from gonfalon.server.protocol.secrets import new_secret
from server.harness import Server
from server.visitors import PASSWORD, log_in, make_account, new_match, refused, sit


def resign(server: Server, browser: httpx.Client, match: str) -> None:
    client = sit(server, match, browser)
    client.send("resign")
    client.until("ended")
    client.close()
    server.clients.remove(client)


def account_of(client, side: str) -> str:  # type: ignore[no-untyped-def]
    seat = next(seat for seat in client.welcome["match"]["seats"] if seat["side"] == side)
    return str(seat["account"])


def test_the_makers_seat_opens_on_another_device(server: Server) -> None:
    first = server.browser()
    name, _ = make_account(first)
    made = new_match(first)
    second = log_in(server, name)
    client = sit(server, made["match"], second)
    assert client.welcome["side"] == "red"
    assert account_of(client, "red") == name
    stranger = sit(server, made["match"], server.browser())
    assert stranger.welcome["side"] == ""
    assert account_of(stranger, "red") == name, "everybody may know the account"
    by_secret = sit(server, made["match"], server.browser(), secret=made["secrets"]["red"])
    assert by_secret.welcome["side"] == "red"


def test_a_guest_by_link_owns_the_seat_that_the_link_opened(server: Server) -> None:
    made = new_match(server.browser())
    guest = server.browser()
    name, _ = make_account(guest)
    blue = sit(server, made["match"], guest, new_secret(), made["invitations"]["blue"])
    assert blue.welcome["side"] == "blue"
    again = sit(server, made["match"], log_in(server, name))
    assert again.welcome["side"] == "blue"
    assert account_of(again, "blue") == name


def test_a_new_invitation_takes_the_seat_away(server: Server) -> None:
    maker, guest = server.browser(), server.browser()
    make_account(maker)
    make_account(guest)
    made = new_match(maker)
    sit(server, made["match"], guest, new_secret(), made["invitations"]["blue"])
    red = sit(server, made["match"], maker)
    red.send("invite", side="blue")
    red.until("invitation")
    assert sit(server, made["match"], guest).welcome["side"] == ""


def test_players_of_one_device_sit_by_side(server: Server) -> None:
    browser = server.browser()
    make_account(browser)
    made = new_match(browser, {"kind": "me"}, {"kind": "me"})
    assert sit(server, made["match"], browser, side="blue").welcome["side"] == "blue"
    assert sit(server, made["match"], browser).welcome["side"] == "red"


def test_a_guest_that_becomes_an_account_keeps_its_matches(server: Server) -> None:
    browser = server.browser()
    assert browser.post("/api/guests", json={}).status_code == 201
    assert browser.get("/api/me").json()["guest"]
    made = new_match(browser)
    name, _ = make_account(browser)
    listed = log_in(server, name).get("/api/account/matches").json()
    assert [(each["match"]["id"], each["side"]) for each in listed] == [(made["match"], "red")]


def test_own_matches_end_with_the_match(server: Server) -> None:
    browser = server.browser()
    make_account(browser)
    made = new_match(browser)
    resign(server, browser, made["match"])
    assert browser.get("/api/account/matches").json() == []


def test_a_session_that_ends_closes_its_sockets(server: Server) -> None:
    first = server.browser()
    name, _ = make_account(first)
    made = new_match(first)
    second = log_in(server, name)
    open_there = sit(server, made["match"], second)
    by_secret = sit(server, made["match"], server.browser(), secret=made["secrets"]["red"])
    listed = first.get("/api/account").json()["sessions"]
    other = next(each["id"] for each in listed if not each["current"])
    first.post("/api/account/sessions/end", json={"id": other})
    assert open_there.until("refused")["line"]["code"] == "session-ended"
    by_secret.quiet()
    assert sit(server, made["match"], second).welcome["side"] == ""


def test_a_rematch_keeps_the_owners(server: Server) -> None:
    """Red asks by session, without a secret; each seat of the rematch opens by its owner's session."""
    red_browser, blue_browser = server.browser(), server.browser()
    red_name, _ = make_account(red_browser)
    make_account(blue_browser)
    made = new_match(red_browser)
    secret = new_secret()
    blue = sit(server, made["match"], blue_browser, secret, made["invitations"]["blue"])
    red = sit(server, made["match"], red_browser)
    red.send("resign")
    for client in (red, blue):
        client.until("ended")
    red.send("offer-rematch")
    blue.until("rematch-offered")
    blue.send("offer-rematch")
    told, secret_told = red.until("rematch-ready"), blue.until("rematch-ready")["secret"]
    assert told["secret"] == ""
    again = sit(server, told["match"], red_browser)
    assert again.welcome["side"] == "blue", "every player gets the next side"
    assert account_of(again, "blue") == red_name
    assert sit(server, told["match"], server.browser(), secret=secret_told).welcome["side"] == "red"


# ---- profiles ----------------------------------------------------------------------------------------------------


def play_by_link(server: Server, maker: httpx.Client, guest: httpx.Client) -> str:
    """Play a match by link, which the maker resigns. Return its id."""
    made = new_match(maker)
    sit(server, made["match"], guest, new_secret(), made["invitations"]["blue"])
    resign(server, maker, made["match"])
    return str(made["match"])


def test_a_profile_shows_private_matches_to_their_players_only(server: Server) -> None:
    maker, guest, stranger = server.browser(), server.browser(), server.browser()
    name, _ = make_account(maker)
    other, _ = make_account(guest)
    make_account(stranger)
    match = play_by_link(server, maker, guest)
    resigned = {"wins": 0, "draws": 0, "losses": 1}
    for reader in (maker, guest):
        profile = reader.get(f"/api/people/{name}").json()
        assert profile["games"] == [{"variant": "barrage", "tally": resigned}]
        assert profile["opponents"] == [{"name": other, "agent": "", "tally": resigned}]
        (listed,) = reader.get(f"/api/people/{name.lower()}/matches").json()["matches"]
        assert (listed["match"], listed["result"], listed["listed"]) == (match, "loss", False)
        assert [(seat["name"], seat["result"]) for seat in listed["seats"]] == [(name, "loss"), (other, "win")]
    for reader in (stranger, server.browser()):
        profile = reader.get(f"/api/people/{name}").json()
        assert profile["games"] == profile["opponents"] == []
        assert reader.get(f"/api/people/{name}/matches").json()["matches"] == []
    assert maker.get(f"/api/people/{name}").json()["mine"] is True


def test_finished_matches_by_game_and_opponent(server: Server) -> None:
    browser, guest = server.browser(), server.browser()
    name, _ = make_account(browser)
    other, _ = make_account(guest)
    by_link = play_by_link(server, browser, guest)
    alone = new_match(browser, {"kind": "me"}, {"kind": "agent", "agent": "random"}, variant="duel")["match"]
    resign(server, browser, alone)

    def listed(query: str) -> list[str]:
        answer = browser.get(f"/api/people/{name}/matches?{query}")
        return [each["match"] for each in answer.json()["matches"]]

    assert listed("") in ([alone, by_link], [by_link, alone])
    assert listed("variant=duel") == [alone]
    assert listed(f"opponent={other}") == [by_link]
    assert listed("agent=random") == [alone]
    assert listed("agent=level-8") == []
    assert refused(browser.get(f"/api/people/{name}/matches?opponent=nobody-there")) == "no-account-named"
    assert refused(browser.get(f"/api/people/{name}/matches?before=x")) == "bad-message"
    assert refused(browser.get(f"/api/people/{name}/matches?variant=%00")) == "bad-message"
    for stranger in ("nobody-there", f"{name}-and-more-letters", "%00"):
        assert refused(browser.get(f"/api/people/{stranger}")) == "no-account-named"


# ---- blocks, deletion, export ------------------------------------------------------------------------------------


def test_blocks(server: Server) -> None:
    browser, other = server.browser(), server.browser()
    name, _ = make_account(browser)
    blocked, _ = make_account(other)
    assert browser.post("/api/account/blocks", json={"name": blocked.lower(), "on": True}).status_code == 204
    assert browser.get("/api/account").json()["blocked"] == [blocked]
    assert browser.get(f"/api/people/{blocked}").json()["blocked"] is True
    assert other.get(f"/api/people/{name}").json()["blocked"] is False, "nobody learns who blocks them"
    assert refused(browser.post("/api/account/blocks", json={"name": name, "on": True})) == "block-self"
    assert browser.post("/api/account/blocks", json={"name": blocked, "on": False}).status_code == 204
    assert browser.get("/api/account").json()["blocked"] == []


def test_a_deleted_account_leaves_no_name(server: Server) -> None:
    maker, guest = server.browser(), server.browser()
    make_account(guest)
    made = new_match(maker)
    secret = new_secret()
    blue = sit(server, made["match"], guest, secret, made["invitations"]["blue"])
    red = sit(server, made["match"], maker, made["secrets"]["red"])
    blue.send("give-name", name="Augusta Ada")
    while "Augusta" not in json.dumps(red.until("presence")):
        pass
    wrong = guest.post("/api/account/delete", json={"password": "not my password"})
    assert refused(wrong) == "password-wrong"
    assert guest.post("/api/account/delete", json={"password": PASSWORD}).status_code == 200
    assert guest.get("/api/me").json()["name"] == ""
    while not (told := red.until("presence"))["match"]["seats"][1]["deleted"]:
        pass
    assert "Augusta" not in json.dumps(told)
    red.send("resign")
    red.until("ended")
    assert "Augusta" not in server.get(f"/api/matches/{made['match']}/record").text
    server.let_go()
    server.kill()
    server.start()
    again = sit(server, made["match"], server.browser(), secret)
    assert again.welcome["side"] == "blue", "the link still opens the seat"
    assert "Augusta" not in json.dumps(again.welcome)
    assert again.welcome["match"]["seats"][1]["deleted"] is True


def test_a_guest_is_deleted_without_a_password(server: Server) -> None:
    browser = server.browser()
    browser.post("/api/guests", json={})
    assert browser.post("/api/account/delete", json={}).status_code == 200
    assert browser.get("/api/me").json()["guest"] is False


def test_the_export_has_everything_but_secrets(server: Server) -> None:
    browser = server.browser()
    name, codes = make_account(browser)
    made = new_match(browser, {"kind": "me", "name": "Ada L."}, {"kind": "person"})
    resign(server, browser, made["match"])
    answer = browser.get("/api/account/export")
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert found["name"] == name
    assert found["seats"] == [{"match": made["match"], "player": 0, "typed_names": ["Ada L."]}]
    assert found["results"][0]["result"] == "loss"
    assert len(found["sessions"]) == 1
    cookie = browser.cookies["gonfalon"]
    for secret in (PASSWORD, cookie, made["secrets"]["red"], *codes, "argon2"):
        assert secret not in answer.text
