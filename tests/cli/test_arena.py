"""`gonfalon arena` and `gonfalon ladder`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gonfalon
from cli.terminal import fails, run
from gonfalon.cli.contests.arena import list_rungs

pytestmark = pytest.mark.usefixtures("elsewhere")

SHORT = ("--game", "duel", "--set", "max_turns=60", "--time", "50")


def test_an_arena_says_what_came_of_it_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(capsys, "arena", "greedy", "random", *SHORT, "--games", "3", "--plot", "shares.png")
    assert code == 0
    assert "greedy against random" in out
    assert "of 4 matches" in out  # an arena plays whole rounds
    assert (tmp_path / "shares.png").read_bytes().startswith(b"\x89PNG")
    (folder,) = (tmp_path / "gonfalon-arena").iterdir()
    records = sorted((folder / "records").iterdir())
    before = [record.read_bytes() for record in records]
    code, out, _ = run(capsys, "arena", "greedy", "random", *SHORT, "--games", "6", "--json")
    told = json.loads(out)
    assert told["pairings"][0]["matches"] == 6
    assert told["folder"] == str(folder.relative_to(tmp_path))
    assert [record.read_bytes() for record in records] == before
    assert run(capsys, "replay", str(records[0]))[0] == 0


def test_without_matplotlib_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command says so before it plays any match."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "gonfalon[plot]" in fails(capsys, "arena", "random", "random", *SHORT, "--plot", "shares.png")


def test_a_sequential_test_stops_it(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("arena", "greedy", "random", *SHORT, "--games", "400", "--sprt", "30", "70", "--json")
    (pairing,) = json.loads(run(capsys, *arguments)[1])["pairings"]
    assert pairing["verdict"]["taken"] == "H1"
    assert pairing["matches"] < 40
    again = json.loads(run(capsys, *arguments)[1])["pairings"][0]
    assert again == pairing


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("greedy", "nobody"), "no agent 'nobody'"),
        (("greedy",), "two agents"),
        (("greedy", "random", "--games", "0"), "--games: takes a whole number from 1"),
        (("greedy", "random", "--sprt", "60", "50"), "--sprt"),
        (("greedy", "random", "greedy", "--sprt", "50", "60"), "--sprt"),
        (("greedy", "random", "--plot", "shares.doc"), "--plot"),
        (("greedy", "random", "--time", "0"), "--time: takes a whole number from 1"),
        (("greedy", "random", "--seed", "-1"), "--seed: takes a whole number from 0"),
        (("greedy", "random", "--patience", "0"), "--patience: takes a number above 0"),
        (("greedy", "random", "--cores", "2", "--processor-time"), "processor time works with one core only"),
        (("greedy", "random", "--ray", "127.0.0.1:1"), "no cluster"),
        (("greedy", "random", "--set", "no=true"), "no"),
        (("greedy", "cmd:false", "--set", "rescue=true"), "rescue"),
        (("greedy", "cmd:/nowhere/absent"), "no program '/nowhere/absent' that can be started"),
        (("greedy", "random", "--plot", "nowhere/shares.svg"), "--plot: there is no folder 'nowhere'"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert fault in fails(capsys, "arena", *arguments, "--game", "duel")


def test_a_program_that_fails_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "arena", "random", "cmd:false --fast", "--game", "duel", "--games", "2")
    assert code == 1
    assert "false FAILED: 2 died; first died: " in out
    assert "2 won, 0 drawn, 0 lost" in out


def test_an_interrupted_arena_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends all processes of the arena. The same command then plays the missing matches and keeps the finished
    ones.
    """
    arguments = (
        "arena",
        "greedy",
        "greedy",
        "--game",
        "original",
        "--set",
        "max_turns=100",
        "--games",
        "8",
        "--folder",
        "kept",
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(gonfalon.__file__).parents[1])}
    process = subprocess.Popen(
        # A process in the background, for example in continuous integration, may ignore Ctrl-C from its start.
        ["env", "--default-signal=INT", sys.executable, "-m", "gonfalon", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    played = tmp_path / "kept" / "matches.jsonl"
    while process.poll() is None and (not played.exists() or not played.read_bytes().count(b"\n")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The same command goes on" in err
    first = played.read_bytes()
    assert 0 < first.count(b"\n") < 8
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert "of 8 matches" in out
    assert played.read_bytes().startswith(first)
    numbers = [json.loads(line)["number"] for line in played.read_text().splitlines()]
    assert sorted(numbers) == list(range(8))


def test_what_was_damaged_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("arena", "random", "random", *SHORT, "--games", "2", "--folder", str(tmp_path / "kept"))
    assert run(capsys, *arguments)[0] == 0
    rows = tmp_path / "kept" / "matches.jsonl"
    rows.write_bytes(rows.read_bytes() + b"garbage\n")
    assert f"{rows}, line 3: " in fails(capsys, *arguments)
    plan = tmp_path / "kept" / "plan.json"
    plan.write_text("{broken")
    assert f"{plan}: " in fails(capsys, *arguments)


@pytest.mark.parametrize("command", [["arena", "random", "cmd:false"], ["engine"]])
@pytest.mark.parametrize(("variant", "fault"), [("cardgame", "a board of squares"), ("special", "powers")])
def test_games_that_the_protocol_has_no_words_for(
    command: list[str], variant: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fault in fails(capsys, *command, "--game", variant)


def test_a_ladder_has_a_place_for_its_page_before_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    told = fails(capsys, "ladder", "random", "random", *SHORT, "--output", "nowhere/strength.md")
    assert "--output: there is no folder 'nowhere'" in told


def test_a_ladder_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "strength.md"
    for games in ("2", "4"):
        assert run(capsys, "ladder", "greedy", "random", *SHORT, "--games", games, "--output", str(page))[0] == 0
    run(capsys, "ladder", "random", "random", "--game", "barrage", "--games", "2", "--output", str(page))
    text = page.read_text()
    assert re.findall("^## .*$", text, re.MULTILINE) == [
        "## duel: greedy and random, 50 ms a decision",
        "## barrage: random and random#2, 100 ms a decision",
    ]
    assert text.count("| greedy - random |") == 1
    assert "max_turns=60" in text
    assert "Commit `" in text


def test_without_names_the_levels_meet_the_one_below() -> None:
    entrants, pairs = list_rungs()
    assert entrants == [*(f"level-{number}" for number in range(8, 0, -1)), "random", "greedy"]
    met = [(entrants[first], entrants[second]) for first, second in pairs]
    assert met[0] == ("level-8", "level-7")
    assert met[7] == ("level-1", "random")
    assert met[8:] == [("level-8", "greedy"), ("level-4", "greedy")]
