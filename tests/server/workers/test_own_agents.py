"""Computer players of the operator's own: `gonfalon serve --agent NAME=py:FILE:NAME`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gonfalon
from cli.terminal import fails
from gonfalon.ai import Question
from gonfalon.engine.game import Game
from gonfalon.records import read_record
from gonfalon.server.workers.agent_worker import AgentWorker
from gonfalon.server.workers.requests import AgentRequest, Job
from server.harness import Client, running
from server.test_own_variants import play_on
from server.visitors import make_account, refused

AGENTS = """
import sys, time

from gonfalon.ai.agent import REHEARSAL as PRACTICE
from gonfalon.ai.random import RandomAgent


class Bot(RandomAgent):
    name = "bot"


class Small(Bot):
    '''Knows small boards with Bombs that stay.'''

    def plays(self, game):
        board = game.board()
        return board.layout == "grid" and len(board.spaces) <= 36 and not game.info.ruleset.values.get("one_time_bombs")


class Talking(Bot):
    def act(self, game, question, rng):
        print("I think", flush=True)
        sys.stdout.buffer.write(b"and write")
        if sys.stdin.read() or sys.__stdin__.read():
            raise ValueError("there is something to read")
        return super().act(game, question, rng)


class Raising(Bot):
    def act(self, game, question, rng):
        raise ValueError("the secret\\nof the Flag")


class Leaving(Bot):
    def act(self, game, question, rng):
        sys.exit("bye")


class Hanging(Bot):
    def act(self, game, question, rng):
        time.sleep(600)


class Late(Bot):
    def act(self, game, question, rng):
        if question.seconds > PRACTICE:
            raise ValueError("the secret of the Flag")
        return super().act(game, question, rng)


class Empty(Bot):
    def act(self, game, question, rng):
        return [] if question.seconds > PRACTICE else super().act(game, question, rng)


class Wordy(Bot):
    def act(self, game, question, rng):
        return "move"


class Wild(Bot):
    def act(self, game, question, rng):
        return [10**30] if question.seconds > PRACTICE else super().act(game, question, rng)


class Unsure(Bot):
    def plays(self, game):
        return game.nothing


class Proud(Bot):
    def plays(self, game):
        return False
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    found = tmp_path / "bot.py"
    found.write_text(AGENTS, encoding="utf-8")
    return found


def play_to_the_end(client: Client) -> None:
    play_on(client, random.Random(1))
    assert client.over


# ---- playing ---------------------------------------------------------------------------------------------------------


def test_a_match_is_played_to_its_end_replayed_and_recorded(tmp_path: Path, bot: Path) -> None:
    with running(tmp_path, agents=[f"My_Bot-1=py:{bot}:Bot"]) as server:
        cards = {card["name"]: card for card in server.get("/api/agents").json()}
        assert cards["My_Bot-1"]["own"]
        assert {"barrage", "conquest", "cardgame"} <= set(cards["My_Bot-1"]["variants"])
        assert cards["level-1"] == {"name": "level-1", "own": False, "variants": None}
        match = server.match(("me", "My_Bot-1"), variant="duel", max_turns=20)
        play_to_the_end(match.sit("red"))
        (_, seat) = match.info()["seats"]
        assert (seat["kind"], seat["name"], seat["failed"], seat["missing"]) == ("agent", "My_Bot-1", False, False)
        assert server.get(f"/api/matches/{match.id}/replay").json()["names"] == {"blue": "My_Bot-1"}
        assert read_record(server.get(f"/api/matches/{match.id}/record").text).names == {"blue": "My_Bot-1"}


def test_a_level_with_a_part_switched_off_can_play_too(tmp_path: Path) -> None:
    with running(tmp_path, agents=["open=level-4:without=ambush"]) as server:
        (card,) = [card for card in server.get("/api/agents").json() if card["own"]]
        assert "barrage" in card["variants"]
        assert "conquest" not in card["variants"], "Conquest has no such adjustment"
        match = server.match(("me", "open"), variant="barrage")
        assert play_on(match.sit("red"), random.Random(2), 3) == 3


def test_an_agent_that_prints_and_reads_disturbs_nothing(tmp_path: Path, bot: Path) -> None:
    with running(tmp_path, agents=[f"talking=py:{bot}:Talking"]) as server:
        match = server.match(("me", "talking"), variant="duel", max_turns=10)
        play_to_the_end(match.sit("red"))


