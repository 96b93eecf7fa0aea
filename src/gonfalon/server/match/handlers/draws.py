"""Draw offers and their answers. `engine.offers` and `MatchState` decide when a draw is agreed and when an offer
lapses.
"""

from __future__ import annotations

from gonfalon.engine.offers import OfferError
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Answered, Offered

STEPS_BETWEEN = 20
"""Minimum number of steps between two offers of one player, so that offers neither annoy nor fill the log."""


async def offer_draw(match: Match, client: Client, _message: m.OfferDraw) -> None:
    seat = match.require_seat(client)
    match.require_running()
    try:
        match.state.valid_offers.offer(seat, match.state.started)
    except OfferError as error:
        raise Declined.by_game(error.refusal) from error
    last = match.state.offered.get(seat, -STEPS_BETWEEN)
    missing = last + STEPS_BETWEEN - match.state.seq
    if missing > 0:
        raise Declined("offered-lately", count=missing)
    await match.commit(Offered(seat))


async def answer_draw(match: Match, client: Client, message: m.AnswerDraw) -> None:
    seat = match.require_seat(client)
    match.require_running()
    try:
        match.state.valid_offers.answer(seat, message.accept)
    except OfferError as error:
        raise Declined.by_game(error.refusal) from error
    await match.commit(Answered(seat, message.accept))


HANDLERS: dict[type[m.Message], Handler] = {m.OfferDraw: offer_draw, m.AnswerDraw: answer_draw}
