"""What computer players are told: their own events since they were last asked, all of them after a restart."""

from __future__ import annotations

import asyncio

import numpy as np

import gonfalon
from gonfalon.ai import Agent, Question, agents
from gonfalon.engine.chance import draw
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, PUBLIC, Game
from gonfalon.server.agent_worker import Thinking
from gonfalon.server.entries import Header, Played, SeatHeader
from gonfalon.server.news import News, Newsagent
from gonfalon.server.sitting import Sitting

HEARD: list[list[Event]] = []
"""What each agent was told, by agent in the order in which they were made."""


class Listener:
    name = "listener"

    def __init__(self) -> None:
        HEARD.append([])
        self.heard = HEARD[-1]

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        self.heard += question.events
        return agents()["random"]().act(game, question, rng)


def listeners() -> dict[str, type[Agent]]:
    return {"listener": Listener}


def sit(variant: str) -> Sitting:
    header = Header("m", variant, {}, (SeatHeader(agent="listener"), SeatHeader(agent="random")), 0, 0)
    return Sitting(header, gonfalon.make(variant))


def ask(thinking: Thinking, sitting: Sitting, player: int, news: News) -> list[int] | str | None:
    view = sitting.game.view(sitting.state, player)
    return thinking.answer(("act", "m", sitting.header.variant, {}, "listener", player, view.record, news, 0.1))


def collect(newsagent: Newsagent, sitting: Sitting, again: bool = False) -> News:
    return asyncio.run(newsagent.collect(sitting.seq, again=again))


def play(sitting: Sitting, rng: np.random.Generator) -> None:
    """One step of anyone, at random."""
    game, (player, *_) = sitting.game, sitting.due
    if player == CHANCE:
        actions = [draw(game, sitting.state, rng)]
    else:
        actions = agents()["random"]().act(game, Question(game.view(sitting.state, player), (), 1), rng)
        state = sitting.state
        for action in actions:
            state = game.apply(state, player, action)
        while game.is_open(state, player):
            action = int(rng.choice(game.legal_actions(state, player)))
            state = game.apply(state, player, action)
            actions.append(action)
    sitting.apply(Played(player, tuple(actions)))


def all_events(sitting: Sitting, observer: int) -> list[Event]:
    """What an observer is told of a match so far, computed anew."""
    game, state, found = sitting.game, sitting.game.initial_state(), list[Event]()
    for step in sitting.steps:
        for action in step.actions:
            state = game.apply(state, step.by, action)
            found += game.events(action, state, observer)
    return found


def test_news_come_once_and_are_the_seats_own() -> None:
    for variant in ("special", "cardgame", "conquest-two"):
        sitting, rng = sit(variant), np.random.default_rng(1)
        newsagent, heard = Newsagent(sitting, 1), list[Event]()
        while sitting.seq < 70 and sitting.due:
            play(sitting, rng)
            if sitting.seq % 3 == 0:
                news = collect(newsagent, sitting)
                assert news.end == sitting.seq
                heard += news.events
                assert heard == all_events(sitting, 1)
                assert not collect(newsagent, sitting).events
        assert heard != all_events(sitting, PUBLIC)
        assert list(collect(newsagent, sitting, again=True).events) == all_events(sitting, 1)


def test_an_agent_that_did_not_hear_the_rest_asks_for_it() -> None:
    """After a crash there is a new agent; after a reload the news start anew, and so does the agent."""
    HEARD.clear()
    sitting, rng = sit("barrage"), np.random.default_rng(2)
    thinking, newsagent = Thinking(listeners), Newsagent(sitting, 0)
    while sitting.seq < 8:
        if 0 in sitting.due:
            assert isinstance(ask(thinking, sitting, 0, collect(newsagent, sitting)), list)
        play(sitting, rng)
    assert len(HEARD) == 1
    restarted = Thinking(listeners)
    assert ask(restarted, sitting, 0, collect(newsagent, sitting)) is None
    assert isinstance(ask(restarted, sitting, 0, collect(newsagent, sitting, again=True)), list)
    assert HEARD[1] == all_events(sitting, 0)
    play(sitting, rng)
    play(sitting, rng)
    assert isinstance(ask(restarted, sitting, 0, collect(newsagent, sitting)), list)
    assert HEARD[1] == all_events(sitting, 0)
    assert isinstance(ask(restarted, sitting, 0, collect(Newsagent(sitting, 0), sitting)), list)
    assert HEARD[2] == HEARD[1]
    assert len(HEARD) == 3


def test_an_agent_keeps_its_memory_while_a_choice_is_open() -> None:
    """Asked again before anything was stored, it is the same agent."""
    HEARD.clear()
    sitting = sit("barrage")
    thinking = Thinking(listeners)
    for _ in range(2):
        ask(thinking, sitting, 0, News(0, 0, ()))
    assert len(HEARD) == 1
