"""`examples/ray_selfplay.py` on a cluster of two nodes on this machine."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import psutil
import pytest

import gonfalon

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of Ray itself
FILE = Path(__file__).parents[2] / "examples" / "ray_selfplay.py"
VARIANT = "grid-3x3"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ray_selfplay", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def address() -> Iterator[str]:
    """Address of a cluster of two nodes; it leaves no process behind."""
    from ray.cluster_utils import Cluster

    before = set(psutil.Process().children(recursive=True))
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    found.add_node(num_cpus=1)
    yield found.address
    found.shutdown()
    psutil.wait_procs(set(psutil.Process().children(recursive=True)) - before, timeout=20)


def find_share(example: ModuleType, weights: Any) -> float:
    """Return the share of points of a policy, as red, against uniform play."""
    game, rng = gonfalon.make(VARIANT), np.random.default_rng(7)
    form = game.form(dtype="uint8", canonical=True, compact=True)
    with gonfalon.Batch(game, 500, deploy="uniform", seed=7, autoreset=False) as batch:
        while (due := batch.due.copy()).any():
            seen, masks = batch.observe(form=form)[due].reshape(int(due.sum()), -1), batch.masks(form=form)[due]
            own = (batch.to_act[due] == 0)[:, None]
            uniform = example.find_chances(seen, masks, np.zeros_like(weights))
            actions = np.zeros(len(due), np.int32)
            actions[due] = example.draw(np.where(own, example.find_chances(seen, masks, weights), uniform), rng)
            batch.step(actions, form=form)
        return float((1 + batch.returns[:, 0]).mean() / 2)


def test_gradients_of_self_play_beat_uniform_play(example: ModuleType) -> None:
    player = example.Player(VARIANT, 128, 1)
    weights = np.zeros(player.find_shape(), np.float32)
    for _ in range(30):
        lesson = player.play(weights)
        assert lesson.matches == 128
        weights = weights + example.RATE * lesson.gradient / lesson.decisions
    assert find_share(example, weights) > 0.57 > find_share(example, np.zeros_like(weights))


def test_chances_are_of_legal_actions_only(example: ModuleType) -> None:
    rng = np.random.default_rng(1)
    seen, masks = rng.integers(0, 256, (50, 6), np.uint8), rng.random((50, 4)) < 0.6
    masks[:, 0] = True
    chances = example.find_chances(seen, masks, rng.normal(size=(6, 4)).astype(np.float32))
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances[~masks] == 0).all()
    drawn = example.draw(chances, rng)
    assert masks[np.arange(50), drawn].all()


def test_two_nodes_learn_together(example: ModuleType, address: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray import cloudpickle

    # The nodes cannot import the module of an example; as a program it would be `__main__`, which is sent as it is.
    monkeypatch.setitem(sys.modules, example.__name__, example)
    cloudpickle.register_pickle_by_value(example)
    rounds = list(example.learn(address, VARIANT, 8, 2))
    assert [played for played, _, _ in rounds] == [16, 32], "two actors of eight matches"
    assert rounds[0][1] < rounds[1][1]
    assert rounds[1][2] > 0
