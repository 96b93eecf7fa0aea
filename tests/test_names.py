"""The top of the package: short names for everything that a program needs, loaded only when used."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gonfalon
from gonfalon.engine import chance, game, view
from gonfalon.engine.learning import batch

VARIANTS = [names[0] for names in gonfalon.families(unlisted=True).values()]
"""A variant of each family."""

SOURCE = Path(gonfalon.__file__).parents[1]


def python(code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_dir_is_the_public_interface() -> None:
    assert dir(gonfalon) == sorted(gonfalon.__all__)
    for name in gonfalon.__all__:
        assert getattr(gonfalon, name) is not None


def test_short_names_are_those_of_the_modules() -> None:
    assert gonfalon.Batch is batch.Batch
    assert gonfalon.draw_all is chance.draw_all
    assert (gonfalon.CHANCE, gonfalon.PUBLIC, gonfalon.EVERYTHING) == (game.CHANCE, game.PUBLIC, game.EVERYTHING)
    assert "greedy" in gonfalon.agents()


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'gonfalon' has no attribute 'Bach'; did you mean 'Batch'"):
        _ = gonfalon.Bach  # type: ignore[attr-defined]


def test_importing_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'numba', 'gonfalon.ai', 'gonfalon.engine.game'} & set(sys.modules)"
    assert python(f"import sys, gonfalon; dir(gonfalon); print({heavy})") == "set()"
    assert python("from gonfalon import *; print(CHANCE, Batch.__name__, agents.__name__)") == "-1 Batch agents"


def test_environments_are_a_name_without_their_libraries() -> None:
    code = "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
    assert python(f"{code}import gonfalon; print(gonfalon.envs.__name__)") == "gonfalon.envs"


def test_a_record_is_written_read_and_played_again() -> None:
    made = gonfalon.make("duel", max_turns=40)
    rng, state, steps = np.random.default_rng(1), made.initial_state(), []
    while actors := made.to_act(state):
        action = int(rng.choice(made.view(state, actors[0]).legal))
        state = made.apply(state, actors[0], action)
        steps.append((actors[0], action))
    record = gonfalon.records.make_record(made, steps)
    read = gonfalon.records.read_record(record.write())
    again = gonfalon.records.make_game(read)
    assert again.info == made.info
    *_, last = gonfalon.records.play_record(again, read)
    assert again.state_text(last[3]) == made.state_text(state)


# ---- help -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_member_of_a_game_has_a_docstring(variant: str) -> None:
    kind = type(gonfalon.make(variant))
    members = [name for name in dir(kind) if not name.startswith("_")]
    assert {"apply", "view", "kernels", "search"} <= set(members)
    assert not [name for name in members if not inspect.getdoc(getattr(kind, name))]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_shows_its_interface_and_hardly_more(variant: str) -> None:
    kind = type(gonfalon.make(variant))
    shown = {name for name in dir(kind) if not name.startswith("_")}
    assert shown - set(dir(game.Game)) == {"form_type", "records"}


def test_every_member_of_a_view_has_a_docstring() -> None:
    members = [name for name in dir(view.View) if not name.startswith("_")]
    assert {"legal", "observer", "record", "tobytes"} <= set(members)
    assert not [name for name in members if not inspect.getdoc(getattr(view.View, name))]


@pytest.mark.parametrize("name", sorted(set(gonfalon.__all__) - {"__version__", "CHANCE", "PUBLIC", "EVERYTHING"}))
def test_every_name_of_the_package_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(getattr(gonfalon, name))
