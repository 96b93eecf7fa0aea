"""Rows of the seats that persons own, and of the results of their matches, written with the facts of a match."""

from __future__ import annotations

import time

import sqlalchemy as sa

from gonfalon.engine.game import Outcome
from gonfalon.server.match.public import NO_RESULT, Ended, Fact, Made, PublicMatch, Seated
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Statements

WIN, DRAW, LOSS, NONE = "win", "draw", "loss", "none"
"""Results of one player; `NONE` in a match that was broken off."""


class SeatRows:
    """Listener of the registry."""

    def prepare(self, fact: Fact) -> Statements:
        """Return the statements that store owners and results."""
        match fact:
            case Made():
                owned = ((player, seat.person) for player, seat in enumerate(fact.match.seats) if seat.person)
                return [_write_seat(fact.match.id, player, person) for player, person in owned]
            case Seated():
                return _replace_seat(fact.match, fact.player)
            case Ended():
                return _write_results(fact.match, fact.outcome)
        return ()

    def publish(self, fact: Fact) -> None:
        """Nothing is kept in memory."""


def find_result(outcome: Outcome, player: int) -> str:
    """Return the result of one player."""
    if outcome.reason == NO_RESULT:
        return NONE
    if player not in outcome.best:
        return LOSS
    return WIN if len(outcome.best) == 1 else DRAW


def _write_seat(match: str, player: int, person: str) -> sa.Executable:
    return sa.insert(tables.seats).values(match=match, player=player, person=person)


def _replace_seat(match: PublicMatch, player: int) -> Statements:
    seats, person = tables.seats, match.seats[player].person
    removal = sa.delete(seats).where(seats.c.match == match.id, seats.c.player == player)
    return [removal, _write_seat(match.id, player, person)] if person else [removal]


def _write_results(match: PublicMatch, outcome: Outcome) -> Statements:
    """Return the statements for the results of all seats, if a person owns one of them."""
    if not any(seat.person for seat in match.seats):
        return ()
    ended = int(time.time())
    return [
        sa.insert(tables.results).values(
            match=match.id,
            player=player,
            person=seat.person or None,
            agent=seat.agent,
            variant=match.variant,
            result=find_result(outcome, player),
            ended=ended,
            listed=match.listed,
            rated=match.rated,
        )
        for player, seat in enumerate(match.seats)
    ]