def test_it_is_never_rated(tmp_path: Path, bot: Path) -> None:
    with running(tmp_path, agents=[f"bot=py:{bot}:Bot"]) as server:
        browser = server.browser()
        make_account(browser)
        seats = [{"kind": "me"}, {"kind": "agent", "agent": "bot"}]
        wish = {"variant": "duel", "seats": seats, "clock": {"kind": "bank", "bank": 300}}
        answer = browser.post("/api/matches", json={**wish, "rated": True})
        assert (answer.status_code, refused(answer)) == (400, "rated-needs-levels")
        assert browser.post("/api/matches", json=wish).status_code == 201, "with a clock, and casual, it plays"


def test_nobody_takes_its_name(tmp_path: Path, bot: Path) -> None:
    with running(tmp_path, agents=[f"ppo-6=py:{bot}:Bot"]) as server:
        assert refused(server.post("/api/names/check", {"name": "P.P.O. 6"})) == "name-of-agent"
        assert server.post("/api/names/check", {"name": "ppo-7"}).status_code == 200


# ---- games that it knows ---------------------------------------------------------------------------------------------


def test_an_agent_plays_only_the_games_that_it_knows(tmp_path: Path, bot: Path) -> None:
    with running(tmp_path, agents=[f"small=py:{bot}:Small"], variants="grid-6x6") as server:
        (card,) = [card for card in server.get("/api/agents").json() if card["own"]]
        assert card["variants"] == ["grid-6x6"]
        seats = [{"kind": "me"}, {"kind": "agent", "agent": "small"}]
        answer = server.post("/api/matches", {"variant": "barrage", "seats": seats})
        assert (answer.status_code, answer.json()["line"]) == (400, {"code": "no-agent", "args": {"agent": "small"}})
        match = server.match(("me", "small"), variant="grid-6x6", max_turns=30)
        play_to_the_end(match.sit("red"))
        wish = {"variant": "grid-6x6", "seats": seats, "switches": {"one_time_bombs": True}}
        assert refused(server.post("/api/matches", wish)) == "no-agent", "house rules make another game"


def test_a_shipped_game_that_is_not_listed_can_be_added(tmp_path: Path) -> None:
    with running(tmp_path, variants="grid-6x6") as server:
        cards = {card["variant"]: card for card in server.get("/api/games").json()}
        assert (cards["grid-6x6"]["heading"], cards["grid-6x6"]["own"]) == ("grid-6x6", True)
        assert "grid-3x3" not in cards
        assert len(server.get("/api/games/grid-6x6").json()["board"]["spaces"]) == 36
        assert server.get("/api/games/grid-3x3").status_code == 404
        browser = server.browser()
        make_account(browser)
        seats = [{"kind": "me"}, {"kind": "agent", "agent": "level-1"}]
        wish = {"variant": "grid-6x6", "seats": seats, "clock": {"kind": "bank", "bank": 300}, "rated": True}
        assert refused(browser.post("/api/matches", json=wish)) == "bad-rules"


# ---- failures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("maker", "reason"),
    [
        ("Raising", "ValueError: the secret of the Flag (bot.py, line "),
        ("Late", "failed 2 times: ValueError (bot.py, line "),
        ("Leaving", "SystemExit: bye (bot.py, line "),
        ("Hanging", "not ready within 20 s (TimeoutError)"),
        ("Empty", "the answer has no action"),
        ("Wordy", "TypeError: 'str' object cannot be interpreted as an integer"),
        ("Wild", "the answer is refused: unknown-action"),
    ],
)
def test_a_match_with_a_failing_agent_goes_on_as_with_any_other(
    tmp_path: Path, bot: Path, maker: str, reason: str
) -> None:
    log = tmp_path / "log"
    agents = [f"bad=py:{bot}:{maker}"]
    with running(tmp_path, log=log, agents=agents, agent_start=20, agent_budget=1, agent_tries=2) as server:
        other = server.match(("me", "random"), variant="duel")
        assert play_on(other.sit("red"), random.Random(1), 2) == 2
        match = server.match(("me", "bad"), variant="duel")
        red = match.sit("red")
        red.decide(random.Random(1))
        told = wait_for_seat(red, lambda seat: seat["failed"])
        assert not told["missing"]
        assert b"secret" not in b"".join(frame.encode() for frame in red.raw)
        lines = [line for line in log.read_text(encoding="utf-8").splitlines() if reason in line]
        assert len(lines) == 1
        assert f"match {match.id}: computer player bad gives up: " in lines[0]
        assert play_on(other.sit("red"), random.Random(1), 2) == 2, "other matches go on"
        red.send("end-match")
        red.until("ended")


