"""The end of a player's time: before play the server decides for the player, in play the player loses."""

from __future__ import annotations

import asyncio

import numpy as np

from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.handlers.decisions import decide
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.match.state import attempt
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import OutOfTime


async def end_time(match: Match, player: int) -> None:
    """End the time of a player who is late."""
    took = match.timing.took(player)
    if match.state.started:
        match.drafts.forget(player)
        await match.commit(OutOfTime(player, took))
    else:
        await _decide_for(match, player, took)


async def _decide_for(match: Match, player: int, took: int) -> None:
    """Complete what a player has placed so far, or make the player's other choice before play, sensibly."""
    game, state = match.state.game, match.drafts.find_state(player)
    view = game.view(state, player)
    actions = (await asyncio.to_thread(game.sensible_deployment, view, np.random.default_rng())).tolist()
    await decide(match, player, 0, actions, attempt(game, state, player, actions), took)


async def move_curtain(match: Match, client: Client, message: m.Curtain) -> None:
    """Stop the clocks of a shared device, or let them go on."""
    seat, timing = match.require_seat(client), match.timing
    match.require_running()
    if not timing.shared or seat not in timing.sharers:
        raise Declined("not-shared")
    timing.set_curtain(message.down, client.arrived)
    match.tell_clocks()


HANDLERS: dict[type[m.Message], Handler] = {m.Curtain: move_curtain}
