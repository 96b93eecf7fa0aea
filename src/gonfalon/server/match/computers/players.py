"""The computer players of one match: when each of them thinks, and how the match applies their answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec

from gonfalon.engine.game import Game, IllegalActionError, State
from gonfalon.server.clock.thinking import find_thinking_time
from gonfalon.server.match.computers.news import NewsFeed
from gonfalon.server.match.handlers import decisions
from gonfalon.server.match.match import Match
from gonfalon.server.match.state import attempt
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Answered
from gonfalon.server.workers.pool import AgentError, AgentPool, LoadError, OutdatedError, UnknownAgentError
from gonfalon.server.workers.requests import AgentRequest, News

log = logging.getLogger("gonfalon.thinking")
Answer = TypeVar("Answer")

Command = Callable[[], Awaitable[None]]
"""A command that the match task carries out."""
Queue = asyncio.Queue[Command | None]
"""Commands of a match task, in order; None ends the task."""


class Decision(msgspec.Struct, frozen=True):
    """A legal decision of a computer player, or a part of one. Without actions: the player has failed for good."""

    player: int
    actions: tuple[int, ...] = ()
    base: State | None = None
    """The state in which the player decided; `states` are the states after each action."""
    states: tuple[State, ...] = ()
    missing: bool = False
    """Without actions: the server has no such computer player."""

    def apply_to(self, game: Game, state: State) -> tuple[State, ...]:
        """Return the states after each action, starting from `state`; empty if the decision is no longer legal."""
        if state is self.base:
            return self.states
        try:
            return tuple(attempt(game, state, self.player, self.actions))
        except (Declined, IllegalActionError):
            return ()


class Situation(msgspec.Struct, frozen=True):
    """The match at the moment of a question. The answer is dropped if a move was taken back since."""

    request: AgentRequest
    end: int
    """Number of moves so far."""
    cuts: int
    """Number of take-backs so far."""
    begun: bool
    """Whether a part of the decision has already been made."""


class ComputerPlayers:
    """Asks the agents' processes. Their decisions go through the match's queue, like the actions of persons."""

    def __init__(self, match: Match, pool: AgentPool, queue: Queue) -> None:
        self._match = match
        self._pool = pool
        self._queue = queue
        self._seats = frozenset(player for player, seat in enumerate(match.state.header.seats) if seat.agent)
        self._feeds = {player: NewsFeed(match.state, player) for player in self._seats}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._spent = dict.fromkeys(self._seats, 0.0)
        """Maximum number of seconds that each player has thought since the match is in memory."""

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    def wake(self) -> None:
        """Let every computer player think that is due, idle and has not failed."""
        for player in self._seats.intersection(self._match.state.due):
            if player not in self._tasks and player not in self._match.presence.stuck:
                self._tasks[player] = asyncio.create_task(self._think(player))

    def stop(self) -> None:
        """Cancel all questions."""
        for task in self._tasks.values():
            task.cancel()

    async def _think(self, player: int) -> None:
        """Ask the player for the next answer (to a draw offer) or decision, and queue the command that applies it. The
        command does nothing if a move was taken back meanwhile.
        """
        situation = self._observe(player)
        request = situation.request
        command: Command | None = None
        try:
            if self._must_answer(player):
                command = partial(self._answer, player, await self._await(request, self._ask_offer(situation), False))
            else:
                command = partial(self._apply, await self._await(request, self._decide(situation), Decision(player)))
        except OutdatedError:
            pass  # `wake` asks the player again if it is due now
        except UnknownAgentError:
            log.warning("match %s waits: there is no computer player %s here now", request.match, request.agent)
            command = partial(self._apply, Decision(player, missing=True))

        async def finish() -> None:
            self._tasks.pop(player, None)
            if command is not None and self._is_current(situation):
                await command()

        self._queue.put_nowait(finish)

    def _observe(self, player: int) -> Situation:
        """Return the present situation, so that all parts of a question belong to one moment, however long it waits."""
        match_state = self._match.state
        header, game = match_state.header, match_state.game
        position = self._match.drafts.find_state(player)
        view = game.view(position, player)
        agent = header.seats[player].agent
        request = AgentRequest(header.id, header.rules, header.changed, agent, view)
        moves = match_state.moves
        return Situation(request, len(moves.steps), moves.cuts, game.is_open(position, player))

    def _is_current(self, situation: Situation) -> bool:
        return self._match.state.moves.cuts == situation.cuts

    async def _ask_offer(self, situation: Situation) -> bool:
        """Return whether the player accepts a draw. Raises `AgentError`, `OutdatedError`."""

        def ask(news: News) -> Awaitable[bool]:
            request = msgspec.structs.replace(situation.request, news=news)
            return self._pool.answer_offer(request, lambda: self._is_current(situation))

        return await self._feeds[situation.request.view.observer].ask(situation.end, ask)

    async def _decide(self, situation: Situation) -> Decision:
        """Return the player's decision; a failed attempt is repeated. Raises `AgentError`, `OutdatedError`."""
        request, tries = situation.request, self._match.config.agent_tries
        player = request.view.observer
        seconds = find_thinking_time(self._match.state.header.clock, self._spent[player])

        def ask(news: News) -> Awaitable[list[int]]:
            told = msgspec.structs.replace(request, news=news)
            return self._pool.decide(told, lambda: self._is_current(situation), begun=situation.begun, seconds=seconds)

        reasons: list[str] = []
        for _ in range(tries):
            try:
                actions = await self._feeds[player].ask(situation.end, ask)
            except UnknownAgentError:
                raise
            except LoadError as error:
                reasons.append(str(error))
                break
            except AgentError as error:
                reasons.append(str(error))
                continue
            self._spent[player] += min(seconds, self._match.config.agent_seconds)
            decision = self._check(player, actions)
            if isinstance(decision, Decision):
                return decision
            reasons.append(decision)
        # Attempts often fail alike: one line names each reason once.
        times = "once" if len(reasons) == 1 else f"{len(reasons)} times"
        raise AgentError(f"failed {times}: {'; '.join(dict.fromkeys(reasons))}")

    async def _await(self, request: AgentRequest, answer: Awaitable[Answer], otherwise: Answer) -> Answer:
        """Return the player's answer, or `otherwise` if the player cannot give one. Raises `OutdatedError`,
        `UnknownAgentError`.
        """
        try:
            return await answer
        except (OutdatedError, UnknownAgentError):
            raise
        except AgentError as error:
            log.error("match %s: computer player %s gives up: %s", request.match, request.agent, error)  # noqa: TRY400
        except Exception:
            log.exception("match %s: computer player %s cannot be asked", request.match, request.agent)
        return otherwise

    async def _apply(self, decision: Decision) -> None:
        """Apply a computer player's decision, or a part of one. Without actions: mark the player as failed."""
        match, player = self._match, decision.player
        if player not in match.state.due:
            return
        if decision.missing:
            match.presence.missing.add(player)
            match.tell_presence()
            return
        if self._must_answer(player):
            return  # a draw was offered while the player thought: answer the offer first, then decide again
        if not decision.actions:
            match.presence.failed.add(player)
            match.tell_presence()
        elif states := decision.apply_to(match.state.game, match.drafts.find_state(player)):
            await decisions.decide(match, player, 0, decision.actions, states)

    def _check(self, player: int, actions: list[int]) -> Decision | str:
        """Return an agent's answer as a decision if its actions are legal from the present state, or if the player is
        no longer due. Else return the reason.
        """
        match_state = self._match.state
        if player not in match_state.due:
            return Decision(player, tuple(actions))
        base = self._match.drafts.find_state(player)
        try:
            states = attempt(match_state.game, base, player, actions)
        except (Declined, IllegalActionError) as error:
            # Log only the code: a refusal's arguments may name a hidden piece.
            code = error.line.code if isinstance(error, Declined) else error.refusal.code
            return f"the answer is refused: {code}"
        return Decision(player, tuple(actions), base, tuple(states)) if actions else "the answer has no action"

    # ---- draw offers ------------------------------------------------------------------------------------------

    def _must_answer(self, player: int) -> bool:
        """Return whether a due player has a draw offer to answer. During deployment the player cannot judge the
        position yet.
        """
        match_state = self._match.state
        if not match_state.valid_offers.awaits(player):
            return False
        view = match_state.game.view(self._match.drafts.find_state(player), player)
        return not match_state.game.standing(view).deploys

    async def _answer(self, player: int, accepts: bool) -> None:
        if self._match.state.valid_offers.awaits(player):  # the offer may have lapsed
            await self._match.commit(Answered(player, accepts))
