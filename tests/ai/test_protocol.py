"""Both sides of the line protocol: our agents as programs, and programs as our agents."""

from __future__ import annotations

import io
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import gonfalon
from ai import programs
from gonfalon.ai import Asker, Question, agents
from gonfalon.ai.agent import Agent, play_on
from gonfalon.ai.arena.matches import Pace, play
from gonfalon.ai.protocol import EVALUATOR, ProtocolError
from gonfalon.ai.protocol.player import Player, play_lines
from gonfalon.ai.protocol.program import Program, ProgramError
from gonfalon.ai.protocol.table import STEPS, Move, Table
from gonfalon.ai.protocol.world import assign
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, State

BOARDS = ("original", "barrage", "classic", "duel")
"""Both board sizes, with three deployment rows and with four, full ones and ones with empty squares."""


class Scripted:
    """An agent that plays the given actions and stores its questions."""

    name = "scripted"

    def __init__(self) -> None:
        self.next: list[int] = []
        self.asked: list[Question] = []
        self.heard: list[Event] = []

    def act(self, _game: Game, question: Question, _rng: np.random.Generator) -> list[int]:
        self.asked.append(question)
        self.heard += question.events
        return self.next


def game_of(variant: str) -> Game:
    return gonfalon.make(variant, **EVALUATOR)


def play_random(game: Game, seed: int) -> Iterator[tuple[State, int, int, State]]:
    players = {player: agents()["random"]() for player in (0, 1)}
    return play_on(game, Asker(game, players, 1), np.random.default_rng(seed))


@pytest.mark.parametrize("variant", BOARDS)
def test_a_program_sees_what_it_would_see_at_our_table(variant: str) -> None:
    """From the protocol's lines alone, which never name enemy pieces, a program gets the same views and events as an
    agent of ours.
    """
    game = game_of(variant)
    table, moves = Table(game), 0
    for seed in range(6):
        steps = list(play_random(game, seed))
        for me in (0, 1):
            agent = Scripted()
            player, told = Player(game, agent, 1, np.random.default_rng(0), _greet(table, me)), list[Event]()
            agent.next = [action for _, by, action, _ in steps[: _count_placements(game, steps)] if by == me]
            assert table.read_deployment(game.view(game.initial_state(), me), player.deploy()) == agent.next
            for before, by, action, after in steps:
                if game.standing(game.view(before, me)).started:
                    view = game.view(before, by)
                    if by == me:
                        agent.next = [action]
                        answers = [each for row in table.draw(view) for each in player.hear(row)]
                        assert answers == [table.word_action(view, action)]
                        assert agent.asked[-1].view.tobytes() == view.tobytes()
                        assert agent.heard == told
                        moves += 1
                    for relay in table.word_relays(game.events(action, after, me)):
                        assert not player.hear(relay)
                told += game.events(action, after, me)
    assert moves > 200


def _greet(table: Table, player: int) -> str:
    return f"{('RED', 'BLUE')[player]} somebody else {table.width} {table.height}"


def _count_placements(game: Game, steps: list[tuple[State, int, int, State]]) -> int:
    return sum(not game.standing(game.view(before, 0)).started for before, _, _, _ in steps)


def test_the_example_of_the_protocol() -> None:
    """The referee may set up the pieces itself: RED must read its own pieces from the board, not from the deployment it
    sent.
    """
    game = game_of("original")
    agent, table = Scripted(), Table(game)
    deployed = table.read_deployment(game.view(game.initial_state(), 0), programs.ORIGINAL.split("/"))
    agent.next = [int(a) for a in game.random_deployment(game.view(game.initial_state(), 0), np.random.default_rng(1))]
    player = Player(game, agent, 1, np.random.default_rng(0), "RED blue_name 10 10")
    assert table.read_deployment(game.view(game.initial_state(), 0), player.deploy()) == agent.next
    water = ["..++..++.."] * 2
    assert player.hear("START") == []
    state = game.initial_state()
    for by, actions in enumerate([deployed, game.random_deployment(game.view(state, 1), np.random.default_rng(2))]):
        for action in actions:
            state = game.apply(state, by, int(action))
    chosen = table.find(game.view(state, 0), *_spaces(table, "9 3 DOWN"))
    assert chosen is not None
    agent.next = [chosen]
    rows = [*programs.ORIGINAL.split("/"), *water, *["#" * 10] * 4]
    assert [answer for row in rows for answer in player.hear(row)] == ["9 3 DOWN"]
    assert player.hear("9 3 DOWN OK") == []
    assert player.hear("4 6 UP 3 DIES 9 6") == []
    assert table.read_relay("4 6 UP 3 DIES 9 6").faces == ("scout", "lieutenant")


