"""CQ-36: a view keeps what a careful player would note down."""

from __future__ import annotations

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, State
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.tests.states import (
    BLUE,
    GREEN,
    LETTERS,
    RED,
    at,
    field,
    join,
    letters,
    move,
    play,
    ring_rules,
    rule_out,
    see,
    slot,
    view_of,
    with_card,
)

RED_UNITS, BLUE_UNITS = "0F 5K", "40F 45K"
"""Units in zones far from one another; each side has a King with an empty zone beside it."""


def look(state: State, observer: int, players: int = 2) -> View:
    return view_of(state, ring_rules(players), observer)


def face(view: View, unit: int) -> str:
    kind = int(view.kind[unit])
    return "?" if kind == g.HIDDEN else LETTERS[kind]


def not_of(view: View, unit: int) -> str:
    return "".join(letter for kind, letter in enumerate(LETTERS) if kind and int(view.ruled_out[unit]) >> kind & 1)


def group(view: View, unit: int) -> tuple[list[int], str, int]:
    """Return the slots of a unit's group, the types known to be in it, and the number of its units in the reserve."""
    label = int(view.group[unit])
    assert label != g.NONE
    members = [other for other in range(g.UNITS) if view.group[other] == label]
    assert all(view.marks[member] == g.AMONG for member in members)
    return members, letters(view.among[label]), int(view.in_reserve[label])


# ---- moves and combats


def test_cq_36_a_unit_that_moved_is_no_flag_or_cursed_land() -> None:
    state = play(field(red=RED_UNITS, blue=BLUE_UNITS), (RED, move(5, 6)))
    unit = at(state, 6)
    for observer in (BLUE, PUBLIC, RED):
        assert not_of(look(state, observer), unit) == "XF"
    assert face(look(state, BLUE), unit) == "?"
    state = play(state, (BLUE, move(45, 46)), (RED, move(6, 7)))
    assert not_of(look(state, BLUE), at(state, 7)) == "XF"


def test_cq_36_a_run_shows_the_scout() -> None:
    state = play(field(red="0F 5S", blue="40F 45K"), (RED, move(5, 8)))
    for observer in (BLUE, PUBLIC):
        view = look(state, observer)
        assert (face(view, at(state, 8)), view.public[at(state, 8)]) == ("S", 1)


def test_cq_36_a_scout_that_makes_one_step_is_not_shown() -> None:
    state = play(field(red="0F 5S", blue="40F 45K"), (RED, move(5, 6)))
    assert face(look(state, BLUE), at(state, 6)) == "?"


def test_cq_36_who_wins_a_combat_stays_known_and_who_falls_is_known_in_the_reserve() -> None:
    before = field(red="0F 5K", blue="40F 6S 45K")
    state = play(before, (RED, move(5, 6)))
    fallen = letters(look(before, PUBLIC).reserve[BLUE])
    for observer in (RED, BLUE, PUBLIC):
        view = look(state, observer)
        assert (face(view, at(state, 6)), view.marks[at(state, 6)]) == ("K", g.SEEN)
        assert letters(view.reserve[BLUE]) == "".join(sorted(fallen + "S", key=LETTERS.index))
        assert view.n_reserve[BLUE] == len(fallen) + 1


def test_cq_36_what_is_known_travels_with_the_unit() -> None:
    state = field(red="0F 5K 20S", blue="40F 45K")
    see(state, BLUE, slot(RED, "K"))
    rule_out(state, BLUE, slot(RED, "S"), "9KXF")
    state = play(state, (RED, move(5, 6)), (BLUE, move(45, 46)), (RED, move(20, 21)))
    view = look(state, BLUE)
    assert face(view, at(state, 6)) == "K"
    assert not_of(view, at(state, 21)) == "9KXF"
    assert face(look(state, PUBLIC), at(state, 6)) == "?"


# ---- reserves


ALL_BUT_THREE = "0F 5K 10X 12X 14M 16C 18C 20C 22S 24S 26S 28S 306 325 344"
"""All of red's units except Queen, Prince and Duke, which are in the reserve."""


def drew(letter: str, zone: int, red: str = ALL_BUT_THREE, blue: str = "40F 45K 50S") -> State:
    """Return the state after red has drawn one of those three units and placed it."""
    state, card = with_card(field(red=red, blue=blue), g.SURPRISE), g.SURPRISE
    return play(
        state,
        (RED, g.ACT_CARD + card),
        (CHANCE, g.ACT_UNIT + LETTERS.index(letter)),
        (RED, g.ACT_ZONE + zone),
    )


