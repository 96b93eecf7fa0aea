"""The command line: every command, mistakes in one line and status 2, and what is imported before it is needed."""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gonfalon
from gonfalon import games
from gonfalon.cli import main
from gonfalon.cli.drawing import picture
from gonfalon.cli.listing import parts, rules_of
from gonfalon.cli.words import say
from gonfalon.engine.chance import drawn
from gonfalon.engine.scene import Board, Group, Line, Region, Scene, Space, Tint, Token, Tray, TrayItem

VARIANTS = tuple(gonfalon.variants())
SOURCE = Path(gonfalon.__file__).parents[1]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as error:
        code = int(error.code or 0)
    told = capsys.readouterr()
    return code, told.out, told.err


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line a mistake gives."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    return err


# ---- help and listings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["--help"], ["play", "--help"], ["map", "--help"], ["games"], ["games", "--json"]]
)
def test_help_and_listings_import_nothing_heavy(arguments: list[str]) -> None:
    """Time is measured in what is imported: each of these takes longer than all the rest together."""
    script = (
        "import sys, atexit\n"
        "atexit.register(lambda: print({'numba', 'numpy', 'litestar', 'rich', 'sqlalchemy'} & set(sys.modules),"
        " file=sys.stderr))\n"
        f"from gonfalon.cli import main\nsys.exit(main({arguments!r}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True, timeout=60
    )
    assert done.stdout
    assert done.stderr.strip() == "set()"