def _spaces(table: Table, line: str) -> tuple[str, str]:
    move = table.read_move(line)
    return move.begin, move.end


@pytest.mark.parametrize("variant", BOARDS)
def test_our_programs_play_each_other(variant: str) -> None:
    """`gonfalon engine` plays both sides of our referee: every line is understood, every move is legal."""
    game = game_of(variant)
    line = shlex.join([sys.executable, "-m", "gonfalon", "engine", "--agent", "random", "--game", variant])
    players = {player: Program(f"{line} --seed {player + 1}", 60) for player in (0, 1)}
    try:
        steps = list(play_on(game, Asker(game, players, 1), np.random.default_rng(0)))
    finally:
        for program in players.values():
            program.close()
    assert game.outcome(steps[-1][3]) is not None


def test_a_foreign_program_plays() -> None:
    game = game_of("original")
    players = {0: Program(programs.PLAYS, 60), 1: agents()["random"]()}
    seen = 0
    try:
        for _, player, _, _ in play_on(game, Asker(game, players, 1), np.random.default_rng(0)):
            seen += player == 0
            if seen > 60:
                break
    finally:
        players[0].close()  # type: ignore[attr-defined]
    assert seen > 60


class Patient:
    """An agent that moves only after its opponent, a program, has received the relay of its own last move."""

    name = "patient"

    def __init__(self, written: Path) -> None:
        self._agent = agents()["random"]()
        self._written = written
        self._turns = 0

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        if game.standing(question.view).started:
            self._turns += 1
            until = time.monotonic() + 60
            while len(list_relays(self._written)) < 2 * self._turns - 1:
                assert time.monotonic() < until, "the program is not told of its own move"
                time.sleep(0.01)
        return self._agent.act(game, question, rng)


def list_relays(written: Path) -> list[str]:
    return [line for line in written.read_text().splitlines() if set(line.split()) & set(STEPS)]


def test_a_program_is_told_of_every_move_at_once(tmp_path: Path) -> None:
    """A program is sent its own moves before the other side moves, and the last move before `QUIT`."""
    game, written = gonfalon.make("original", **dict(EVALUATOR, max_turns=6)), tmp_path / "told.txt"
    players: dict[int, Agent] = {0: Program(programs.write_down(str(written)), 60), 1: Patient(written)}
    played = play(game, players, Pace(1), (1,))
    assert not played.failed
    lines = written.read_text().splitlines()
    assert len(list_relays(written)) == 6
    assert lines[-2:] == [list_relays(written)[-1], "QUIT"]


@pytest.mark.parametrize("fault", programs.FAILING)
def test_a_program_that_fails_is_told_by_a_word(fault: str) -> None:
    game = game_of("original")
    program = Program(programs.FAILING[fault], 1.0)
    players = {0: agents()["random"](), 1: program}
    try:
        with pytest.raises(ProgramError) as told:
            list(play_on(game, Asker(game, players, 1), np.random.default_rng(0)))
    finally:
        program.close()
    assert told.value.reason == fault.split(",", maxsplit=1)[0].split(maxsplit=1)[0]


def test_the_start_of_a_program_is_no_decision() -> None:
    """A program deploys before its first question; if it could not, its first answer raises the error."""
    game = game_of("original")
    program, absent = Program(programs.PLAYS, 60), Program(programs.ABSENT, 60)
    try:
        program.begin(game, 0)
        assert program._deployed == programs.ORIGINAL.split("/")
        absent.begin(game, 1)
        with pytest.raises(ProgramError, match="died"):
            absent.act(game, Question(game.view(game.initial_state(), 1), (), 1), np.random.default_rng(0))
    finally:
        program.close()
        absent.close()