def test_cq_36_what_was_drawn_is_its_owners_secret() -> None:
    state = with_card(field(red=ALL_BUT_THREE, blue="40F 45K"), g.REINFORCEMENTS)
    assert letters(look(state, BLUE).reserve[RED]) == "789"
    state = play(state, (RED, g.ACT_CARD + g.REINFORCEMENTS), (CHANCE, g.ACT_UNIT + LETTERS.index("8")))
    for observer in (BLUE, PUBLIC):
        view = look(state, observer)
        unit = int(view.hand)
        assert (face(view, unit), letters(view.reserve[RED]), view.n_reserve[RED]) == ("?", "", 2)
        assert group(view, unit) == ([unit], "789", 2)
    view = look(state, RED)
    assert (face(view, int(view.hand)), letters(view.reserve[RED])) == ("8", "79")
    assert group(view, int(view.hand)) == ([int(view.hand)], "789", 2), "what the others know of it"


def test_cq_36_which_unit_was_drawn_changes_nothing_for_others() -> None:
    for observer in (BLUE, PUBLIC):
        assert len({look(drew(letter, 4), observer).tobytes() for letter in "789"}) == 1


def test_cq_36_a_reserve_of_one_type_keeps_no_secret() -> None:
    red = ALL_BUT_THREE.replace("26S 28S", "269 288 607")
    view = look(drew("S", 4, red=red), BLUE)
    unit = int(view.at[4])
    assert (face(view, unit), view.marks[unit], letters(view.reserve[RED])) == ("S", g.SEEN, "S")


def test_cq_36_a_drawn_unit_that_falls_is_known_and_so_is_the_rest() -> None:
    state = play(drew("8", 46), (RED, move(46, 45)))
    for observer in (BLUE, PUBLIC):
        assert letters(look(state, observer).reserve[RED]) == "789"
        assert not look(state, observer).among[RED * g.ARMY : (RED + 1) * g.ARMY].any()


def test_cq_36_what_falls_later_is_told_from_what_was_there() -> None:
    red = ALL_BUT_THREE.replace("28S", "284").replace("344", "34S")
    state = play(drew("8", 4, red=red, blue="52F 45K 50S"), (RED, move(34, 44)), (BLUE, move(45, 44)))
    view = look(state, BLUE)
    assert letters(view.reserve[RED]) == "S"
    assert group(view, at(state, 4)) == ([at(state, 4)], "789", 2)


def test_cq_36_a_second_draw_merges_all_that_are_there() -> None:
    state = drew("8", 4)
    first = at(state, 4)
    state[0]["phase"] = g.CARD
    state = with_card(state, g.SURPRISE)
    state = play(
        state, (RED, g.ACT_CARD + g.SURPRISE), (CHANCE, g.ACT_UNIT + LETTERS.index("9")), (RED, g.ACT_ZONE + 60)
    )
    for observer in (BLUE, PUBLIC):
        view = look(state, observer)
        assert group(view, first) == (sorted([first, at(state, 60)]), "789", 1)
        assert letters(view.reserve[RED]) == ""


def test_cq_36_a_new_spy_master_is_known_to_all_and_the_rest_stay_a_group() -> None:
    state = with_card(field(red="0F 5K 109", blue="40F 45K"), g.NEW_MASTER)
    state = play(state, (RED, g.ACT_CARD + g.NEW_MASTER), (RED, g.ACT_ZONE + 30))
    for observer in (BLUE, PUBLIC):
        view = look(state, observer)
        assert (face(view, at(state, 30)), view.public[at(state, 30)]) == ("M", 1)
        assert "M" not in letters(view.reserve[RED])


# ---- cards


def regroup(state: State, zones: tuple[int, int, int], order: str) -> State:
    named = [(RED, g.ACT_ZONE + zone) for zone in zones]
    return play(
        with_card(state, g.REGROUP),
        (RED, g.ACT_CARD + g.REGROUP),
        *named,
        *((RED, g.ACT_PLACE + LETTERS.index(letter)) for letter in order),
    )


def test_cq_36_a_regroup_makes_one_of_what_was_known_of_three() -> None:
    state = field(red="0F 5K 109 20S", blue="40F 45K")
    for observer in (BLUE, g.THE_PUBLIC):
        see(state, observer, slot(RED, "K"))
    see(state, BLUE, slot(RED, "S"))
    units = [at(state, zone) for zone in (5, 10, 20)]
    for order in ("K9S", "SK9"):
        after = regroup(state, (5, 20, 10), order)
        assert group(look(after, BLUE), units[0]) == (sorted(units), "SK", 0)
        assert group(look(after, PUBLIC), units[0]) == (sorted(units), "K", 0)
        assert {face(look(after, BLUE), unit) for unit in units} == {"?"}
        assert [face(look(after, RED), unit) for unit in units] == list(order)


def test_cq_36_a_regroup_of_unknown_units_leaves_them_unknown() -> None:
    state = field(red="0F 5K 109 20S", blue="40F 45K")
    view = look(regroup(state, (5, 10, 20), "9KS"), BLUE)
    assert [view.marks[at(state, zone)] for zone in (5, 10, 20)] == [g.UNKNOWN] * 3