class Telling:
    """An agent whose error says what it sees."""

    name = "telling"

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:  # noqa: ARG002
        raise ValueError(f"my pieces: {question.view.board.tolist()}")


def test_in_a_match_the_log_does_not_tell_what_an_error_says() -> None:
    """Before play it does: no match is known then, and the operator has to find the fault."""
    game = gonfalon.make("duel")
    worker = AgentWorker(lambda: {"telling": Telling})
    request = AgentRequest("match", "duel", {}, "telling", game.view(game.initial_state(), 0))
    place = re.escape(f"({Path(__file__).name}, line ")
    assert re.fullmatch(f"ValueError {place}[0-9]+\\)", str(worker.answer(Job("act", request, 0.1))))
    assert re.fullmatch(f"ValueError: my pieces: .*{place}[0-9]+\\)", str(worker.answer(Job("load", request))))


def wait_for_seat(client: Client, condition: Callable[[dict[str, object]], bool]) -> dict[str, object]:
    """Receive messages until the computer player's seat fulfils a condition; return the seat."""
    seats = client.welcome["match"]["seats"]
    while not condition(seats[1]):
        message = client.next()
        seats = message["match"]["seats"] if message["type"] == "presence" else seats
    found: dict[str, object] = seats[1]
    return found


def test_a_match_waits_for_an_agent_that_a_new_start_does_not_know(tmp_path: Path, bot: Path) -> None:
    with running(tmp_path, agents=[f"bot=py:{bot}:Bot"]) as server:
        matches = [server.match(("me", "bot"), variant="duel") for _ in range(2)]
        over = server.match(("me", "bot"), variant="duel", max_turns=2)
        play_to_the_end(over.sit("red"))
        for match in matches:
            play_on(match.sit("red"), random.Random(1), 2)
        server.let_go()
        server.kill()
        server.settings["agents"] = []
        server.start()
        for match, act in zip(matches, ("resign", "end-match"), strict=True):
            red = match.sit("red")
            if red.due:
                red.decide(random.Random(1))
            seat = wait_for_seat(red, lambda seat: bool(seat["missing"]))
            assert (seat["name"], seat["failed"]) == ("bot", False)
            red.send(act)
            red.until("ended")
        red = over.sit("red")
        red.send("offer-rematch")
        assert red.until("refused")["line"] == {"code": "no-agent", "args": {"agent": "bot"}}


# ---- the check at start ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("bot", "write NAME=py:FILE:NAME"),
        ("bot=", "write NAME=py:FILE:NAME"),
        ("b t=py:{bot}:Bot", "'b t': a name has letters, digits, - and _, at most 24"),
        ("level-9=py:{bot}:Bot", "'level-9' names another player on the page"),
        ("Random-Moves=py:{bot}:Bot", "'Random-Moves' names another player on the page"),
        ("link=py:{bot}:Bot", "'link' names another player on the page"),
        ("bot=py:nowhere.py:Bot", "bot: py:nowhere.py:Bot: there is no Python file 'nowhere.py'"),
        ("bot=py:{bot}:Boot", "Boot makes no agent: AttributeError: module"),
        ("bot=py:{bot}:Unsure", "bot: AttributeError: 'GridGame' object has no attribute 'nothing' (bot.py, line "),
        ("bot=py:{bot}:Proud", "Proud plays no game of this server: "),
        ("bot=cmd:python bot.py", "bot: programs (cmd:) play in arenas only"),
        ("bot=level-8:without=nothing", "plays no game of this server"),
        ("bot=randon", "no agent 'randon'"),
    ],
)
def test_a_bad_agent_is_refused_at_start(
    capsys: pytest.CaptureFixture[str], bot: Path, option: str, reason: str
) -> None:
    told = fails(capsys, "serve", "--port", "0", "--agent", option.format(bot=bot))
    assert "--agent: " in told
    assert reason in told


def test_a_name_is_given_once(capsys: pytest.CaptureFixture[str], bot: Path) -> None:
    told = fails(capsys, "serve", "--port", "0", "--agent", f"bot=py:{bot}:Bot", "--agent", f"Bot=py:{bot}:Small")
    assert "'Bot' is given twice" in told


def test_a_listed_game_cannot_be_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert "barrage is offered in any case" in fails(capsys, "serve", "--port", "0", "--variants", "barrage")
