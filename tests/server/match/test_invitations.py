"""A guest opens an invitation once, with a secret of the guest's own. Until the guest has acted, the maker may invite
someone else to the seat.
"""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from gonfalon.server.net.web_sockets import REFUSED
from gonfalon.server.protocol.secrets import derive, new_secret
from gonfalon.server.storage.entries import Header, SeatHeader, pack, unpack_header
from server.harness import DATABASE, PATIENCE, Client, Match, Server, running
from web.staged import patient


def refusal(match: Match, secret: str, invitation: str = "") -> str:
    """Return the reason why the server turns this client away."""
    client = Client(match.server, match.id)
    client.hello(secret, invitation=invitation)
    return str(client.until("refused")["line"]["code"])


def side_of(match: Match, secret: str, invitation: str = "") -> str:
    """Return the side of the seat that this client gets."""
    client = Client(match.server, match.id)
    client.hello(secret, invitation=invitation)
    side = str(client.until("welcome")["side"])
    client.close()
    return side


def invite(match: Match, maker: Client, side: str = "blue") -> str:
    """Make a new invitation for a side and a new secret for its guest, and store both in the match."""
    maker.send("invite", side=side)
    match.invitations[side] = maker.until("invitation")["secret"]
    match.secrets[side] = new_secret()
    return match.invitations[side]


def declined(client: Client, side: str) -> str:
    client.send("invite", side=side)
    return str(client.until("refused")["line"]["code"])


def seat(match: Match, side: str) -> dict[str, object]:
    return next(each for each in match.info()["seats"] if each["side"] == side)


# ---- opening ------------------------------------------------------------------------------------------------------


def test_the_maker_gets_invitations_and_no_secret_of_a_guest(server: Server) -> None:
    wish = {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "person"}]}
    made = server.post("/api/matches", wish).json()
    assert (set(made["secrets"]), set(made["invitations"])) == ({"red"}, {"blue"})


def test_a_guest_opens_it_with_a_secret_of_his_own(match: Match) -> None:
    own, invitation = match.secrets["blue"], match.invitations["blue"]
    assert not seat(match, "blue")["taken"]
    assert side_of(match, own, invitation) == "blue"
    assert seat(match, "blue")["taken"]
    assert side_of(match, own, invitation) == "blue", "the same pair is acknowledged: an answer may have been lost"
    assert side_of(match, own) == "blue", "as on another device"


def test_an_answer_that_was_never_read_costs_nothing(match: Match) -> None:
    """A page that was reloaded before its welcome closes its first socket without having read any message."""
    hasty = Client(match.server, match.id)
    hasty.hello(match.secrets["blue"], invitation=match.invitations["blue"])
    hasty.close()
    assert match.sit("blue").welcome["side"] == "blue"


def test_any_other_use_of_an_opened_invitation_is_refused_by_name(match: Match) -> None:
    match.sit("blue")
    invitation = match.invitations["blue"]
    assert refusal(match, new_secret(), invitation) == "invitation-used"
    assert refusal(match, "", invitation) == "invitation-used"
    assert refusal(match, invitation, invitation) == "invitation-used"
    assert refusal(match, match.secrets["red"], invitation) == "invitation-used", "the maker's own secret neither"
    assert refusal(match, invitation) == "no-seat", "it is no secret of a seat"
    assert match.sit().welcome["side"] == "", "who is turned away may watch"


def test_of_many_at_the_same_time_exactly_one_opens_it(match: Match) -> None:
    clients = [Client(match.server, match.id) for _ in range(8)]

    def come(client: Client) -> str:
        client.hello(new_secret(), invitation=match.invitations["blue"])
        while (message := client.next())["type"] not in ("welcome", "refused"):
            pass
        return message["side"] if message["type"] == "welcome" else message["line"]["code"]

    with ThreadPoolExecutor(len(clients)) as people:
        assert sorted(people.map(come, clients)) == ["blue", *["invitation-used"] * 7]


