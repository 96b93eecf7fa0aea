"""The trial of a whole site, in its short form."""

from __future__ import annotations

import pytest

from gonfalon.server.trials import cluster
from gonfalon.server.trials.processes.nginx import find_nginx


@pytest.mark.timeout(900)
@pytest.mark.skipif(find_nginx() is None, reason="no nginx on this machine")
def test_whatever_happens_to_nodes_loses_and_doubles_nothing() -> None:
    """Times are not tested here, since other tests run beside it: `gonfalon bench cluster` measures them."""
    result = cluster.run(cluster.SHORT, matches=24, pause=7.0)
    assert result.acknowledged > 24
    assert (result.lost, result.doubled, result.strange) == (0, 0, 0)


def test_delays_count_from_the_first_lost_socket_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("gonfalon.server.trials.cluster.time.monotonic", lambda: now[0])
    delays = cluster.Delays()
    delays.note_lost("a")
    delays.note_stored("a")
    assert not delays.found, "nothing happens"
    delays.kind = "kill"
    for at, note in (
        (1.0, delays.note_lost),
        (2.0, delays.note_lost),
        (4.0, delays.note_stored),
        (5.0, delays.note_stored),
    ):
        now[0] = at
        note("a")
    assert delays.found == {"kill": [3.0]}
    assert delays.find_p99("kill") == 3.0
    assert delays.find_p99("drain") == 0.0