def test_as_a_module() -> None:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-m", "gonfalon", "--version"], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == f"gonfalon {gonfalon.__version__}"


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games")
    assert code == 0
    assert all(f"  {variant} " in out for variant in VARIANTS)


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games", "--json")
    cards = json.loads(out)
    assert code == 0
    assert [card["variant"] for card in cards] == list(VARIANTS)
    assert all(card["title"] and card["switches"] for card in cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rules(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", variant)
    assert code == 0
    assert say(f"game.{variant}.title") in out
    assert "<!--" not in out


def test_rules_show_what_applies() -> None:
    page = "# A\nall\n## B\n<!-- variants: x y-2 -->\nsome\n### C\nbelow\n## D\n```\n# no heading\n```\nrest\n"
    assert "below" in rules_of(page, "x")
    assert "some" in rules_of(page, "y-2")
    assert rules_of(page, "z") == "# A\nall\n## D\n```\n# no heading\n```\nrest\n"


def test_boards_stand_as_they_are() -> None:
    assert parts("a\n```board\n  . ~\n```\nb\n") == [(False, "a\n"), (True, "  . ~\n"), (False, "\nb\n")]
    assert parts("```cards Both lines\nb?\n```\n") == [(False, ""), (True, "Both lines\nb?\n"), (False, "\n")]


# ---- mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules", "chess"], "no game 'chess'"),
        (["play", "chess"], "no game 'chess'"),
        (["play", "classic", "--agent", "genius"], "no computer player 'genius'"),
        (["play", "classic", "--side", "green"], "no side 'green'"),
        (["play", "classic", "--set", "rescue"], "NAME=VALUE"),
        (["play", "classic", "--set", "rescue=maybe"], "neither true, false nor"),
        (["play", "classic", "--set", "resque=true"], "no switch 'resque'"),
        (["play", "classic", "--set", "max_turns=0"], "max_turns must be from"),
        (["perft", "classic", "-1"], "whole number"),
        (["perft", "classic", "1", "--position", "nonsense"], "--position: "),
        (["perft", "chess", "1"], "no game 'chess'"),
        (["replay", "/nowhere/at-all"], "No such file"),
        (["warm", "chess"], "no game 'chess'"),
        (["map", "check", "nowhere.toml"], "no file 'nowhere.toml', and no map of that name"),
        (["map", "draw", "nowhere.toml"], "no file 'nowhere.toml', and no map of that name"),
        (["map", "draw", "narrows", "-o", "/nowhere/at-all.svg"], "No such file"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in fails(capsys, *arguments)


@pytest.mark.parametrize("arguments", [[], ["fly"], ["play"], ["perft", "classic", "deep"], ["bench", "page"], ["map"]])
def test_usage_mistakes(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "usage: gonfalon" in err


# ---- playing ------------------------------------------------------------------------------------------------------


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_the_end_of_input_ends_politely(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch)
    code, out, err = run(capsys, "play", "classic", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.endswith("You left the match.\n")


def test_ctrl_c_ends_politely(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    typed(monkeypatch)
    monkeypatch.setattr(sys.stdin, "readline", interrupt)
    code, out, _ = run(capsys, "play", "classic")
    assert code == 0
    assert "You left the match." in out


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_match_by_pipe(
    variant: str, side: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "match.txt"
    alone = gonfalon.make(variant).info.players == 2
    before = ["sensible"] * drafted(variant, side)
    typed(monkeypatch, "help", *before, "nonsense", "sensible", "help", "moves", "nonsense", "a1-a1", "board", "resign")
    options = ("--side", side, "--agent", "random", "--seed", "3", "--record", str(record), *short(variant))
    code, out, err = run(capsys, "play", variant, *options)
    assert (code, err) == (0, "")
    assert "Not a deployment" in out
    assert "That is not understood" in out
    assert ("You lose. Resigned." if alone else "You are out of the match.") in out
    assert "\nYou lose. " in out
    assert f"{side}: resigns" in record.read_text(encoding="utf-8")

    for eyes in (side, "public", "everything"):
        code, out, err = run(capsys, "replay", str(record), "--eyes", eyes)
        assert (code, err) == (0, "")
        assert not alone or "(resigned)" in out


def short(variant: str) -> list[str]:
    """Options that keep a match short."""
    limits = {"max_turns": 60, "max_rounds": 15}
    return [f"--set={s.name}={limits[s.name]}" for s in games.ruleset(variant).switches if s.name in limits]


def drafted(variant: str, side: str) -> int:
    """How often a side chooses something before it places its pieces."""
    game, rng, count = gonfalon.make(variant), np.random.default_rng(5), 0
    player = game.info.sides.index(side)
    state = drawn(game, game.initial_state(), rng)
    while game.scene(game.view(state, game.to_act(state)[0])).arrange is None:
        count += game.to_act(state)[0] == player
        actor = game.to_act(state)[0]
        state = drawn(game, game.apply(state, actor, int(game.legal_actions(state, actor)[0])), rng)
    return count


MOST_LINES = 4000
"""That a person types in a match."""


class Person:
    """Standard input that reads what was printed: arranges what is offered, otherwise plays some action that is listed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.rng = random.Random(3)
        self.out = ""
        self.lines = 0
        self.arranged = 0

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        """The end of input when a match will not end."""
        told = self.capsys.readouterr().out
        self.out += told
        self.lines += 1
        before_prompt = told.rpartition("\n")[0]
        if self.lines > MOST_LINES:
            return ""
        if "; to place: " in before_prompt.rpartition("\n")[2]:
            self.arranged += 1
            return "sensible\n"
        listed = re.split(r"\s{3,}", before_prompt.removeprefix("moves").strip()) if told.startswith("moves\n") else []
        return f"{self.rng.choice(listed)}\n" if listed else "moves\n"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_match_by_pipe(
    variant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """To its end, with whatever there is to arrange on the way; the record replays to the same end."""
    record = tmp_path / "match.txt"
    person = Person(capsys)
    monkeypatch.setattr(sys, "stdin", person)
    options = ("--agent", "random", "--seed", "3", "--record", str(record), *short(variant))
    code, out, err = run(capsys, "play", variant, *options)
    assert (code, err) == (0, "")
    assert re.search(r"^(You win|You lose|A draw)\. ", out, re.MULTILINE)
    assert not re.search("not understood|Not a deployment", person.out + out)
    text = record.read_text(encoding="utf-8")
    assert text.count("\nred: deploy ") == person.arranged
    assert person.arranged > (variant == "cardgame"), "there in every turn"
    result = text.partition("\nresult: ")[2].partition("\n")[0]
    code, out, err = run(capsys, "replay", str(record))
    assert (code, err) == (0, "")
    assert out.endswith(f"Result: {result}\n")


def test_hidden_ranks_stay_hidden(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "sensible")
    _, out, _ = run(capsys, "play", "classic", "--seed", "5")
    board = [line for line in out.splitlines() if line[:3].strip().isdigit()]
    assert sum(line.count("b?") for line in board) == 30
    assert not any(f"b{letter}" in line for line in board for letter in "123456789BFSMCG")


def test_moves_as_text_and_as_path(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "sensible", "moves")
    _, out, _ = run(capsys, "play", "classic", "--seed", "5")
    move = next(word for word in out.split("Your turn> moves\n")[1].split() if "-" in word)
    for line in (move, move.replace("-", " ")):
        typed(monkeypatch, "sensible", line)
        _, out, _ = run(capsys, "play", "classic", "--seed", "5", "--agent", "random")
        assert out.count("Your turn> ") == 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_help_gives_examples_that_can_be_typed(
    variant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, *beginning(variant), "help")
    begun = ("play", variant, "--seed", "5", "--agent", "random")
    _, out, _ = run(capsys, *begun)
    told = re.search(r"records \((.+?)\), or the places, cards and buttons of a choice \((.+?)\)\.", out)
    assert told
    for example in told.groups():
        typed(monkeypatch, *beginning(variant), example)
        _, out, _ = run(capsys, *begun)
        assert "not understood" not in out


def beginning(variant: str) -> list[str]:
    """What is typed until something else is asked than for an arrangement; in a draft at once."""
    game, rng = gonfalon.make(variant), np.random.default_rng(5)
    state, lines = drawn(game, game.initial_state(), rng), list[str]()
    while game.scene(game.view(state, 0)).arrange is not None:
        for player in game.to_act(state):
            for action in game.sensible_deployment(game.view(state, player), rng):
                state = game.apply(state, player, int(action))
        lines.append("sensible")
        state = drawn(game, state, rng)
    return lines


def test_a_map_is_a_list_of_territories() -> None:
    spaces = tuple(Space(f"kf{k}", f"kf{k}", (k, 0), zone="kf") for k in (1, 2, 3))
    spaces += tuple(Space(f"nh{k}", f"nh{k}", (k, 1), zone="nh") for k in (1, 2, 3))
    regions = (Region("kf", "Keyfort", (), (0, 0), 1, 0, tower=(1, 1)), Region("nh", "Northmoor", (), (0, 0), 1, 1))
    tokens = (
        Token("red1", "kf1", "red", "king", ("seen",)),
        Token("red2", "kf2", "red"),
        Token("blue1", "nh3", "blue"),
    )
    tints = (Tint("kf", "held.red"), Tint("nh", "contested"), Tint("kf1", "to"))
    trays = (Tray("pile", "", (TrayItem("p", "", 30),)), Tray("flags", "red", (TrayItem("f", "flag", 1, "blue"),)))
    group = Group("red", ("kf2", "reserve.red"), ("scout", "scout"), 3)
    board = Board("map", 9, 9, spaces, regions=regions)
    scene = Scene(tokens, trays, tints, (), Line("x"), (), 0, groups=(group,))
    assert picture(board, scene, {}).splitlines() == [
        "Keyfort*        red        kf1 King!          kf2 ?              kf3 -",
        "Northmoor       contested  nh1 -              nh2 -              nh3 blue ?",
        "pile: 30x?",
        "red flags: 1xflag of blue",
        "3 units (kf2, reserve of red), among them: Scout, Scout",
    ]


# ---- studying -----------------------------------------------------------------------------------------------------


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "perft", "classic", "1")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [["0", "1"], ["1", "12"]]


def test_replay_names_the_line_of_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "bad.txt"
    record.write_text("Gonfalon record 1\nvariant: classic\n\nred: d3-d4\n", encoding="utf-8")
    assert f"{record}: line 4: " in fails(capsys, "replay", str(record))


def test_replay_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "Gonfalon record 1", "variant: classic", "", "red: resigns")
    code, out, _ = run(capsys, "replay", "-")
    assert code == 0
    assert "Result: blue wins (resigned)" in out


def test_warm(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "warm", "barrage")
    assert code == 0
    assert out.startswith("barrage: ")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("matches", "no URL"),
        ("strange://someone:secret@host/name", "no URL"),
        ("postgresql+nothing://someone:secret@host/name", "no URL"),
        ("sqlite:////nowhere/at/all/secret.db", "unable to open"),
    ],
)
def test_a_database_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, url: str, reason: str
) -> None:
    """In one line, and without the address: it may hold a password."""
    monkeypatch.setattr("pathlib.Path.is_file", lambda _: True)  # the page is built
    told = fails(capsys, "serve", "--port", "0", "--database", url)
    assert reason in told
    assert "secret" not in told


# ---- commands that a family brings --------------------------------------------------------------------------------


MAPS = SOURCE / "gonfalon" / "games" / "conquest" / "data" / "maps"


def test_help_lists_what_families_bring(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    assert "\n    map  " in out


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("isle", "24 territories, 72 zones, 8 cities, 148 borders, 36 ridged borders"),
        ("narrows", "12 territories, 36 zones, 4 cities, 70 borders, 14 ridged borders"),
    ],
)
def test_map_check(name: str, fact: str, capsys: pytest.CaptureFixture[str]) -> None:
    for named in (name, str(MAPS / f"{name}.toml")):
        code, out, err = run(capsys, "map", "check", named)
        assert (code, err) == (0, "")
        assert out.endswith(f": {fact}\n")


def broken(folder: Path) -> Path:
    """The map for two with a wrong count, which can still be drawn."""
    path = folder / "broken.toml"
    text = (MAPS / "narrows.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("cities = 4", "cities = 5"), encoding="utf-8")
    return path


def test_map_check_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "map", "check", str(broken(tmp_path))) == (1, "broken.toml: cities: there are 4, not 5\n", "")


def test_map_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "map", "draw", "narrows") == (0, "narrows.svg\n", "")
    picture = (tmp_path / "narrows.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert run(capsys, "map", "draw", "narrows", "-o", "-") == (0, picture, "")


def test_map_draw_shows_a_map_with_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.svg"
    code, told, err = run(capsys, "map", "draw", str(broken(tmp_path)), "--output", str(out))
    assert (code, told, err) == (1, f"{out}\n", "broken.toml: cities: there are 4, not 5\n")
    assert out.read_text(encoding="utf-8").startswith("<svg ")


def test_map_draw_of_what_is_no_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.toml"
    path.write_text("title = 1\n", encoding="utf-8")
    code, out, err = run(capsys, "map", "draw", str(path))
    assert (code, out) == (1, "")
    assert "none.toml: key 'points' is missing" in err
