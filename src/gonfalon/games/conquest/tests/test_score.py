"""The score, the headline about a lost Flag, and the warning before an attack that lets another player win."""

from __future__ import annotations

from typing import Any

import numpy as np

import gonfalon
from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.engine.screens.scene import Choice
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, RED, Position, begin, position


def three(red: str, blue: str, green: str, **more: Any) -> Position:
    return position("three", f"red: {red}; blue: {blue}; green: {green}", **more)


def counts(at: Position, side: int, observer: int = PUBLIC) -> dict[str, int]:
    return at.scene(observer).scores[side].counts


def warned(at: Position, observer: int = RED) -> dict[str, tuple[Any, ...]]:
    """Return the arguments of each warning, by the path of its choice."""
    choices: tuple[Choice, ...] = at.game.choices(at.game.view(at.state, observer))
    return {" ".join(each.path): tuple(each.warning.args.values()) for each in choices if each.warning is not None}


# ---- the score


def test_there_is_no_score_before_the_battle() -> None:
    scene = begin("three").scene(PUBLIC)
    assert (scene.scores, scene.round, scene.headlines) == ((), 0, ())


def test_the_score_says_what_territories_and_cities_bring() -> None:
    at = three("th1K so2F", "th3F kf1S cb1S um1S al1K wy19", "pe1F du1S", rounds=4)
    assert counts(at, BLUE) == {"territories": 5, "cards": 2, "cities": 2, "moves": 3, "units": 6}
    assert counts(at, BLUE) == counts(at, BLUE, RED) == counts(at, BLUE, EVERYTHING)
    assert at.scene(PUBLIC).round == 5


def test_the_score_foretells_the_turn_that_begins() -> None:
    """The score of the next player names as many cards and moves as this player then gets."""
    at = three("th1K so2F", "th3F kf1S cb1S um1S al1K wy19", "pe1F du1S")
    told = counts(at, BLUE)
    at = at.play("th1-th2")
    assert at.list_events(PUBLIC)[-1] == f"turn blue {told['cards']} {told['moves']}"


def test_who_has_most_flags_leads_and_equals_do_not() -> None:
    alike = three("so2F so34", "um1F um24", "du1F du24")
    assert [score.leads for score in alike.scene(PUBLIC).scores] == [False, False, False]
    at = three("th1K so2F", "th2F um1S", "pe1F du1S").play("th1xth2")
    assert [(score.flags, score.leads) for score in at.scene(PUBLIC).scores] == [
        (("red", "blue"), True),
        ((), False),
        (("green",), False),
    ]


# ---- a Flag that is away


def test_a_lost_flag_is_a_headline_for_its_owner_only() -> None:
    at = three("th1K so2F", "th2F um1S", "pe1F du1S").play("th1xth2")
    assert [(line.code, line.args) for line in at.scene(BLUE).headlines] == [("away", {"side": "red"})]
    for observer in (RED, GREEN, PUBLIC, EVERYTHING):
        assert at.scene(observer).headlines == ()


def test_who_has_his_flag_back_reads_it_no_more() -> None:
    at = three("th1K so2S al3S <F>", "th2F um1S", "pe1F du1S")
    assert at.scene(RED).headlines
    assert at.play("th1xth2").scene(RED).headlines == ()


# ---- the warning


LAST = {"red": "th1K so24 <F>", "blue": "kf1F um1S", "green": "th2F th3S du1S"}
"""Units in a position where blue holds red's Flag: if red takes green's Flag, blue has the only one left."""


def test_every_unit_that_may_be_that_flag_is_warned_of_alike() -> None:
    at = three(**LAST)
    assert warned(at) == {"th1 th2": ("blue", "green"), "th1 th3": ("blue", "green")}
    other = three(**LAST | {"green": "th2S th3F du1S"})
    assert warned(other) == warned(at)


def test_a_unit_that_cannot_be_it_is_not_warned_of() -> None:
    assert warned(three(**LAST | {"green": "th2F th3S! du1S"})) == {"th1 th2": ("blue", "green")}


def test_where_what_was_seen_is_not_kept_every_unit_is_warned_of() -> None:
    at = three(**LAST | {"green": "th2F th3S! du1S"}, show_known=False)
    assert set(warned(at)) == {"th1 th2", "th1 th3"}


def test_who_has_his_flag_or_would_win_it_back_is_not_warned() -> None:
    assert warned(three("th1K so2F", "kf1F um1S", "th2F th3S du1S")) == {}
    assert warned(three("th1K so24 <F>", "th2F th3S", "kf1F um1S")) == {}


def test_the_guess_of_such_a_flag_is_warned_of() -> None:
    at = three(**LAST, phase="card", table="t1").play("+traitor", "@th2")
    assert warned(at) == {"guess.flag": ("blue", "green")}


def test_who_is_said_to_win_by_a_capture_wins_by_it() -> None:
    """The winner that a view foretells is the winner after the capture, whoever holds the Flags."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        at = three("th1K so2F", "kf1F um1S", "th2F du1S")
        row = at.row
        if rng.integers(2):
            row["holder"][RED] = rng.choice([BLUE, GREEN])
        if rng.integers(2) and row["holder"][RED] != BLUE:
            row["holder"][BLUE] = rng.choice([RED, GREEN]) if row["holder"][RED] == RED else row["holder"][RED]
        said = int(at.game.view(at.state, RED).wins_by[GREEN])
        after = at.game.apply(at.state, RED, at.game.parse_action(at.game.view(at.state, RED), "th1xth2"))
        assert said == int(after["winner"][0]), (seed, row["holder"].tolist())


# ---- who chooses next


def test_cq_6_all_are_told_who_chooses_next() -> None:
    """The order goes forward and back again, so the last player chooses twice in a row; a resigned player is left
    out.
    """
    game = gonfalon.make("conquest-three")
    state, rng = game.initial_state(), np.random.default_rng(1)
    while game.to_act(state) == (CHANCE,):
        state = game.apply(state, CHANCE, draw(game, state, rng))
    (starter,) = game.to_act(state)
    one, two, three = (g.SIDES[(starter + k) % 3] for k in range(3))

    def told(observer: int) -> list[str]:
        (headline,) = game.scene(game.view(state, observer)).headlines
        assert headline.code == "choosing"
        return list(headline.args["sides"])

    assert told(PUBLIC) == told(RED) == told(BLUE) == [one, two, three, three, two, one, one, two]
    for _ in range(2):
        (mover,) = game.to_act(state)
        assert g.SIDES[mover] == told(PUBLIC)[0]
        state = game.apply(state, mover, int(game.legal_actions(state, mover)[0]))
    assert told(PUBLIC)[:3] == [three, three, two]
    state = game.withdraw(state, (starter + 1) % 3)
    assert told(PUBLIC)[:4] == [three, three, one, one]
    while told(PUBLIC)[1:]:
        (mover,) = game.to_act(state)
        state = game.apply(state, mover, int(game.legal_actions(state, mover)[0]))
    assert told(PUBLIC) == [g.SIDES[game.to_act(state)[0]]]
