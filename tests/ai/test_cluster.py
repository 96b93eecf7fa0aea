"""Arenas on several machines, tested with a cluster of two nodes on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from ai.plans import ONE_PAIR, plan_of, play_some
from gonfalon.ai.arena.cluster import play_on_cluster
from gonfalon.ai.arena.plan import list_fixtures
from gonfalon.ai.arena.staff import StaffError

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of Ray itself


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of one node with one processor; it leaves no process behind."""
    from ray.cluster_utils import Cluster

    before = set(psutil.Process().children(recursive=True))
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    found.shutdown()
    psutil.wait_procs(set(psutil.Process().children(recursive=True)) - before, timeout=20)
    left = {each.name() for each in set(psutil.Process().children(recursive=True)) - before}
    assert not any("ray" in name for name in left), left


def test_two_machines_play_what_one_process_would(cluster: Any) -> None:
    second = cluster.add_node(num_cpus=1)
    plan = plan_of("random", "greedy")
    found = sorted(play_on_cluster(plan, list_fixtures(ONE_PAIR, 2, 4), cluster.address, None), key=_number)
    assert [record for _, record in found] == [record for _, record in play_some(plan, 4)]
    cluster.remove_node(second)


def test_the_match_of_a_machine_that_is_lost_is_played_again(cluster: Any) -> None:
    second = cluster.add_node(num_cpus=1)
    plan = plan_of("greedy", "random")
    matches = play_on_cluster(plan, list_fixtures(ONE_PAIR, 2, 8), cluster.address, 2)
    found = [next(matches)]
    cluster.remove_node(second, allow_graceful=False)
    found += matches
    assert sorted(map(_number, found)) == list(range(8))
    assert not any(row.failed for row, _ in found)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1", "nowhere.invalid:6379"])
def test_without_a_cluster_it_is_said(address: str) -> None:
    plan = plan_of("random", "random")
    with pytest.raises(StaffError, match="no cluster"):
        next(play_on_cluster(plan, list_fixtures(ONE_PAIR, 2, 2), address, None))


def _number(match: Any) -> int:
    number: int = match[0].number
    return number
