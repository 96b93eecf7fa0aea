"""The clock of a node is that of the database, however wrong the machine's own one is."""

from __future__ import annotations

import pytest

from gonfalon.server.cluster import heartbeat
from gonfalon.server.cluster.heartbeat import DRIFT, DatabaseClock
from gonfalon.server.cluster.rows import VERSION, read_version


@pytest.fixture
def monotonic(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The monotonic clock, in ms; the only one of the machine that counts."""
    now = [5_000]
    monkeypatch.setattr(heartbeat, "monotonic_ms", lambda: now[0])
    return now


def test_between_two_comparisons_the_monotonic_clock_goes_on(monotonic: list[int]) -> None:
    clock = DatabaseClock()
    clock.compare(1_700_000_000.0)
    assert clock.read() == 1_700_000_000_000
    monotonic[0] += 1_234
    assert clock.read() == 1_700_000_001_234


def test_small_differences_do_not_make_time_jump(monotonic: list[int]) -> None:
    clock = DatabaseClock()
    clock.compare(1_700_000_000.0)
    monotonic[0] += 1_000
    clock.compare(1_700_000_001.0 + DRIFT / 1000)
    assert clock.read() == 1_700_000_001_000
    clock.compare(1_700_000_001.0 + 3 * DRIFT / 1000)
    assert clock.read() == 1_700_000_001_000 + 3 * DRIFT


def test_versions_have_an_order() -> None:
    assert [read_version(text) for text in ("0.2.0", "0.10.0", "1.0.0", "1.0.1")] == [
        2_000,
        10_000,
        1_000_000,
        1_000_001,
    ]
    assert read_version("0.3.0rc1") > read_version("0.2.9")
    assert VERSION >= 2_000
