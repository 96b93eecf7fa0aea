"""The user's own agents in an arena: files that define no agent, failures, and changed files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.terminal import fails, run
from gonfalon.ai.arena.entrants import EntrantError, check_entrant, name_entrant

SHORT = ("--game", "duel", "--games", "2", "--time", "50", "--set", "max_turns=40")
BOT = """
from helper import choose

class Bot:
    name = "bot"

    def act(self, game, question, rng):
        return choose(game, question, rng)
"""
HELPER = """
from gonfalon.ai.random import RandomAgent

def choose(game, question, rng):
    return RandomAgent().act(game, question, rng)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("text", "entrant", "fault"),
    [
        ("", "py:bot.py", "write py:FILE:NAME"),
        ("", "py::Bot", "write py:FILE:NAME"),
        ("", "py:nowhere.py:Bot", "no Python file 'nowhere.py'"),
        ("", "py:empty.py:Bot", "AttributeError"),
        ("import nothing_of_that_name", "py:missing.py:Bot", "ModuleNotFoundError: No module named 'nothing_of"),
        ("def make(): return 3", "py:number.py:make", "has no `act`"),
        ("def make(one): return one", "py:greedy.py:make", "TypeError"),
    ],
)
def test_what_makes_no_agent(text: str, entrant: str, fault: str) -> None:
    if "nowhere" not in entrant:
        Path(entrant.split(":")[1] or "bot.py").write_text(text, encoding="utf-8")
    with pytest.raises(EntrantError, match=fault):
        check_entrant(entrant)


def test_it_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no Python file 'bot.py'" in fails(capsys, "arena", "random", "py:bot.py:Bot", *SHORT)


def test_it_may_use_files_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bot.py").write_text(BOT, encoding="utf-8")
    Path("helper.py").write_text(HELPER, encoding="utf-8")
    assert name_entrant("py:bot.py:Bot") == "Bot"
    code, out, _ = run(capsys, "arena", "py:bot.py:Bot", "random", *SHORT)
    assert code == 0
    assert "of 2 matches" in out


def test_who_was_changed_plays_anew(capsys: pytest.CaptureFixture[str]) -> None:
    """Results of the file's earlier version do not count. If the named folder holds such results, an error says so."""
    folders = set()
    for text in ("class Bot(RandomAgent): pass", "class Bot(RandomAgent): changed = True"):
        Path("changing.py").write_text(f"from gonfalon.ai.random import RandomAgent\n{text}\n", encoding="utf-8")
        told = json.loads(run(capsys, "arena", "py:changing.py:Bot", "random", *SHORT, "--json")[1])
        folders.add(told["folder"])
    assert len(folders) == 2
    run(capsys, "arena", "py:changing.py:Bot", "random", *SHORT, "--folder", "kept")
    Path("changing.py").write_text("from gonfalon.ai.random import RandomAgent as Bot\n", encoding="utf-8")
    assert "was begun with files" in fails(capsys, "arena", "py:changing.py:Bot", "random", *SHORT, "--folder", "kept")


def test_one_that_fails_loses_and_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.py").write_text(
        BOT.replace("choose(game, question, rng)", "1 / 0").replace("from helper import choose", "")
    )
    code, out, _ = run(capsys, "arena", "random", "py:broken.py:Bot", *SHORT)
    assert code == 1
    assert "2 won, 0 drawn, 0 lost" in out
    assert "Bot FAILED: 2 raised; first raised: ZeroDivisionError" in out


@pytest.mark.parametrize(
    ("entrant", "fault"),
    [
        ("level-9:without=ambush", "the levels are 1 to 8"),
        ("greedy:without=ambush", "no level 'greedy'"),
        ("level-8:without=courage", "duel has no adjustment 'courage'; there are attacks-ahead,"),
    ],
)
def test_levels_without_unknown_adjustments_are_refused(
    capsys: pytest.CaptureFixture[str], entrant: str, fault: str
) -> None:
    assert fault in fails(capsys, "arena", entrant, "random", *SHORT)


def test_a_level_without_an_adjustment_plays(capsys: pytest.CaptureFixture[str]) -> None:
    assert name_entrant("level-4:without=still,race") == "level-4:without=still,race"
    _, told, _ = run(capsys, "arena", "level-4:without=still,race", "random", *SHORT)
    assert "level-4:without=still,race against random: " in told


def test_ablations_are_played_in_turn_and_not_twice(capsys: pytest.CaptureFixture[str]) -> None:
    short = ("--game", "duel", "--games", "2", "--time", "20", "--set", "max_turns=20", "--agent", "level-4")
    _, told, _ = run(capsys, "ablate", "still", "race", *short)
    assert told.count(" against level-4:without=") == 2
    rows = [line.split()[:2] for line in told.splitlines() if line.strip().startswith(("still", "race"))]
    assert rows == [["still", "2"], ["race", "2"]]
    folders = sorted(Path("gonfalon-arena").iterdir())
    assert len(folders) == 2
    before = [(folder / "matches.jsonl").read_text() for folder in folders]
    run(capsys, "ablate", "still", "race", *short)
    assert [(folder / "matches.jsonl").read_text() for folder in folders] == before


def test_ablations_of_what_is_not_there_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "there are attacks-ahead," in fails(capsys, "ablate", "courage", "--game", "duel")
    assert "no adjustments to switch off" in fails(capsys, "ablate", "--game", "cardgame")
    assert run(capsys, "ablate", "still", "--game", "duel", "--list")[1].startswith("still: In full armies")


def test_an_agent_that_does_not_know_the_game_is_refused_before_the_matches(capsys: pytest.CaptureFixture[str]) -> None:
    Path("helper.py").write_text(HELPER, encoding="utf-8")
    knowing = BOT + "\n    def plays(self, game):\n        return game.info.variant == 'duel' and not game.wrong\n"
    Path("knows.py").write_text(knowing.replace(" and not game.wrong", ""), encoding="utf-8")
    assert run(capsys, "arena", "py:knows.py:Bot", "random", *SHORT)[0] == 0
    told = fails(capsys, "arena", "py:knows.py:Bot", "random", "--game", "barrage", "--games", "2")
    assert "py:knows.py:Bot does not play barrage: its `plays` says so" in told
    Path("wrong.py").write_text(knowing, encoding="utf-8")
    assert "its `plays` failed: AttributeError" in fails(capsys, "arena", "py:wrong.py:Bot", "random", *SHORT)
