"""Analyses: the strongest computer player judges a side's decisions in a finished match, each with the knowledge that
the side had then. They run in the agents' processes, where play has priority.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence

import msgspec

from gonfalon.ai.levels import STRONGEST
from gonfalon.engine.game import Game, State
from gonfalon.engine.search import Option
from gonfalon.engine.view import View
from gonfalon.server.config import Config
from gonfalon.server.match.computers.hints import name_steps
from gonfalon.server.match.computers.news import NewsFeed
from gonfalon.server.match.moves import Step, play_step
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.bodies import Analysis, AnalysisNews, Judgement
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError
from gonfalon.server.workers.pool import AgentError, AgentPool
from gonfalon.server.workers.requests import AgentRequest, News

log = logging.getLogger("gonfalon.analysis")
LOOK = 0.5
"""Seconds between two reports of progress."""
_decoder = msgspec.json.Decoder(Analysis)


class _Making:
    """An analysis in progress or in the queue, and the addresses of the clients that wait for it."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.done = self.total = 0
        self.begun = False
        self.task: asyncio.Task[Analysis]


class _StoppedError(Exception):
    """No client waits for the analysis any more."""


class Analyses:
    """Makes one analysis at a time, with a short queue. Clients that want the same analysis share it; its place in the
    queue counts for the address that has waited for it longest. An analysis for which no client waits is stopped.
    """

    def __init__(self, config: Config, pool: AgentPool, store: Store) -> None:
        self._config = config
        self._pool = pool
        self._store = store
        self._turn = asyncio.Lock()
        self._making: dict[tuple[str, int], _Making] = {}
        self._tasks: set[asyncio.Task[Analysis]] = set()

    @property
    def queued(self) -> int:
        """Number of analyses in progress or waiting."""
        return len(self._making)

    async def follow(self, match_state: MatchState, side: str, address: str) -> AsyncIterator[AnalysisNews]:
        """Return reports of progress; the last one has the analysis, or the reason why there is none. `address`: the
        client's, as limits count it.

        Raises `Declined` before the first report: `no-seat`, `analysis-busy`.
        """
        sides = match_state.game.info.sides
        if side not in sides:
            raise Declined("no-seat", 404)
        kept = await self._store.load_analysis(match_state.header.id, side)
        if kept is not None:
            return _once(AnalysisNews(analysis=_decoder.decode(kept)))
        key = match_state.header.id, sides.index(side)
        if not self._has_place(key, address):
            raise Declined("analysis-busy", 503)
        return self._tell(match_state, key, address)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _has_place(self, key: tuple[str, int], address: str) -> bool:
        """Return whether an analysis is in the queue already or may join it."""
        taken = sum(making.waiting[:1] == [address] for making in self._making.values())
        full = len(self._making) >= self._config.analysis_queue or taken >= self._config.analysis_queue_of_address
        return key in self._making or not full

    def _begin(self, match_state: MatchState, key: tuple[str, int]) -> _Making:
        making = self._making[key] = _Making()
        making.task = asyncio.create_task(self._make(match_state, key[1], making))
        self._tasks.add(making.task)
        making.task.add_done_callback(self._forget)
        return making

    def _forget(self, task: asyncio.Task[Analysis]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # read the error of a stopped analysis, so that asyncio does not log it

    async def _tell(self, match_state: MatchState, key: tuple[str, int], address: str) -> AsyncIterator[AnalysisNews]:
        if not self._has_place(key, address):  # others have asked since `follow` found a place
            yield AnalysisNews(line=Declined("analysis-busy").line)
            return
        making = self._making.get(key) or self._begin(match_state, key)
        making.waiting.append(address)
        try:
            while not making.task.done():
                yield AnalysisNews(making.done, making.total)
                await asyncio.wait((making.task,), timeout=LOOK)
            yield _result(making.task)
        finally:
            making.waiting.remove(address)
            if not making.waiting:
                if self._making.get(key) is making:
                    del self._making[key]
                if not making.begun:  # a begun analysis stops by itself after its present decision
                    making.task.cancel()

    async def _make(self, match_state: MatchState, player: int, making: _Making) -> Analysis:
        async with self._turn:
            making.begun = True
            made = await self._judge_all(match_state, player, making)
        match, side = match_state.header.id, match_state.game.info.sides[player]
        with contextlib.suppress(StoreError):  # the match may have been deleted meanwhile
            await self._store.keep_analysis(match, side, msgspec.json.encode(made))
        return made

    async def _judge_all(self, match_state: MatchState, player: int, making: _Making) -> Analysis:
        steps, config = match_state.moves.steps, self._config
        wanted = match_state.own_decisions(player)
        chosen = spread(wanted, config.analysis_decisions)
        feed, until = NewsFeed(match_state, player), time.monotonic() + config.analysis_budget
        judged: list[Judgement] = []
        making.total = len(chosen)
        for number, state in _states_before(match_state, chosen):
            if not making.waiting:
                raise _StoppedError
            if time.monotonic() > until:
                break
            view = match_state.game.view(state, player)
            if not match_state.game.standing(view).deploys:
                options = await self._consider(match_state, view, feed, number)
                if len(options) > 1:
                    judged.append(judge(match_state.game, state, number, steps[number], options))
            making.done += 1
        left_out = len(wanted) - making.done
        return Analysis(match_state.game.info.sides[player], config.analysis_seconds, tuple(judged), left_out)

    async def _consider(self, match_state: MatchState, view: View, feed: NewsFeed, number: int) -> list[Option]:
        header = match_state.header
        name = f"{header.id} analysed"  # a name of its own, so that the agents that played the match are not used
        request = AgentRequest(name, header.rules, header.changed, STRONGEST, view)

        def ask(news: News) -> Awaitable[list[Option]]:
            told = msgspec.structs.replace(request, news=news)
            return self._pool.consider(told, self._config.analysis_seconds, patient=True)

        return await feed.ask(number, ask)


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """Return at most `most` of the numbers, evenly spaced."""
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[i * len(numbers) // most] for i in range(most)]


def judge(game: Game, state: State, number: int, step: Step, options: Sequence[Option]) -> Judgement:
    """Compare a decision with the best one. A decision that the search dropped early gets the value of the worst one
    kept.
    """
    best = options[0]
    found = [option for option in options if step.actions[: len(option.actions)] == option.actions]
    played = found[0] if found else min(options, key=lambda option: option.value)
    path, better = (name_steps(game, state, step.by, actions) for actions in (step.actions, best.actions))
    faces = {token.place: token.face for token in game.scene(game.view(state, step.by)).tokens}
    return Judgement(
        step=number,
        chance=min(played.chance, best.chance),
        best=best.chance,
        path=path,
        better=better,
        face=faces.get(next(iter(path), ""), ""),
        better_face=faces.get(next(iter(better), ""), ""),
        dropped=not found,
    )


def _states_before(match_state: MatchState, numbers: Sequence[int]) -> Iterator[tuple[int, State]]:
    """Yield the number of each chosen move and the state before it, in order."""
    state, wanted = match_state.game.initial_state(), set(numbers)
    for number, step in enumerate(match_state.moves.steps):
        if number in wanted:
            yield number, state
        state = play_step(match_state.game, state, step)[-1]


async def _once(news: AnalysisNews) -> AsyncIterator[AnalysisNews]:
    yield news


def _result(task: asyncio.Task[Analysis]) -> AnalysisNews:
    try:
        return AnalysisNews(analysis=task.result())
    except (AgentError, _StoppedError) as error:
        log.warning("an analysis was given up: %s", error)
        return AnalysisNews(line=Declined("analysis-failed").line)
    except Exception:
        log.exception("an analysis failed")
        return AnalysisNews(line=Declined("analysis-failed").line)
