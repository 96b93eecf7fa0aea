"""Running clocks: since when each person decides, when the flag falls, and pauses that cost nobody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.server.clock.clocks import Clocks
from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn, Untimed
from gonfalon.server.clock.running import Running, monotonic_ms


class Table:
    """A match of four in play, as far as its clocks go: players 0 to 2 are persons, player 3 is a computer player."""

    def __init__(self, control: Control, quota: int = 0, *, before_play: bool = False) -> None:
        self.now = 1_000_000
        self.quota = quota
        self.before_play = before_play
        self.moves = 0
        self.clocks = Clocks(control, 4, (0, 1, 2))
        self.running = self.load()

    def load(self) -> Running:
        return Running(self.clocks, lambda _: self.quota, lambda: self.now)

    def wait(self, *due: int) -> None:
        self.running.note_due(due, before_play=self.before_play)

    def act(self, player: int, arrived: int, stored: int, *due: int) -> int:
        """Play the act of a frame: it arrives, is stored later, and then others are due. Return its cost."""
        took = self.running.took(player, arrived)
        self.clocks.apply(self.moves, player, took, before_play=self.before_play, ended_turn=False)
        self.moves += 1
        self.now = stored
        self.running.close(player)
        self.wait(*due)
        return took


def start(control: Control, *due: int, quota: int = 0, before_play: bool = False) -> Table:
    table = Table(control, quota, before_play=before_play)
    table.wait(*due)
    return table


# ---- the boundary -------------------------------------------------------------------------------------------------


@given(bank=st.integers(1, 10_800), quota=st.integers(0, 300), late=st.integers(-2, 2))
def test_an_act_in_the_millisecond_of_the_flag_is_in_time(bank: int, quota: int, late: int) -> None:
    table = start(Bank(bank), 0, quota=quota)
    arrived = table.now + bank * 1_000 + quota + late
    for _ in range(2):
        assert table.running.is_past(0, arrived) == (late > 0)
        assert table.running.find_flags(arrived) == ((0,) if late > 0 else ())
        assert table.running.until_flag(0, arrived) == max(0, 1 - late)
        table.now += 77  # an answer never depends on when somebody asks


def test_the_timer_rings_when_the_flag_has_fallen() -> None:
    table = start(Bank(60), 0)
    rest = table.running.until_next_flag()
    assert rest == 60_001
    table.now += rest - 1
    assert table.running.find_flags() == ()
    assert table.running.until_next_flag() == 1
    table.now += 1
    assert table.running.find_flags() == (0,)
    assert table.running.until_next_flag() == 0


def test_an_act_counts_by_the_arrival_of_its_frame_however_long_storing_takes() -> None:
    table = start(Bank(60, increment=3), 0)
    begun = table.now
    assert table.act(0, begun + 60_000, begun + 75_000, 1) == 60_000
    assert table.running.find_flags() == (), "its flag fell while the saving move was being stored"
    assert table.clocks.left(0, before_play=False) == 3_000
    assert table.running.elapsed(1) == 0, "storing costs the next player nothing either"


def test_a_frame_that_arrived_before_the_decision_began_took_no_time() -> None:
    table = start(Bank(60), 0)
    assert table.running.took(0, table.now - 500) == 0


# ---- who pays -----------------------------------------------------------------------------------------------------


def test_only_persons_who_are_due_pay() -> None:
    table = start(Bank(60), 1, 3)
    table.now += 1_000_000
    assert table.running.ticking == {1}
    assert [table.running.elapsed(player) for player in range(4)] == [0, 1_000_000, 0, 0]
    assert [table.running.took(player) for player in (1, 3, -1)] == [1_000_000, 0, 0]
    with pytest.raises(ValueError, match="player 0 has no decision"):
        table.running.took(0)
    assert [table.running.until_flag(player) for player in range(4)] == [None, 0, None, None]


def test_the_side_that_is_not_on_turn_pays_for_its_own_decision() -> None:
    table = start(PerTurn(60), 0)
    table.act(0, table.now + 20_000, table.now + 20_010, 1)
    table.act(1, table.now + 5_000, table.now + 5_001, 0)
    assert table.running.until_flag(0) == 40_001
    assert table.clocks.left(1, before_play=False) == 55_000


def test_each_decision_of_the_same_player_begins_anew() -> None:
    table = start(Bank(60, increment=2), 0)
    table.act(0, table.now + 10_000, table.now + 10_001, 0)
    assert table.running.elapsed(0) == 0
    assert table.running.until_flag(0) == 52_001


def test_an_open_choice_runs_on() -> None:
    """Parts of a compound choice are no step: nobody notes them here, so nobody can see them in a clock."""
    table = start(Bank(60, increment=2), 0)
    table.now += 4_000
    table.wait(0)
    assert table.running.elapsed(0) == 4_000


def test_players_who_deploy_together_pay_each_for_themselves() -> None:
    table = start(Bank(300, deployment=60), 0, 1, before_play=True)
    begun = table.now
    table.act(0, begun + 20_000, begun + 20_005, 1)
    assert table.running.elapsed(1) == 20_005, "the other one's clock ran on"
    assert table.running.until_flag(1) == 60_001 - 20_005
    table.before_play = False
    table.act(1, begun + 30_000, begun + 30_004, 0)
    assert table.running.until_flag(0) == 300_001


def test_two_flags_at_once_fall_in_their_order() -> None:
    table = start(Bank(60), 0, 1, 2)
    table.clocks.apply(0, 0, 10_000, before_play=False, ended_turn=False)
    table.clocks.apply(1, 2, 20_000, before_play=False, ended_turn=False)
    assert table.running.find_flags(table.now + 40_000) == ()
    assert table.running.find_flags(table.now + 50_000) == (2,)
    assert table.running.find_flags(table.now + 50_001) == (2, 0)
    assert table.running.find_flags(table.now + 70_000) == (2, 0, 1)


def test_the_timer_waits_for_the_first_of_several_flags() -> None:
    table = start(Bank(60), 0, 1, 2)
    table.clocks.apply(0, 1, 20_000, before_play=False, ended_turn=False)
    assert table.running.until_next_flag() == 40_001


def test_a_player_who_is_still_due_when_play_begins_pays_from_then_on() -> None:
    table = start(Bank(60, deployment=90), 0, before_play=True)
    table.now += 50_000
    table.before_play = False
    table.wait(0)
    assert table.running.until_flag(0) == 60_001


def test_flags_of_the_same_millisecond_fall_by_number() -> None:
    table = start(Bank(60), 2, 0)
    assert table.running.find_flags(table.now + 60_001) == (0, 2)


@pytest.mark.parametrize("control", [Untimed(), Correspondence(1)])
def test_without_a_clock_time_is_measured_and_no_flag_falls(control: Control) -> None:
    table = start(control, 0)
    table.now += 10**9
    assert table.running.took(0) == 10**9
    assert table.running.find_flags() == ()
    assert table.running.until_next_flag() is None


def test_a_take_back_begins_the_decision_anew() -> None:
    table = start(Bank(60, increment=2), 0)
    table.act(0, table.now + 10_000, table.now + 10_000, 0)
    table.now += 30_000
    table.running.close_all()
    table.clocks.cut(0)
    table.wait(0)
    assert table.running.until_flag(0) == 60_001


# ---- the quota ----------------------------------------------------------------------------------------------------


def test_the_quota_costs_nothing_in_each_decision() -> None:
    table = start(Bank(60), 0, quota=120)
    assert table.act(0, table.now + 5_120, table.now + 5_121, 0) == 5_000
    assert table.act(0, table.now + 100, table.now + 101, 0) == 0
    assert table.running.until_flag(0) == 55_000 + 120 + 1


def test_without_measurements_there_is_no_quota() -> None:
    running = Running(Clocks(Bank(60), 2, (0, 1)), clock=lambda: 0)
    running.note_due((0,), before_play=False)
    assert running.until_flag(0) == 60_001


def test_a_ping_during_a_decision_does_not_move_its_flag() -> None:
    table = start(Bank(60), 0, quota=50)
    before = table.running.until_flag(0)
    table.quota = 300
    table.wait(0)
    assert table.running.until_flag(0) == before


# ---- pauses -------------------------------------------------------------------------------------------------------


def test_nobody_pays_behind_the_curtain() -> None:
    table = start(Bank(60), 0)
    table.now += 10_000
    table.running.pause((0, 1), "curtain")
    assert table.running.until_next_flag() is None
    assert table.running.ticking == frozenset()
    table.now += 500_000
    assert table.running.find_flags() == ()
    table.running.resume((0, 1), "curtain")
    table.now += 1_000
    assert table.running.took(0) == 11_000
    assert table.running.until_flag(0) == 49_001


def test_a_decision_may_begin_behind_the_curtain() -> None:
    table = start(Bank(60), 0)
    table.running.pause((0, 1), "curtain", table.now + 4_000)
    table.act(0, table.now + 4_000, table.now + 4_010, 1)
    table.now += 90_000
    assert table.running.elapsed(1) == 0
    table.running.resume((0, 1), "curtain")
    table.now += 7
    assert table.running.elapsed(1) == 7


def test_a_clock_goes_on_when_its_last_cause_is_gone() -> None:
    table = start(Bank(60), 0)
    table.running.pause((0, 3), "curtain")
    table.running.pause((0,), "seats")
    table.running.pause((0,), "seats")
    table.running.resume((0, 3), "curtain")
    table.now += 5_000
    assert table.running.took(0) == 0
    table.running.resume((0,), "seats")
    table.running.resume((0,), "seats")
    table.now += 5_000
    assert table.running.took(0) == 5_000


def test_a_flag_that_fell_before_a_pause_stays_fallen() -> None:
    table = start(Bank(60), 0)
    table.now += 60_001
    table.running.pause((0,), "curtain")
    assert table.running.until_next_flag() == 0
    assert table.running.find_flags() == (0,)


def test_an_act_from_before_a_pause_counts_by_its_arrival() -> None:
    table = start(Bank(60), 0)
    begun = table.now
    table.running.pause((0,), "curtain", begun + 9_000)
    assert table.running.took(0, begun + 8_000) == 8_000


def test_nobody_pays_for_time_in_which_no_server_ran() -> None:
    table = start(Bank(60, increment=2), 0)
    table.act(0, table.now + 10_000, table.now + 10_000, 1)
    table.act(1, table.now + 3_000, table.now + 3_000, 0)
    table.now += 40_000
    table.running = table.load()
    table.wait(0)
    assert table.running.until_flag(0) == 52_001, "the player goes on with what the last stored move left"


@given(st.lists(st.tuples(st.integers(0, 5_000), st.booleans()), max_size=30), st.integers(0, 300))
def test_a_player_pays_at_most_for_the_time_in_which_the_clock_ran(waits: list[tuple[int, bool]], quota: int) -> None:
    table = start(Bank(10_800), 0, quota=quota)
    ran, stands = 0, False
    for wait, pause in waits:
        (table.running.pause if pause else table.running.resume)((0,), "curtain")
        stands = pause
        ran += 0 if stands else wait
        table.now += wait
        assert table.running.elapsed(0) == ran
        assert table.running.took(0) == max(0, ran - quota)


def test_the_clock_is_the_machines_monotonic_one_in_milliseconds() -> None:
    first = monotonic_ms()
    assert isinstance(first, int)
    assert monotonic_ms() >= first