def test_cq_36_a_regroup_takes_marks_of_moves_away() -> None:
    state = field(red="0F 5K 109 20S", blue="40F 45K")
    for zone in (5, 10):
        for observer in (BLUE, g.THE_PUBLIC):
            rule_out(state, observer, at(state, zone), "XF")
    view = look(regroup(state, (5, 10, 20), "K9S"), BLUE)
    assert [not_of(view, at(state, zone)) for zone in (5, 10, 20)] == ["", "", ""]
    rule_out(state, BLUE, at(state, 20), "XF")
    view = look(regroup(state, (5, 10, 20), "K9S"), BLUE)
    assert [not_of(view, at(state, zone)) for zone in (5, 10, 20)] == ["XF"] * 3


def test_cq_36_one_of_a_group_that_is_shown_leaves_the_rest() -> None:
    state = field(red="0F 5K 449 20S", blue="40F 45K")
    units = [at(state, zone) for zone in (5, 44, 20)]
    for observer in (BLUE, g.THE_PUBLIC):
        join(state, observer, units, units)
    state = play(state, (RED, move(44, 45)))
    view = look(state, PUBLIC)
    assert "9" in letters(view.reserve[RED])
    assert group(view, at(state, 5)) == (sorted([at(state, 5), at(state, 20)]), "SK", 0)


def test_cq_36_secret_information_is_the_lookers() -> None:
    state = with_card(field(red="0F 5K 10M", blue="40F 41S 45K"), g.SECRET)
    units = [at(state, 40), at(state, 41)]
    state = play(state, (RED, g.ACT_CARD + g.SECRET), (RED, g.ACT_ZONE + 40), (RED, g.ACT_ZONE + 41))
    assert [face(look(state, RED), unit) for unit in units] == ["F", "S"]
    assert [face(look(state, PUBLIC), unit) for unit in units] == ["?", "?"]
    assert [look(state, BLUE).marks[unit] for unit in units] == [g.UNKNOWN] * 2
    assert look(state, BLUE).master.tolist()[RED] == 1


def test_cq_36_the_proof_of_a_spy_master_shows_a_reserve_and_so_what_was_drawn() -> None:
    state = drew("8", 4, blue="40F 41S 45K")
    state[0]["phase"] = g.CARD
    state = play(
        with_card(state, g.SECRET),
        (RED, g.ACT_CARD + g.SECRET),
        (RED, g.ACT_ZONE + 40),
        (RED, g.ACT_ZONE + 41),
    )
    view = look(state, PUBLIC)
    assert (letters(view.reserve[RED]), face(view, at(state, 4))) == ("79", "8")


def betrayed(guess: str) -> tuple[State, int]:
    state = with_card(field(players=3, red="0F 5K", blue="40F 45K", green="60F 65K"), g.TRAITOR)
    unit = at(state, 45)
    aimed = (RED, g.ACT_CARD + g.TRAITOR), (RED, g.ACT_ZONE + 45), (RED, g.ACT_GUESS + LETTERS.index(guess))
    return play(state, *aimed, players=3), unit


def test_cq_36_a_wrong_guess_tells_the_guesser_what_it_is_the_others_what_not() -> None:
    state, unit = betrayed("9")
    assert face(look(state, RED, 3), unit) == "K"
    for observer in (GREEN, PUBLIC, BLUE):
        assert not_of(look(state, observer, 3), unit) == "9"
    assert face(look(state, GREEN, 3), unit) == "?"


def test_cq_36_a_right_guess_is_known_to_all() -> None:
    state, _ = betrayed("K")
    for observer in (RED, GREEN, PUBLIC):
        assert "K" in letters(look(state, observer, 3).reserve[BLUE])


# ---- flags, and who is out


def test_cq_36_a_flag_that_is_raised_is_known() -> None:
    state = field(players=3, red="39K", blue="40F 45K", green="60F 65K")
    state[0]["holder"][RED] = BLUE
    state = play(state, (RED, move(39, 40)), players=3)
    assert state[0]["phase"] == g.RAISE
    state = play(state, (RED, g.ACT_ZONE + 39), players=3)
    for observer in (BLUE, GREEN, PUBLIC):
        view = look(state, observer, 3)
        assert (face(view, at(state, 39)), face(view, at(state, 40))) == ("F", "K")


def test_cq_36_what_a_player_has_left_who_can_only_stand_is_shown() -> None:
    state = field(players=3, red="0F 63K", blue="40F 45K", green="64S 67X")
    state[0]["holder"][GREEN] = BLUE
    unit = at(state, 67)
    state = play(state, (RED, move(63, 64)), (BLUE, move(45, 46)), players=3)
    assert state[0]["out"][GREEN] == g.SKIPPED
    assert [face(look(state, observer, 3), unit) for observer in (RED, BLUE, PUBLIC)] == ["X"] * 3


def test_cq_36_who_sees_all_is_shown_what_all_know() -> None:
    view = look(drew("8", 4), EVERYTHING)
    assert (face(view, int(view.at[4])), letters(view.reserve[RED])) == ("8", "79")
    assert group(view, int(view.at[4])) == ([int(view.at[4])], "789", 2)
