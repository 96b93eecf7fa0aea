"""Draw offers and the answers to them; when one is agreed and when it lapses, `engine.offers` and `sitting` say."""

from __future__ import annotations

from gonfalon.engine.offers import OfferError
from gonfalon.server import messages as m
from gonfalon.server.authority import Authority, Handler
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined
from gonfalon.server.entries import Answered, Offered

STEPS_BETWEEN = 20
"""Steps of the match between two offers of a player, so that nobody is pestered and the log does not grow by offers."""


async def offer_draw(match: Authority, connection: Connection, _message: m.OfferDraw) -> None:
    seat = match.require_seat(connection)
    match.require_running()
    try:
        match.sitting.valid_offers.offer(seat, match.sitting.started)
    except OfferError as error:
        raise Declined.by_game(error.refusal) from error
    last = match.sitting.offered.get(seat, -STEPS_BETWEEN)
    missing = last + STEPS_BETWEEN - match.sitting.seq
    if missing > 0:
        raise Declined("offered-lately", count=missing)
    await match.commit(Offered(seat))


async def answer_draw(match: Authority, connection: Connection, message: m.AnswerDraw) -> None:
    seat = match.require_seat(connection)
    match.require_running()
    try:
        match.sitting.valid_offers.answer(seat, message.accept)
    except OfferError as error:
        raise Declined.by_game(error.refusal) from error
    await match.commit(Answered(seat, message.accept))


HANDLERS: dict[type[m.Message], Handler] = {m.OfferDraw: offer_draw, m.AnswerDraw: answer_draw}