def test_a_program_that_does_not_end_is_ended() -> None:
    game = game_of("original")
    program = Program(programs.SILENT, 0.5)
    with pytest.raises(ProgramError):
        list(play_on(game, Asker(game, {0: program, 1: program}, 1), np.random.default_rng(0)))
    process = program._process
    assert process is not None
    program.close()
    assert process.poll() is not None
    program.close()


def test_lines_until_quit() -> None:
    told: list[str] = []
    lines = ["", "BLUE red 10 8", "QUIT", "1 2 UP OK"]
    play_lines(game_of("classic"), agents()["greedy"](), 1, np.random.default_rng(1), lines, told.append)
    assert [len(line) for line in told] == [10] * 4
    assert told[0] == "." * 10


def test_an_agent_is_told_on_how_many_cores_it_may_think() -> None:
    asked = list[int]()

    class Thinker:
        name = "thinker"

        def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
            asked.append(question.cores)
            return agents()["random"]().act(game, question, rng)

    lines = ["RED blue 10 8", "QUIT"]
    play_lines(game_of("classic"), Thinker(), 1, np.random.default_rng(1), lines, lambda _: None, cores=2)
    assert asked == [2]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["GREEN red 10 8"], "the first line"),
        (["RED"], "the first line"),
        (["RED blue 10 10"], "played on 10 by 8"),
        (["BLUE red 10 8", "hello"], "not a relay"),
        (["BLUE red 10 8", "0 9 UP OK"], "beyond the edge"),
        (["BLUE red 10 8", "0 0 DOWN KILLS x y"], "not a relay"),
        (["RED blue 10 8", "START", *["." * 10] * 8], "too many of empty squares"),
    ],
)
def test_what_a_referee_may_not_say(lines: list[str], fault: str) -> None:
    with pytest.raises(ProtocolError, match=fault):
        play_lines(game_of("classic"), agents()["random"](), 1, np.random.default_rng(1), lines, lambda _: None)


@pytest.mark.parametrize("variant", ["special", "cardgame", "conquest-two"])
def test_other_games_are_refused(variant: str) -> None:
    with pytest.raises(ProtocolError, match="is not played by the protocol"):
        Table(gonfalon.make(variant))


def test_house_rules_without_words_are_refused() -> None:
    with pytest.raises(ProtocolError, match="rescue"):
        Table(gonfalon.make("original", rescue=True))


def test_points_are_turned() -> None:
    """RED's back row is the top row of the board, so its pieces move downwards."""
    table = Table(game_of("original"))
    assert table.word("a1", "a4") == "9 0 DOWN 3"
    assert table.word("j10", "i10") == "0 9 RIGHT"
    assert table.read_move("0 9 UP 2") == Move("j10", "j8")
    assert table.read_relay("0 9 UP 2 KILLS 9 s") == Move("j10", "j8", faces=("scout", "spy"))
    assert not table.read_relay("0 9 UP ILLEGAL").legal


def test_faces_are_found_wherever_some_fit() -> None:
    army = {"flag": 1, "bomb": 2, "scout": 1}
    every = frozenset(army)
    fits = {"a": every, "b": every, "c": frozenset({"bomb", "flag"}), "d": frozenset({"flag"})}
    found = assign(fits, army)
    assert all(face in fits[space] for space, face in found.items())
    assert sorted(found.values()) == ["bomb", "bomb", "flag", "scout"]
    with pytest.raises(ProtocolError, match="fit no possible army"):
        assign({"a": frozenset({"flag"}), "b": frozenset({"flag"})}, army)


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from gonfalon.cli import main

    monkeypatch.setattr(sys, "stdin", io.StringIO("RED blue 10 10\nQUIT\n"))
    assert main(["engine", "--agent", "greedy", "--game", "barrage", "--time", "50"]) == 0
    out = capsys.readouterr().out.split()
    assert [len(line) for line in out] == [10] * 4
    assert sorted("".join(out).replace(".", "")) == sorted("12899sBF")
    monkeypatch.setattr(sys, "stdin", io.StringIO("nonsense\n"))
    assert main(["engine", "--game", "barrage"]) == 2
    assert main(["engine", "--game", "cardgame"]) == 2
    assert main(["engine", "--game", "barrage", "--agent", "nobody"]) == 2
    assert "the first line" in capsys.readouterr().err
