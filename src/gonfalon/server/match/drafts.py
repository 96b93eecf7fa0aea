"""Drafts: compound choices that are not complete. Only the player who makes a draft sees it, and it is not stored."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from gonfalon.engine.game import IllegalActionError, State
from gonfalon.server.match.state import MatchState, attempt
from gonfalon.server.protocol.refusals import Declined


class Draft(msgspec.Struct, frozen=True):
    """The actions of one player so far. `n`: number of the latest `Act` with such actions; `states`: the states after
    each of `actions`.
    """

    n: int = 0
    actions: tuple[int, ...] = ()
    states: tuple[State, ...] = ()

    def extend(self, n: int, actions: Sequence[int], states: Sequence[State]) -> Draft:
        """Return the draft with more actions at its end."""
        return Draft(n, (*self.actions, *actions), (*self.states, *states))


class Drafts:
    """The drafts of one match, by player."""

    def __init__(self, match_state: MatchState) -> None:
        self._match_state = match_state
        self._open: dict[int, Draft] = {}

    def __contains__(self, player: int) -> bool:
        return player in self._open

    def get(self, player: int) -> Draft | None:
        return self._open.get(player)

    def keep(self, player: int, draft: Draft) -> None:
        self._open[player] = draft

    def forget(self, player: int) -> bool:
        """Drop a player's draft. Return whether there was one."""
        return self._open.pop(player, None) is not None

    def clear(self) -> None:
        self._open.clear()

    def find_state(self, observer: int) -> State:
        """Return the state that an observer sees: for a player with a draft, the state after that draft."""
        draft = self._open.get(observer)
        return draft.states[-1] if draft else self._match_state.position

    def rebase(self) -> None:
        """Replay the drafts from the match's new state; drop each draft that is no longer legal."""
        game = self._match_state.game
        for player, draft in tuple(self._open.items()):
            with contextlib.suppress(Declined, IllegalActionError):
                states = attempt(game, self._match_state.position, player, draft.actions)
                if game.is_open(states[-1], player):
                    self._open[player] = Draft(draft.n, draft.actions, tuple(states))
                    continue
            del self._open[player]
