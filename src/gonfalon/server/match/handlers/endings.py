"""Endings from outside the rules: a player resigns, stays away or calls the match off, or a computer player has failed
for good.
"""

from __future__ import annotations

from collections.abc import Collection

from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Abandoned, CalledOff, Claimed, Resigned

MOST_WOKEN = 20
"""Maximum number of times that failed computer players try again while a match is in memory: each try starts
processes.
"""


async def resign(match: Match, client: Client, _message: m.Resign) -> None:
    await match.commit(Resigned(match.require_player(client)))


async def claim_win(match: Match, client: Client, _message: m.ClaimWin) -> None:
    """Claim the win against all players who have been away for long enough. While the claimant has to decide something,
    such as a deployment of their own, the match does not wait for the absent players alone.
    """
    seat = match.require_player(client)
    absent = tuple(player for player in match.presence.find_absent() if player != seat)
    if not absent:
        raise Declined("nobody-away")
    if seat in match.state.due:
        raise Declined("act-first")
    await match.commit(Claimed(seat, absent))


async def call_off(match: Match, client: Client, _message: m.CallOff) -> None:
    """End a match of the lobby that has hardly begun. It counts as left early by the player."""
    player, match_state = match.require_player(client), match.state
    if not match_state.calling_off.is_live:
        raise Declined("not-live")
    if not match_state.may_call_off:
        raise Declined("decided-twice")
    await match.commit(CalledOff(player))


async def break_off(match: Match, client: Client, _message: m.EndMatch) -> None:
    """End a match without a result because a computer player no longer answers."""
    await match.commit(Abandoned(_require_failure(match, client, match.presence.stuck)))


async def wake_agents(match: Match, client: Client, _message: m.WakeAgents) -> None:
    """Let failed computer players try again: the cause of the failure may be gone."""
    _require_failure(match, client, match.presence.failed)
    if match.presence.woken >= MOST_WOKEN:
        raise Declined("too-often", most=MOST_WOKEN)
    match.presence.woken += 1
    match.presence.failed.clear()
    match.tell_presence()


def _require_failure(match: Match, client: Client, stuck: Collection[int]) -> int:
    """Return the player who sent the message. Raises `Declined` if no computer player is stuck."""
    player = match.require_player(client)
    if not stuck:
        raise Declined("agent-alive")
    return player


HANDLERS: dict[type[m.Message], Handler] = {
    m.Resign: resign,
    m.CallOff: call_off,
    m.ClaimWin: claim_win,
    m.EndMatch: break_off,
    m.WakeAgents: wake_agents,
}
