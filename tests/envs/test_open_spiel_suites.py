"""OpenSpiel's own tests and algorithms on our games: its simulation of games, a playthrough, CFR.

After a change of what they print, `python tests/envs/test_open_spiel_suites.py` writes the playthroughs anew.
"""

from __future__ import annotations

import hashlib
import os
import re
import unittest
from pathlib import Path

import pytest

import gonfalon

if not os.environ.get("CI"):  # the extra is in the lock, so that a run without it would test nothing
    pytest.importorskip("pyspiel", reason="needs the extra open-spiel")

import pyspiel
from open_spiel.python.algorithms import generate_playthrough

from gonfalon.envs import open_spiel
from gonfalon.envs.open_spiel import name_of

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
PLAYED = {"tiny": "gonfalon_tiny", "duel": "gonfalon_duel(max_turns=10)", "cardgame": "gonfalon_cardgame"}
PLAYED_STATES = 90
"""Number of states of a playthrough that are kept."""
LONGEST_LINE = 200
"""Longer lines of a playthrough are kept as a hash, and so are the rows of planes."""


def test_their_simulation_of_games() -> None:
    from open_spiel.python.tests import games_sim_test  # it lists the games when it is imported

    # Another test of this process may have registered variants of its own.
    shipped = {name_of(variant) for variant in gonfalon.variants(unlisted=True)}
    suite = unittest.TestSuite()
    for test in unittest.defaultTestLoader.loadTestsFromTestCase(games_sim_test.GamesSimTest):
        named = re.search(r"test_game_sim_(gonfalon_\w+)", str(test))
        if named and named[1] in shipped:
            suite.addTest(test)
    result = unittest.TestResult()
    suite.run(result)
    assert not result.errors + result.failures
    assert not result.skipped
    assert result.testsRun == len(shipped) == 15


def write_playthrough(name: str) -> str:
    text = generate_playthrough.playthrough(PLAYED[name], None, seed=1)
    lines: list[str] = []
    for line in text.split(f"\n# State {PLAYED_STATES}\n")[0].splitlines():
        digest = hashlib.blake2b(line.encode(), digest_size=8).hexdigest()
        if re.match(r"\s*[◯◉]", line):
            lines[-1] = (
                f"{lines[-1].partition(' #')[0]} #{hashlib.blake2b((lines[-1] + digest).encode()).hexdigest()[:16]}"
            )
        else:
            lines.append(line if len(line) <= LONGEST_LINE else f"{line[:40]}... #{digest}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", PLAYED)
def test_playthroughs(name: str) -> None:
    kept = (PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8")
    assert kept.count("# State") >= 6
    assert write_playthrough(name) == kept


def test_counterfactual_regret_minimization_learns_tiny() -> None:
    game = pyspiel.load_game(open_spiel.name_of("tiny"))
    solver = pyspiel.CFRSolver(game)
    before = pyspiel.exploitability(game, solver.average_policy())
    for _ in range(2):
        solver.evaluate_and_update_policy()
    assert 0 <= pyspiel.exploitability(game, solver.average_policy()) < before


if __name__ == "__main__":
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for each in PLAYED:
        (PLAYTHROUGHS / f"{each}.txt").write_text(write_playthrough(each), encoding="utf-8")
