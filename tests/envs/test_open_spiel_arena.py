"""Bots of OpenSpiel in our arena: names, mistakes, matches, and what a bot gets to know."""

from __future__ import annotations

import importlib.util
import itertools
import os
from pathlib import Path

import numpy as np
import pytest

import gonfalon
from gonfalon.ai import Asker
from gonfalon.ai.agent import play_on
from gonfalon.ai.arena.entrants import EntrantError, check_entrant, make_agent, name_entrant

if not os.environ.get("CI"):  # the extra is in the lock, so that a run without it would test nothing
    pytest.importorskip("pyspiel", reason="needs the extra open-spiel")

from cli.terminal import fails, run
from gonfalon.envs.open_spiel import MatchState
from gonfalon.envs.open_spiel.agents import BOTS


@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_in_the_arena(
    bot: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entrant = f"open_spiel:{bot}"
    assert name_entrant(entrant) == entrant
    code, out, _ = run(capsys, "arena", entrant, "level-1", "--game", "tiny", "--games", "2", "--time", "20")
    assert code == 0
    assert f"{entrant} against level-1: " in out
    assert "of 2 matches" in out


@pytest.mark.parametrize("variant", ["duel", "special", "cardgame", "conquest"])
def test_bots_play_every_family(variant: str) -> None:
    rules = {"duel": {"max_turns": 20}, "special": {"max_turns": 10}, "conquest": {"max_rounds": 10}}.get(variant, {})
    game, rng = gonfalon.make(variant, **rules), np.random.default_rng(1)
    names = ["open_spiel:ismcts-estimate", *["open_spiel:uniform_random"] * (game.info.players - 1)]
    players = {player: make_agent(name) for player, name in enumerate(names)}
    steps = list(itertools.islice(play_on(game, Asker(game, players, seconds=0.001), rng), 300))
    assert len(steps) == 300 or game.outcome(steps[-1][-1]) is not None
    assert {player for _, player, _, _ in steps} >= set(players)


def test_a_bot_gets_only_what_its_player_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a bot has the true view of its player, no history, and another deployment of the opponent."""
    game, rng = gonfalon.make("duel"), np.random.default_rng(1)
    seen: list[tuple[MatchState, int]] = []
    bot = make_agent("open_spiel:uniform_random")
    choose = bot._bot.choose

    def watch(ours: object, state: MatchState, *rest: object) -> int:
        seen.append((state, state.current_player()))
        return choose(ours, state, *rest)

    monkeypatch.setattr(bot._bot, "choose", watch)
    players = {0: make_agent("random"), 1: bot}
    different = looked = 0
    for before, player, _, _ in play_on(game, Asker(game, players, seconds=0.1), rng):
        if player == 1 and seen:
            state, who = seen.pop(0)
            if not game.standing(game.view(before, 1)).started:
                continue
            assert who == 1
            assert state.history() == []
            assert game.view(state.position, 1).tobytes() == game.view(before, 1).tobytes()
            different += game.state_text(state.position) != game.state_text(before)
            looked += 1
        if looked == 20:
            break
    assert looked >= 10
    assert different > looked / 2


def test_mistakes_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = fails(capsys, "arena", "open_spiel:genius", "random", "--game", "tiny")
    assert "no bot 'genius' of OpenSpiel; there are ismcts, ismcts-estimate, uniform_random" in told
    assert "open_spiel:NAME" in fails(capsys, "arena", "genius", "random", "--game", "tiny")
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyspiel" else find_spec(name))
    with pytest.raises(EntrantError, match=r"needs OpenSpiel: pip install 'gonfalon\[open-spiel\]'"):
        check_entrant("open_spiel:ismcts")
