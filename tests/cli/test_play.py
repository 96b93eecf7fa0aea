"""Matches in the terminal."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import gonfalon
from cli.terminal import run, typed
from deploying import deploy_all
from gonfalon import games
from gonfalon.cli.language.words import Words
from gonfalon.cli.terminal.drawing import draw_scene
from gonfalon.engine.chance import draw_all
from gonfalon.engine.screens.scene import Board, Group, Line, Region, Scene, Space, Tint, Token, Tray, TrayItem

VARIANTS = tuple(gonfalon.variants())


def test_the_end_of_input_ends_politely(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch)
    code, out, err = run(capsys, "play", "classic", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.endswith("You left the match.\n")


def test_who_chooses_next_and_how_all_stand_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, *["sensible"] * drafted("conquest-two", "red"), "sensible")
    _, out, _ = run(capsys, "play", "conquest-two", "--agent", "random", "--seed", "3")
    assert "Next to choose: " in out
    before, _, play = out.partition("All units are placed.")
    assert "territories" not in before
    for side in ("Red", "Blue"):
        assert re.search(rf"^{side}: territories \d+, cards \d+, .*; Flags: {side}", play, re.MULTILINE)


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
    assert "Not understood" in out
    assert ("You lose. You resigned." if alone else "You are out of the match.") in out
    assert "\nYou lose. " in out
    assert f"{side}: resigns" in record.read_text(encoding="utf-8")

    for eyes in (side, "public", "everything"):
        code, out, err = run(capsys, "replay", str(record), "--eyes", eyes)
        assert (code, err) == (0, "")
        assert not alone or "(resigned)" in out


def short(variant: str) -> list[str]:
    """Return options that keep a match short."""
    limits = {"max_turns": 60, "max_rounds": 15}
    return [f"--set={s.name}={limits[s.name]}" for s in games.ruleset(variant).switches if s.name in limits]


def drafted(variant: str, side: str) -> int:
    """Return the number of choices that a side makes before it places its pieces."""
    game, rng, count = gonfalon.make(variant), np.random.default_rng(5), 0
    player = game.info.sides.index(side)
    state = draw_all(game, game.initial_state(), rng)
    while game.scene(game.view(state, game.to_act(state)[0])).arrange is None:
        count += game.to_act(state)[0] == player
        actor = game.to_act(state)[0]
        state = draw_all(game, game.apply(state, actor, int(game.legal_actions(state, actor)[0])), rng)
    return count


MOST_LINES = 4000
"""Maximum number of lines that a person types in a match."""


class Person:
    """Standard input of a person who reads the output: places offered pieces, otherwise plays one of the listed
    actions.
    """

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.rng = random.Random(3)
        self.out = ""
        self.lines = 0
        self.arranged = 0

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        """Return the next line; "" ends the input if the match takes too many lines."""
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
    """The match is played to its end, with all arrangements. Its record replays to the same end."""
    record = tmp_path / "match.txt"
    person = Person(capsys)
    monkeypatch.setattr(sys, "stdin", person)
    options = ("--agent", "random", "--seed", "3", "--record", str(record), *short(variant))
    code, out, err = run(capsys, "play", variant, *options)
    assert (code, err) == (0, "")
    assert re.search(r"^(You win|You lose|A draw)\. ", out, re.MULTILINE)
    assert not re.search("Not understood|Not a deployment", person.out + out)
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
        assert "Not understood" not in out


def beginning(variant: str) -> list[str]:
    """Return the lines to type until the first question that is not about an arrangement."""
    game, rng = gonfalon.make(variant), np.random.default_rng(5)
    state, lines = draw_all(game, game.initial_state(), rng), list[str]()
    while game.scene(game.view(state, 0)).arrange is not None:
        state = deploy_all(game, state, rng)
        lines.append("sensible")
        state = draw_all(game, state, rng)
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
    assert draw_scene(board, scene, {}, Words(board=board)).splitlines() == [
        "Keyfort*        Red        kf1 King!          kf2 ?              kf3 -",
        "Northmoor       contested  nh1 -              nh2 -              nh3 Blue ?",
        "Pile: 30x?",
        "Red, Flags: 1xFlag of Blue",
        "3 units (kf2, reserve of Red), among them: Scout, Scout",
    ]


def test_of_who_fights_the_rank_is_told_too() -> None:
    told = {"side": "red", "other": "blue", "attacker_face": "knight", "defender_face": "cursed-land"}
    assert Words(family="conquest").say("event.battle-won", told) == "Knight (5) of Red takes Cursed Land of Blue."
    told = {"attacker_face": "scout", "defender_face": "marshal", "space": "b6"}
    assert Words(family="grid").say("event.battle-lost", told) == "Scout (2) falls to Marshal (10) on b6."


def test_hints_are_told_once_each(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "sensible", "moves", "quit")
    _, out, _ = run(capsys, "play", "duel", "--agent", "random", "--seed", "3")
    assert out.count("Choose a piece, then a square of your rows") == 1
    assert out.count("Choose a piece of yours, then where it goes") == 1