@pytest.mark.parametrize("own", ["", "short", "the invitation", "the maker's"])
def test_it_is_not_opened_with_what_is_no_secret_of_ones_own(match: Match, own: str) -> None:
    known = {"the invitation": match.invitations["blue"], "the maker's": match.secrets["red"]}
    assert refusal(match, known.get(own, own), match.invitations["blue"]) == "bad-message"
    assert match.sit("blue").welcome["side"] == "blue", "nobody has opened it by that"


def test_what_was_opened_survives_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.match()
        red = match.sit("red")
        first = match.invitations["blue"]
        invite(match, red)
        match.sit("blue")
        server.kill()
        server.start()
        assert match.sit("blue").welcome["side"] == "blue"
        assert refusal(match, new_secret(), match.invitations["blue"]) == "invitation-used"
        assert refusal(match, new_secret(), first) == "invitation-ended"


def test_three_guests_each_open_their_own(server: Server) -> None:
    match = server.match(("me", "person", "person", "person"), "conquest")
    guests = sorted(match.invitations)
    assert len(guests) == 3
    for side in guests:
        assert match.sit(side).welcome["side"] == side
    for side in guests:
        for other in guests:
            if other != side:
                assert refusal(match, match.secrets[side], match.invitations[other]) == "invitation-used"
    maker = match.sit("red")
    invite(match, maker, guests[0])
    assert [seat(match, side)["taken"] for side in guests] == [False, True, True]
    server.let_go()


# ---- inviting anew --------------------------------------------------------------------------------------------------


def test_a_new_invitation_ends_the_one_that_nobody_opened(match: Match) -> None:
    old = match.invitations["blue"]
    new = invite(match, match.sit("red"))
    assert old != new
    assert refusal(match, new_secret(), old) == "invitation-ended"
    assert match.sit("blue").welcome["side"] == "blue"


def test_a_new_invitation_sends_away_who_opened_the_earlier_one(match: Match) -> None:
    red, guest = match.both()
    own, old = match.secrets["blue"], match.invitations["blue"]
    invite(match, red)
    assert guest.until("refused")["line"]["code"] == "invitation-ended"
    with pytest.raises(ConnectionClosed) as closed:
        guest.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == REFUSED
    for secret, invitation in ((own, ""), (own, old), (new_secret(), old), (own, match.invitations["blue"])):
        assert refusal(match, secret, invitation) == "invitation-ended"
    assert not seat(match, "blue")["taken"]
    assert not seat(match, "blue")["here"]
    assert match.sit("blue").welcome["side"] == "blue"


