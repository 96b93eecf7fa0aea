"""GR-21: draw offers as an immutable value, and over the socket."""

from __future__ import annotations

import random

import pytest

from gonfalon.engine.offers import DrawOffers, OfferError
from gonfalon.server.draws import STEPS_BETWEEN
from server.harness import Client, Match, play


def code(call: object, *arguments: object) -> str:
    with pytest.raises(OfferError) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value.refusal.code


def test_gr_21_offered_once_play_has_started() -> None:
    assert code(DrawOffers(2).offer, 0, False) == "not-started"
    assert DrawOffers(2).offer(0, True).open == (0,)


def test_gr_21_one_open_offer_a_player() -> None:
    offers = DrawOffers(2).offer(0, True)
    assert code(offers.offer, 0, True) == "offer-stands"
    assert offers.offer(1, True).open == (0, 1)


def test_gr_21_stands_until_accepted_refused_or_the_other_completed_his_turn() -> None:
    offers = DrawOffers(2).offer(0, True)
    assert offers.complete_turn(0).open == (0,)
    assert offers.complete_turn(1).open == ()
    assert offers.answer(1, accept=False).open == ()
    assert not offers.is_agreed
    assert offers.answer(1, accept=True).is_agreed
    assert offers.open == (0,), "the first value has not changed"


def test_gr_21_only_the_other_answers() -> None:
    assert code(DrawOffers(2).answer, 1, True) == "no-offer"
    assert code(DrawOffers(2).offer(0, True).answer, 0, True) == "no-offer"


def test_gr_21_all_others_must_accept() -> None:
    offers = DrawOffers(3).offer(0, True).answer(1, accept=True)
    assert not offers.is_agreed
    assert offers.complete_turn(1).open == (0,)
    assert offers.answer(2, accept=True).is_agreed
    assert offers.complete_turn(2).open == ()


def test_who_is_out_counts_no_more() -> None:
    offers = DrawOffers(3).offer(0, True).offer(2, True).answer(1, accept=True)
    assert not offers.is_agreed
    assert offers.drop_players(frozenset({2})).open == (0,)
    assert offers.drop_players(frozenset({2})).is_agreed, "all who are left have accepted"
    left = DrawOffers(3).drop_players(frozenset({2}))
    assert code(left.offer, 2, True) == "out"
    assert code(left.offer(0, True).answer, 2, True) == "out"
    assert left.offer(0, True).answer(1, accept=True).is_agreed


def refused(client: Client, kind: str, **fields: object) -> str:
    client.send(kind, **fields)
    return str(client.until("refused")["line"]["code"])


def start(match: Match, rng: random.Random) -> tuple[Client, Client]:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    while not red.choices:
        red.next()
    return red, blue


def test_gr_21_over_the_socket(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    assert refused(red, "offer-draw") == "not-started"
    red.deploy(rng)
    blue.deploy(rng)
    assert refused(blue, "answer-draw", accept=True) == "no-offer"
    red.send("offer-draw")
    assert blue.until("draw-offers")["sides"] == ["red"]
    assert refused(red, "offer-draw") == "offer-stands"
    watcher = match.sit()
    assert watcher.welcome["offers"] == ["red"]
    watcher.close()
    while not red.choices:
        red.next()
    red.act([red.choices[0]["id"]])
    while not blue.choices:
        blue.next()
    window = match.sit("blue")
    assert window.welcome["offers"] == ["red"], "stands through the own turn"
    window.close()
    blue.act([blue.choices[0]["id"]])
    assert blue.until("draw-offers")["sides"] == []
    blue.send("offer-draw")
    assert blue.until("draw-offers")["sides"] == ["blue"]
    red.send("answer-draw", accept=False)
    assert blue.until("draw-offers")["sides"] == []
    assert refused(blue, "offer-draw") == "offered-lately"
    play((red, blue), rng, STEPS_BETWEEN)
    blue.send("offer-draw")
    assert blue.until("draw-offers")["sides"] == ["blue"]
    red.send("answer-draw", accept=True)
    ended = blue.until("ended")
    assert ended["ending"] == {"reason": "agreed", "returns": [0.0, 0.0], "winner": ""}
    assert refused(blue, "offer-draw") == "over"


def test_gr_21_resign_at_any_time(server: object, match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    blue.send("resign")
    ended = red.until("ended")
    assert ended["ending"]["reason"] == "resigned"
    assert ended["ending"]["winner"] == "red"
    assert refused(blue, "resign") == "over"
    again = match.sit("red")
    assert again.welcome["ending"]["winner"] == "red"
    assert not again.choices
    other = match.server.match()
    red, blue = start(other, rng)
    blue.send("resign")
    assert red.until("ended")["ending"]["winner"] == "red"
