"""Views for each observer, field by field, on states made by hand; and events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC, State
from gonfalon.engine.view import View, copy_rows
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.view import events_of
from gonfalon.games.conquest.tests.states import (
    BLUE,
    GREEN,
    OCHRE,
    RED,
    UNITS,
    battle,
    drafted,
    faces,
    join,
    leave,
    letters,
    put_drawn,
    ring_rules,
    rule_out,
    see,
    slot,
    view_of,
)

HIDDEN = "?" * g.ARMY
OBSERVERS = (RED, BLUE, GREEN, OCHRE, PUBLIC, EVERYTHING)


def look(state: State, observer: int, players: int = 4) -> View:
    return view_of(state, ring_rules(players), observer)


# ---- units


def test_players_see_their_own_units_and_nobody_elses() -> None:
    state = battle()
    assert [faces(look(state, RED), side) for side in range(4)] == [UNITS, HIDDEN, HIDDEN, HIDDEN]
    assert [faces(look(state, OCHRE), side) for side in range(4)] == [HIDDEN, HIDDEN, HIDDEN, UNITS]
    assert [faces(look(state, PUBLIC), side) for side in range(4)] == [HIDDEN] * 4
    assert [faces(look(state, EVERYTHING), side) for side in range(4)] == [UNITS] * 4


def test_slots_of_sides_that_do_not_play_are_empty() -> None:
    view = look(battle(2), RED, 2)
    assert (faces(view, GREEN), view.ready.tolist()) == ("." * g.ARMY, [1, 1, 0, 0])
    assert set(view.group.tolist()) == {g.NONE}


def test_what_one_has_seen_only_he_is_shown() -> None:
    state = battle()
    see(state, RED, slot(BLUE, "K"))
    assert faces(look(state, RED), BLUE) == "K" + HIDDEN[1:]
    assert all(faces(look(state, o), BLUE) == HIDDEN for o in (GREEN, OCHRE, PUBLIC))
    assert look(state, BLUE).marks[slot(BLUE, "K")] == g.UNKNOWN
    assert not look(state, RED).public.any()


def test_what_all_know_is_shown_to_its_owner_too() -> None:
    state = battle()
    for observer in (RED, GREEN, OCHRE, g.THE_PUBLIC):
        see(state, observer, slot(BLUE, "K"))
        rule_out(state, observer, slot(BLUE, "S"), "XF")
    for observer in OBSERVERS:
        view = look(state, observer)
        assert view.marks[slot(BLUE, "K")] == g.SEEN
        assert np.flatnonzero(view.public).tolist() == [slot(BLUE, "K")]
        assert view.ruled_out[slot(BLUE, "S")] == g.IMMOBILE


def test_a_captured_flag_and_units_that_left_have_no_type() -> None:
    state = battle()
    leave(state, slot(BLUE, "F"), g.GONE)
    for observer in OBSERVERS:
        view = look(state, observer)
        assert faces(view, BLUE)[UNITS.index("F")] == "."
        assert (view.marks[slot(BLUE, "F")], view.public[slot(BLUE, "F")]) == (0, 0)


# ---- reserves


def test_a_reserve_is_shown_as_counts_never_by_slots() -> None:
    state = battle()
    leave(state, slot(BLUE, "K"))
    leave(state, slot(BLUE, "S"))
    for observer in OBSERVERS:
        view = look(state, observer)
        assert (letters(view.reserve[BLUE]), view.n_reserve[BLUE]) == ("SK", 2)
        assert {faces(view, BLUE)[UNITS.index(letter)] for letter in "KS"} == {"."}
        assert not view.among.any()


def test_its_owner_knows_a_reserve_after_a_draw_too() -> None:
    state = battle()
    for letter in "K9S":
        leave(state, slot(BLUE, letter if letter != "9" else 3))
    put_drawn(state, BLUE, slot(BLUE, "K"))
    assert letters(look(state, BLUE).reserve[BLUE]) == letters(look(state, EVERYTHING).reserve[BLUE]) == "S9"
    assert letters(look(state, RED).reserve[BLUE]) == ""


def test_a_unit_in_hand_is_its_owners() -> None:
    state = battle(phase=g.AIM)
    state[0]["playing"] = g.SURPRISE
    for unit in ("K", "S"):
        leave(state, slot(RED, unit))
    put_drawn(state, RED, slot(RED, "K"))
    for observer in OBSERVERS:
        view = look(state, observer)
        assert (view.hand, view.phase, view.playing) == (slot(RED, "K"), g.AIM, g.SURPRISE)
        assert faces(view, RED)[0] == ("K" if observer in (RED, EVERYTHING) else "?")
    assert look(battle(), BLUE).hand == g.NONE


# ---- before the battle


def laid() -> State:
    """Return a state in which blue has placed all units and green has placed four."""
    state = drafted()
    row = state[0]
    for side, placed in ((BLUE, 18), (GREEN, 4)):
        row["laid"][side, :placed] = range(1, placed + 1)
        row["placed"][side] = placed
    return state


def test_a_deployment_is_its_players_alone_but_that_it_is_final() -> None:
    state = laid()
    for observer in OBSERVERS:
        view = look(state, observer)
        assert view.ready.tolist() == [0, 1, 0, 0]
        for side in range(4):
            shown = observer in (side, EVERYTHING)
            assert view.placed[side] == (state[0]["placed"][side] if shown else 0)
            assert view.laid[side].tolist() == (state[0]["laid"][side].tolist() if shown else [0] * g.ZONES)


@pytest.mark.parametrize("phase", [g.STARTING, g.DRAFT])
def test_nobody_is_ready_before_territories_are_chosen(phase: int) -> None:
    state = drafted()
    state[0]["owner"], state[0]["phase"] = g.NONE, phase
    assert not look(state, RED).ready.any()


# ---- choices


@pytest.mark.parametrize("card", [g.REGROUP, g.SECRET, g.TRAITOR, g.NEW_MASTER])
@pytest.mark.parametrize("phase", [g.AIM, g.ORDER, g.GUESS])
def test_an_open_choice_is_its_players_alone(phase: int, card: int) -> None:
    before = battle(phase=g.CARD)
    before[0]["table"][card] = 1
    after = copy_rows(before)
    row = after[0]
    # All three zones of a Regroup are named before its units get their order.
    count, zones = (3, [3, 5, 7]) if phase == g.ORDER else (2, [3, 5, g.NONE])
    row["phase"], row["playing"], row["n_chosen"], row["n_ordered"] = phase, card, count, 1
    row["chosen"], row["ordered"] = zones, (g.FLAG, 0, 0)
    for observer in (BLUE, GREEN, OCHRE, PUBLIC):
        assert look(after, observer).tobytes() == look(before, observer).tobytes()
    for observer in (RED, EVERYTHING):
        view = look(after, observer)
        assert (view.phase, view.playing, view.n_chosen, view.n_ordered) == (phase, card, count, 1)
        assert (view.chosen.tolist(), view.ordered.tolist()) == (zones, [g.FLAG, 0, 0])


def test_all_see_that_a_flag_is_to_be_put_on_the_map() -> None:
    assert all(look(battle(phase=g.RAISE), observer).phase == g.RAISE for observer in OBSERVERS)


def test_public_fields_are_shown_to_all() -> None:
    state = battle()
    for name in (field.name for field in g.PUBLIC_FIELDS):
        field = state[0][name]
        state[0][name] = np.arange(1, field.size + 1).reshape(field.shape) if field.ndim else 1
        if name not in ("mover", "at", "started"):
            assert all(np.array_equal(getattr(look(state, o), name), state[0][name]) for o in OBSERVERS), name


# ---- what cannot be told apart


def test_types_that_an_observer_does_not_know_change_nothing_for_him() -> None:
    """The view changes neither with the types of units that the observer does not know, nor with which unit of a group
    has the mark.
    """
    rng = np.random.default_rng(1)
    state = battle()
    see(state, RED, slot(BLUE, "K"))
    join(state, RED, [slot(BLUE, unit) for unit in (3, 4, 5)], [slot(BLUE, 4)])
    row = state[0]
    for _ in range(20):
        other = copy_rows(state)
        for side in (BLUE, GREEN, OCHRE):
            free = [slot(side, j) for j in range(g.ARMY) if not row["known"][RED, slot(side, j)]]
            other[0]["kind"][free] = rng.permutation(row["kind"][free])
        assert look(other, RED).tobytes() == look(state, RED).tobytes()
        assert look(other, PUBLIC).tobytes() == look(state, PUBLIC).tobytes()
        assert look(other, BLUE).tobytes() != look(state, BLUE).tobytes()


def test_which_unit_of_a_group_carries_a_mark_is_not_shown() -> None:
    one, other = battle(), battle()
    scouts = [slot(BLUE, j) for j in (12, 13, 14)]
    for observer in (RED, GREEN, OCHRE, g.THE_PUBLIC):
        join(one, observer, [*scouts, slot(BLUE, "K")], scouts[:2])
        join(other, observer, [*scouts, slot(BLUE, "K")], scouts[1:])
    for observer in OBSERVERS:
        assert look(one, observer).tobytes() == look(other, observer).tobytes()
        assert not look(one, observer).public.any()


# ---- events


class _Land:
    """A map with only what names need."""

    zone_ids = tuple(f"z{zone}" for zone in range(g.ZONES))
    territories = tuple(type("Territory", (), {"id": f"t{number}"}) for number in range(g.TERRITORIES))


def list_events(state: State, observer: int, *entries: tuple[int, ...]) -> list[tuple[str, dict[str, Any]]]:
    for k, entry in enumerate(entries):
        state[0]["log"][k, : len(entry)] = entry
    state[0]["n_log"] = len(entries)
    return [(event.code, event.args) for event in events_of(state, observer, _Land())]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entry", "code", "args"),
    [
        ((g.LOG_PLACED, RED, g.KING, 3), "placed", {"face": "king", "space": "z3"}),
        ((g.LOG_AIMED, RED, 3, g.REGROUP), "aimed", {"space": "z3", "card": "regroup"}),
        ((g.LOG_PUT_BACK, RED, g.FLAG, 3), "put-back", {"face": "flag", "space": "z3"}),
        ((g.LOG_SAW, RED, g.FLAG, BLUE, 3), "saw", {"face": "flag", "other": "blue", "space": "z3"}),
    ],
)
def test_some_events_are_the_actors_own(entry: tuple[int, ...], code: str, args: dict[str, Any]) -> None:
    state = battle()
    for observer in OBSERVERS:
        own = [(code, {"side": "red", **args})] if observer in (RED, EVERYTHING) else []
        assert list_events(state, observer, entry) == own


def test_a_unit_that_is_drawn_or_enters_is_its_owners() -> None:
    state = battle()
    entries = (g.LOG_UNIT, RED, g.KING), (g.LOG_ENTERED, RED, g.KING, 3, g.SURPRISE)
    place = {"side": "red", "space": "z3", "card": "surprise-attack"}
    for observer in (RED, EVERYTHING):
        own = [("unit", {"side": "red", "face": "king"}), ("entered", {"face": "king", **place})]
        assert list_events(state, observer, *entries) == own
    for observer in (BLUE, PUBLIC):
        assert list_events(state, observer, *entries) == [("unit-hidden", {"side": "red"}), ("entered-hidden", place)]


@pytest.mark.parametrize(
    ("entry", "code", "args"),
    [
        ((g.LOG_START_TIE, g.NONE), "start-tie", {}),
        ((g.LOG_START_DREW, RED, g.KING), "start-drew", {"side": "red", "face": "king"}),
        ((g.LOG_PICKED, BLUE, 4), "picked", {"side": "blue", "territory": "t4"}),
        ((g.LOG_TURN, BLUE, 3, 2), "turn", {"side": "blue", "count": 3, "moves": 2}),
        ((g.LOG_SHUFFLED, BLUE, 0), "shuffled", {"side": "blue"}),
        ((g.LOG_SHUFFLED, BLUE, 1), "card-shuffled", {"side": "blue"}),
        ((g.LOG_REGROUPED, RED, 1, 2, 3), "regrouped", {"side": "red", "spaces": ["z1", "z2", "z3"]}),
        ((g.LOG_LOOKED, RED, 1, 2), "looked", {"side": "red", "spaces": ["z1", "z2"]}),
        (
            (g.LOG_ENTERED, RED, g.SPY_MASTER, 3, g.NEW_MASTER),
            "entered",
            {"side": "red", "face": "spy-master", "space": "z3", "card": "new-spy-master"},
        ),
        (
            (g.LOG_GUESSED, RED, 3, g.KING, BLUE),
            "guessed",
            {"side": "red", "space": "z3", "face": "king", "other": "blue"},
        ),
        ((g.LOG_CONTROL, g.NONE, 4), "contested", {"territory": "t4"}),
        ((g.LOG_CONTROL, GREEN, 4), "control", {"side": "green", "territory": "t4"}),
        ((g.LOG_OVER, GREEN, g.BY_FLAGS), "won", {"side": "green", "reason": "flags"}),
        ((g.LOG_OVER, g.NONE, g.BY_QUIET), "drawn", {"reason": "quiet"}),
        (
            (g.LOG_BATTLE, RED, g.KING * 16 + g.SCOUT, BLUE, 7, g.LOST),
            "battle-lost",
            {"side": "red", "space": "z7", "attacker_face": "king", "defender_face": "scout", "other": "blue"},
        ),
    ],
)
def test_other_events_are_told_to_all_alike(entry: tuple[int, ...], code: str, args: dict[str, Any]) -> None:
    state = battle()
    assert [list_events(state, observer, entry) for observer in OBSERVERS] == [[(code, args)]] * len(OBSERVERS)


def test_a_proof_shows_the_whole_reserve() -> None:
    state = battle()
    for letter in "SK":
        leave(state, slot(RED, letter))
    assert list_events(state, GREEN, (g.LOG_PROOF, RED)) == [("proof", {"side": "red", "faces": ["king", "scout"]})]
    assert list_events(state, GREEN, (g.LOG_PROOF, BLUE)) == [("proof-empty", {"side": "blue"})]


def test_every_entry_of_the_log_has_its_event() -> None:
    state = battle()
    for code in range(g.LOG_OVER + 1):
        assert len(list_events(state, EVERYTHING, (code, RED, 1, 1, 1, 1))) == 1, code