def test_once_the_guest_has_acted_nobody_takes_his_place(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    assert seat(match, "blue")["may_invite"]
    blue.deploy(rng)
    while any(each["may_invite"] for each in red.until("presence")["match"]["seats"]):
        pass
    assert declined(red, "blue") == "guest-acted"
    assert match.sit("blue").welcome["side"] == "blue", "the guest has the same seat again"


def test_only_the_maker_invites_and_only_guests(match: Match) -> None:
    red, blue = match.both()
    assert declined(blue, "blue") == "not-inviting"
    assert declined(match.sit(), "blue") == "no-seat"
    for side in ("red", "green", ""):
        assert declined(red, side) == "not-inviting"
    assert declined(match.server.match(("me", "random")).sit("red"), "blue") == "not-inviting"
    red.send("resign")
    red.until("ended")
    assert declined(red, "blue") == "over"
    assert match.sit("blue").welcome["side"] == "blue"


# ---- what the maker knows -------------------------------------------------------------------------------------------


def known_to_the_maker(match: Match, following: str) -> set[str]:
    """Return all secrets that the maker was given, and all that can be derived from them for the next match."""
    given = {match.secrets["red"], *match.invitations.values(), match.id, following}
    return given | {derive(secret, name) for secret in given for name in (match.id, following)}


def test_nothing_that_the_maker_knows_opens_the_guests_seat_nor_that_of_the_rematch(match: Match) -> None:
    red, blue = match.both()
    blue.send("resign")
    for client in (red, blue):
        client.until("ended")
        client.send("offer-rematch")
    made = red.until("rematch-ready")
    own = blue.until("rematch-ready")
    rematch = Match(match.server, made["match"], {})
    assert own["secret"] == derive(match.secrets["blue"], made["match"])
    found = {}
    for table in (match, rematch):
        for secret in known_to_the_maker(match, made["match"]):
            for invitation in ("", match.invitations["blue"]):
                client = Client(match.server, table.id)
                client.hello(secret, invitation=invitation)
                while (message := client.next())["type"] not in ("welcome", "refused"):
                    pass
                found.setdefault(table.id, set()).add(message.get("side", "none"))
    assert found == {match.id: {"red", "none"}, rematch.id: {"blue", "none"}}, "the maker has the next side"
    assert side_of(rematch, own["secret"]) == "red"


def test_a_rematch_waits_for_a_guest_who_has_never_come(match: Match) -> None:
    red = match.sit("red")
    red.send("resign")
    red.until("ended")
    red.send("offer-rematch")
    assert red.until("rematch-offered")["sides"] == ["red"]
    blue = match.sit("blue")
    blue.send("offer-rematch")
    made = blue.until("rematch-ready")
    assert made["match"] == red.until("rematch-ready")["match"]
    assert side_of(Match(match.server, made["match"], {}), made["secret"]) == "red"


def test_no_secret_is_told_to_others_nor_stored(tmp_path: Path, rng: random.Random) -> None:
    with running(tmp_path) as server:
        match = server.match()
        secrets = {*match.secrets.values(), *match.invitations.values()}
        red, watcher = match.sit("red"), match.sit()
        guest = match.sit("blue")
        invite(match, red)
        blue = match.sit("blue")
        again = match.sit("blue")
        secrets |= {match.secrets["blue"], match.invitations["blue"]}
        for client in (red, blue):
            client.deploy(rng)
        for client in (red, blue, again, watcher):
            client.quiet()
        refusal(match, new_secret(), match.invitations["blue"])
        told = {
            secret
            for client in (guest, blue, again, watcher)
            for frame in client.raw
            for secret in secrets
            if secret in frame
        }
        assert not told
        assert {secret for frame in red.raw for secret in secrets if secret in frame} == {match.invitations["blue"]}
        assert not [secret for secret in secrets if secret in server.get(f"/api/matches/{match.id}").text]
        if not DATABASE:
            stored = b"".join(path.read_bytes() for path in tmp_path.glob("matches.db*"))
            assert match.id.encode() in stored
            assert not [secret for secret in secrets if secret.encode() in stored]


# ---- windows ------------------------------------------------------------------------------------------------------


def test_a_second_window_of_a_seat_is_told_to_both(match: Match) -> None:
    red, one = match.both()
    assert "windows" not in {message["type"] for message in one.quiet()}
    other = match.sit("blue")
    assert [client.until("windows", PATIENCE)["count"] for client in (one, other)] == [2, 2]
    other.close()
    assert one.until("windows", PATIENCE)["count"] == 1
    watchers = match.sit(), match.sit()
    for client in (red, *watchers):
        assert "windows" not in {message["type"] for message in client.quiet()}
        assert not [frame for frame in client.raw if json.loads(frame)["type"] == "windows"]


# ---- matches of earlier versions ------------------------------------------------------------------------------------


def test_headers_of_earlier_versions_are_read_as_they_were() -> None:
    stored = b'{"id":"m","variant":"barrage","changed":{},"seats":[{"secret":"a","maker":true},{"secret":"b"}],'
    header = unpack_header(stored + b'"created":1,"claim_after":120}')
    assert header == Header("m", "barrage", {}, (SeatHeader(secret="a", maker=True), SeatHeader(secret="b")), 1, 120)
    assert b"invitation" not in pack(header)


def test_links_of_earlier_versions_go_on_working(server: Server) -> None:
    match = patient(server, "barrage")
    assert not match.invitations
    assert [match.sit("blue").welcome["side"] for _ in range(2)] == ["blue", "blue"], "such a link is the seat's secret"
    assert match.info()["seats"][1]["taken"]
    assert not any(each["may_invite"] for each in match.info()["seats"])
    server.let_go()
