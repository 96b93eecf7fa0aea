"""News for computer players: each gets its own events since the last question, and all of them after a restart."""

from __future__ import annotations

import asyncio

import numpy as np

import gonfalon
from gonfalon.ai import Agent, Question, agents
from gonfalon.engine.chance import draw
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, PUBLIC, Game
from gonfalon.server.match.computers.news import NewsFeed
from gonfalon.server.match.state import MatchState
from gonfalon.server.storage.entries import Header, Played, SeatHeader
from gonfalon.server.workers.agent_worker import AgentWorker, Answer
from gonfalon.server.workers.requests import AgentRequest, Job, News

HEARD: list[list[Event]] = []
"""Events that each agent received, in the order in which the agents were made."""


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


def sit(variant: str) -> MatchState:
    header = Header("m", variant, {}, (SeatHeader(agent="listener"), SeatHeader(agent="random")), 0, 0)
    return MatchState(header, gonfalon.make(variant))


def ask(thinking: AgentWorker, match_state: MatchState, player: int, news: News) -> Answer:
    view = match_state.game.view(match_state.position, player)
    request = AgentRequest("m", match_state.header.variant, {}, "listener", view, news)
    return thinking.answer(Job("act", request, 0.1))


def collect(news_feed: NewsFeed, match_state: MatchState, again: bool = False) -> News:
    return asyncio.run(news_feed.collect(match_state.seq, again=again))


def play(match_state: MatchState, rng: np.random.Generator) -> None:
    """Take a random step for a player who is due, or for chance."""
    game, (player, *_) = match_state.game, match_state.due
    if player == CHANCE:
        actions = [draw(game, match_state.position, rng)]
    else:
        actions = agents()["random"]().act(game, Question(game.view(match_state.position, player), (), 1), rng)
        state = match_state.position
        for action in actions:
            state = game.apply(state, player, action)
        while game.is_open(state, player):
            action = int(rng.choice(game.legal_actions(state, player)))
            state = game.apply(state, player, action)
            actions.append(action)
    match_state.apply(Played(player, tuple(actions)))


def all_events(match_state: MatchState, observer: int) -> list[Event]:
    """Return an observer's events of a match so far, computed anew."""
    game, state, found = match_state.game, match_state.game.initial_state(), list[Event]()
    for step in match_state.steps:
        for action in step.actions:
            state = game.apply(state, step.by, action)
            found += game.events(action, state, observer)
    return found


def test_news_come_once_and_are_the_seats_own() -> None:
    for variant in ("special", "cardgame", "conquest-two"):
        match_state, rng = sit(variant), np.random.default_rng(1)
        news_feed, heard = NewsFeed(match_state, 1), list[Event]()
        while match_state.seq < 70 and match_state.due:
            play(match_state, rng)
            if match_state.seq % 3 == 0:
                news = collect(news_feed, match_state)
                assert news.end == match_state.seq
                heard += news.events
                assert heard == all_events(match_state, 1)
                assert not collect(news_feed, match_state).events
        assert heard != all_events(match_state, PUBLIC)
        assert list(collect(news_feed, match_state, again=True).events) == all_events(match_state, 1)


def test_an_agent_that_did_not_hear_the_rest_asks_for_it() -> None:
    """After a crash there is a new agent; after a reload of the match the news start anew, and the agent too."""
    HEARD.clear()
    match_state, rng = sit("barrage"), np.random.default_rng(2)
    thinking, news_feed = AgentWorker(listeners), NewsFeed(match_state, 0)
    while match_state.seq < 8:
        if 0 in match_state.due:
            assert isinstance(ask(thinking, match_state, 0, collect(news_feed, match_state)), list)
        play(match_state, rng)
    assert len(HEARD) == 1
    restarted = AgentWorker(listeners)
    assert ask(restarted, match_state, 0, collect(news_feed, match_state)) is None
    assert isinstance(ask(restarted, match_state, 0, collect(news_feed, match_state, again=True)), list)
    assert HEARD[1] == all_events(match_state, 0)
    play(match_state, rng)
    play(match_state, rng)
    assert isinstance(ask(restarted, match_state, 0, collect(news_feed, match_state)), list)
    assert HEARD[1] == all_events(match_state, 0)
    assert isinstance(ask(restarted, match_state, 0, collect(NewsFeed(match_state, 0), match_state)), list)
    assert HEARD[2] == HEARD[1]
    assert len(HEARD) == 3


def test_an_agent_keeps_its_memory_while_a_choice_is_open() -> None:
    """An agent that is asked again before anything was stored is the same object."""
    HEARD.clear()
    match_state = sit("barrage")
    thinking = AgentWorker(listeners)
    for _ in range(2):
        ask(thinking, match_state, 0, News(0, 0, ()))
    assert len(HEARD) == 1
