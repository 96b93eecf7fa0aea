"""The computer players of one match: who is thinking, and what becomes of the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec

from gonfalon.engine.game import Game, IllegalActionError, State
from gonfalon.server.match.computers.news import News, NewsFeed, OutdatedError
from gonfalon.server.match.handlers import decisions
from gonfalon.server.match.match import Match
from gonfalon.server.match.state import attempt
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Answered
from gonfalon.server.workers.pool import AgentError, AgentPool

log = logging.getLogger("gonfalon.thinking")
Answer = TypeVar("Answer")

Command = Callable[[], Awaitable[None]]
"""Something for a match's task to do."""
Queue = asyncio.Queue[Command | None]
"""What it will do, in this order; None: end."""


class Decision(msgspec.Struct, frozen=True):
    """A computer player's decision, or a part of one, as the rules have allowed it. Without actions: it has failed for
    good.
    """

    player: int
    actions: tuple[int, ...] = ()
    base: State | None = None
    """The state in which it was decided; `states` are those after each action."""
    states: tuple[State, ...] = ()

    def apply_to(self, game: Game, state: State) -> tuple[State, ...]:
        """The states after each action where the match stands at `state` now; none if it can no longer be done."""
        if state is self.base:
            return self.states
        try:
            return tuple(attempt(game, state, self.player, self.actions))
        except (Declined, IllegalActionError):
            return ()


class ComputerPlayers:
    """Asks the agents' processes; decisions go through the match's queue like everybody's actions."""

    def __init__(self, match: Match, agents: AgentPool, queue: Queue) -> None:
        self._match = match
        self._agents = agents
        self._queue = queue
        self._seats = frozenset(player for player, seat in enumerate(match.state.header.seats) if seat.agent)
        self._news_feeds = {player: NewsFeed(match.state, player) for player in self._seats}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    def wake(self) -> None:
        """Lets every computer player think who is due and not yet at it; not one that has failed for good."""
        for player in self._seats.intersection(self._match.state.due):
            if player not in self._tasks and player not in self._match.presence.failed:
                self._tasks[player] = asyncio.create_task(self._think(player))

    def stop(self) -> None:
        """Forgets all questions."""
        for task in self._tasks.values():
            task.cancel()

    async def _think(self, player: int) -> None:
        """What the player has to do next, to answer a draw offer or to decide, and then does, unless something was
        taken back meanwhile.
        """
        match_state = self._match.state
        header = match_state.header
        # All are of this moment, whenever the process has time for them.
        state, end, cuts = self._match.drafts.find_state(player), len(match_state.moves.steps), match_state.moves.cuts
        view, begun = match_state.game.view(state, player), match_state.game.is_open(state, player)
        do: Command | None = None

        def tell(again: bool) -> Awaitable[News]:
            if match_state.moves.cuts != cuts:
                raise OutdatedError
            return self._news_feeds[player].collect(end, again=again)

        asked = (header.id, header.variant, header.changed, header.seats[player].agent, player, view, tell)
        try:
            if self._must_answer(player):
                accepts = await self._ask(player, self._agents.answer_offer(*asked), False)
                do = partial(self._answer, player, accepts)
            else:
                decision = self._agents.decide(*asked, partial(self._check, player), begun=begun)
                do = partial(self._apply, await self._ask(player, decision, Decision(player)))
        except OutdatedError:
            pass  # it is asked again if it is due now

        async def finish() -> None:
            self._tasks.pop(player, None)
            if do is not None and match_state.moves.cuts == cuts:
                await do()

        self._queue.put_nowait(finish)

    async def _ask(self, player: int, question: Awaitable[Answer], otherwise: Answer) -> Answer:
        """What the agents' process answers for a player, or `otherwise`. Raises `OutdatedError`."""
        header = self._match.state.header
        match, agent = header.id, header.seats[player].agent
        try:
            return await question
        except OutdatedError:
            raise
        except AgentError as error:
            log.error("match %s: computer player %s gives up: %s", match, agent, error)  # noqa: TRY400 - expected
        except Exception:
            log.exception("match %s: computer player %s cannot be asked", match, agent)
        return otherwise

    async def _apply(self, decision: Decision) -> None:
        """A computer player's decision, or a part of one; without actions: it has failed for good."""
        match, player = self._match, decision.player
        if player not in match.state.due:
            return
        if self._must_answer(player):
            return  # a draw was offered while it thought: it answers first, and decides then
        if not decision.actions:
            match.presence.failed.add(player)
            match.tell_presence()
        elif states := decision.apply_to(match.state.game, match.drafts.find_state(player)):
            await decisions.decide(match, player, 0, decision.actions, states)

    def _check(self, player: int, actions: list[int]) -> Decision | None:
        """An agent's answer if it is a legal decision or the beginning of one, or if nobody waits for it any more."""
        match_state = self._match.state
        if player not in match_state.due:
            return Decision(player, tuple(actions))
        base = self._match.drafts.find_state(player)
        try:
            states = attempt(match_state.game, base, player, actions)
        except (Declined, IllegalActionError) as error:
            # Only the code: a refusal's arguments may name a piece.
            code = error.line.code if isinstance(error, Declined) else error.refusal.code
            log.warning("match %s: a computer player's answer is refused: %s", match_state.header.id, code)
            return None
        return Decision(player, tuple(actions), base, tuple(states)) if actions else None

    # ---- draw offers ------------------------------------------------------------------------------------------

    def _must_answer(self, player: int) -> bool:
        """Whether a draw is offered to a player who is due. While he arranges pieces nothing tells how he stands."""
        match_state = self._match.state
        if not match_state.valid_offers.awaits(player):
            return False
        return not match_state.game.standing(
            match_state.game.view(self._match.drafts.find_state(player), player)
        ).deploys

    async def _answer(self, player: int, accepts: bool) -> None:
        if self._match.state.valid_offers.awaits(player):  # it may have lapsed
            await self._match.commit(Answered(player, accepts))
