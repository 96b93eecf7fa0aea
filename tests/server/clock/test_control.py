"""Time controls: what a match may be made with, and what is refused with field and bounds."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.server.clock.control import (
    Bank,
    Control,
    Correspondence,
    PerTurn,
    Untimed,
    check,
    read_control,
    word_control,
)
from gonfalon.server.clock.presets import PRESETS, offer_presets
from gonfalon.server.protocol.refusals import Declined

YEAR = 365 * 24 * 3600


def decode(text: str) -> Control:
    found: Control = msgspec.json.decode(text, type=Control)
    return found


def refusal(control: Control) -> str:
    """Return the detail with which a control is refused."""
    with pytest.raises(Declined) as caught:
        check(control)
    assert (caught.value.line.code, caught.value.status) == ("bad-clock", 400)
    return str(caught.value.line.args["detail"])


@pytest.mark.parametrize(
    "control",
    [
        Untimed(),
        Untimed(0),
        Untimed(120),
        Bank(1),
        Bank(3 * 3600, increment=180),
        Bank(900, delay=180, longest=181),
        Bank(0, delay=5),
        PerTurn(60),
        *(Correspondence(days) for days in (1, 2, 3, 7)),
        *(preset.control for preset in PRESETS),
    ],
)
def test_a_sensible_control_is_accepted_and_stored_as_it_is(control: Control) -> None:
    check(control)
    assert decode(msgspec.json.encode(control).decode()) == control


@pytest.mark.parametrize(
    ("control", "detail"),
    [
        (Untimed(-1), "claim_after: 0, or 120 to 86400 s, whole"),
        (Untimed(119), "claim_after: 0, or 120 to 86400 s, whole"),
        (Untimed(YEAR), "claim_after: 0, or 120 to 86400 s, whole"),
        (Bank(0), "bank: 1 to 10800 s, whole"),
        (Bank(0, increment=5), "bank: 1 to 10800 s, whole"),
        (Bank(-1, delay=5), "bank: 0, or 1 to 10800 s, whole"),
        (Bank(YEAR), "bank: 1 to 10800 s, whole"),
        (Bank(300, increment=181), "increment: 0 to 180 s, whole"),
        (Bank(300, delay=-1), "delay: 0 to 180 s, whole"),
        (Bank(300, increment=3, delay=3), "increment, delay: one of them must be 0"),
        (Bank(300, longest=4), "longest: 0, or 5 to 10800 s, whole"),
        (Bank(300, delay=30, longest=30), "longest: 0, or more than delay"),
        (Bank(300, deployment=0), "deployment: 10 to 10800 s, whole"),
        (Bank(300, deployment=YEAR), "deployment: 10 to 10800 s, whole"),
        (PerTurn(0), "turn: 5 to 600 s, whole"),
        (PerTurn(YEAR), "turn: 5 to 600 s, whole"),
        (PerTurn(60, deployment=-300), "deployment: 10 to 10800 s, whole"),
        (Correspondence(0), "days: 1, 2, 3, 7"),
        (Correspondence(4), "days: 1, 2, 3, 7"),
        (Correspondence(365), "days: 1, 2, 3, 7"),
    ],
)
def test_a_setting_beyond_its_bounds_is_refused_by_field_and_bound(control: Control, detail: str) -> None:
    assert refusal(control) == detail


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 5.0, 5.5, 1e300, 10**30, True, None, "60"])
def test_a_setting_that_is_no_whole_number_is_refused(wrong: Any) -> None:
    assert refusal(Untimed(wrong)).startswith("claim_after: ")
    assert refusal(Bank(60, deployment=wrong)).startswith("deployment: ")
    assert refusal(PerTurn(wrong)).startswith("turn: ")
    assert refusal(Correspondence(wrong)) == "days: 1, 2, 3, 7"


@pytest.mark.parametrize("number", ["5.0", "5.5", "1e300", "1e2", "NaN", "Infinity", '"60"', "true", "null"])
def test_a_body_with_a_number_that_is_not_whole_does_not_become_a_control(number: str) -> None:
    for body in ('{"kind":"bank","bank":%s}', '{"kind":"turn","turn":%s}', '{"kind":"correspondence","days":%s}'):
        with pytest.raises(msgspec.DecodeError):
            decode(body % number)


@pytest.mark.parametrize(
    "body",
    [
        '{"kind":"hourglass"}',
        '{"bank":300}',
        '{"kind":"bank"}',
        '{"kind":"bank","bank":300,"bonus":5}',
        '{"kind":"untimed","bank":300}',
    ],
)
def test_unknown_kinds_and_fields_are_refused(body: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(body)


@given(bank=st.integers(), increment=st.integers(), delay=st.integers(), longest=st.integers())
def test_no_whole_number_breaks_the_check(bank: int, increment: int, delay: int, longest: int) -> None:
    try:
        check(Bank(bank, increment, delay, longest))
    except Declined:
        return
    assert bank + delay >= 1
    assert not longest or longest > delay


def test_stored_defaults_never_change() -> None:
    assert decode('{"kind":"untimed"}') == Untimed(claim_after=300)
    stored = Bank(60, increment=0, delay=0, longest=0, deployment=300)
    assert decode('{"kind":"bank","bank":60}') == stored
    assert decode('{"kind":"turn","turn":60}') == PerTurn(60, deployment=300)


def test_presets_are_the_controls_that_players_know_by_these_names() -> None:
    """Texts of the page are found by the names, so they never change."""
    assert {preset.name: preset.control for preset in PRESETS} == {
        "standard": Bank(15 * 60, delay=3, longest=3 * 60, deployment=5 * 60),
        "quick": Bank(5 * 60, increment=3, deployment=2 * 60),
        "turns": PerTurn(60, deployment=5 * 60),
        "correspondence": Correspondence(3),
        "live": Untimed(5 * 60),
        "open": Untimed(0),
    }


@pytest.mark.parametrize(
    ("players", "pieces", "names"),
    [
        (2, 40, ["standard", "quick", "correspondence", "live", "open"]),
        (2, 0, ["standard", "quick", "correspondence", "live", "open"]),
        (2, 13, ["standard", "quick", "correspondence", "live", "open"]),
        (2, 12, ["quick", "standard", "correspondence", "live", "open"]),
        (2, 8, ["quick", "standard", "correspondence", "live", "open"]),
        (3, 30, ["turns", "correspondence", "live", "open"]),
        (4, 8, ["turns", "correspondence", "live", "open"]),
    ],
)
def test_players_and_pieces_of_a_variant_choose_its_presets(players: int, pieces: int, names: list[str]) -> None:
    assert [preset.name for preset in offer_presets(players, pieces)] == names


@pytest.mark.parametrize("control", [None, Untimed(0), Bank(300, increment=3), PerTurn(60), Correspondence(7)])
def test_a_record_names_a_time_control(control: Control | None) -> None:
    assert read_control(word_control(control)) == control


@pytest.mark.parametrize("text", ["", "sand", "bank", "bank bank=0", "bank bank=5 sand=1", "turn turn=x", "turn turn="])
def test_a_record_may_name_an_unknown_time_control(text: str) -> None:
    assert read_control(text) is None
