"""Standings: the state of matches for the holders of seats, for a list of one's own matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from gonfalon.engine.game import CHANCE
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.server.match.clients.frames import ending_of
from gonfalon.server.match.keys import SeatKeys
from gonfalon.server.match.match import Match
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.bodies import MOST_SEATS, SeatKey, Standing
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import find_seat, is_id
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store

log = logging.getLogger("gonfalon.standings")


async def list_standings(registry: Registry, seats: Sequence[SeatKey]) -> tuple[Standing, ...]:
    """Return the standings of seats. Unknown matches and wrong secrets are left out alike. Matches are loaded one after
    the other, so that a long list does not take the whole machine.
    """
    found = [await _find_by_key(registry, seat) for seat in seats]
    return tuple(standing for standing in found if standing is not None)


async def list_owned(registry: Registry, person: str) -> tuple[Standing, ...]:
    """Return the standings of the running matches in which a seat belongs to a person, at most `MOST_SEATS`."""
    matches = await asyncio.to_thread(_list_running, registry.store, person)
    found = [await _find_standing(registry, each, lambda state: state.find_owned(person)) for each in matches]
    return tuple(standing for standing in found if standing is not None and standing.ending is None)


def _list_running(store: Store, person: str) -> list[str]:
    """Return the matches of a person that have no result, the newest first. Blocks."""
    seats, results, matches = tables.seats.c, tables.results.c, tables.matches.c
    over = sa.select(results.match).where(results.match == seats.match).exists()
    wanted = sa.select(seats.match, matches.created).join(tables.matches, matches.id == seats.match)
    wanted = wanted.where(seats.person == person, ~over).distinct().order_by(matches.created.desc(), seats.match)
    with store.read() as connection:
        return list(connection.scalars(wanted.limit(MOST_SEATS)))


async def _find_by_key(registry: Registry, key: SeatKey) -> Standing | None:
    if not is_id(key.match):
        return None
    keys = await _find_keys(registry, key.match)
    if keys is None or find_seat(key.secret, keys.secrets) is None:
        return None  # the match stays where it is: strangers must not fill the memory
    return await _find_standing(registry, key.match, lambda state: find_seat(key.secret, state.keys.secrets))


async def _find_standing(registry: Registry, match: str, find: Callable[[MatchState], int | None]) -> Standing | None:
    """Return the standing of the seat that `find` returns; None if there is no such match or seat."""
    try:
        found = await registry.look(match)
    except Declined:
        return None
    except RulesetError:
        log.exception("match %s cannot be loaded", match)
        return None
    player = find(found.state)
    return None if player is None else _describe(found, player, await registry.store.find_last_step(match))


async def _find_keys(registry: Registry, match: str) -> SeatKeys | None:
    """Return the keys of a match, without its game if it is not in memory. None if there is no such match."""
    match_state = registry.peek(match)
    if match_state is not None:
        return match_state.keys
    loaded = await registry.store.load(match)
    if loaded is None:
        return None
    header, entries = loaded
    keys = SeatKeys(header.seats)
    for entry in entries:
        keys.apply(entry)
    return keys


def _describe(match: Match, player: int, moved: int) -> Standing:
    match_state = match.state
    sides = match_state.game.info.sides
    return Standing(
        match=match.presence.describe(),
        side=sides[player],
        due=tuple(sides[each] for each in match_state.due if each != CHANCE),
        moved=moved,
        ending=ending_of(match_state.game, match_state.outcome),
        deadline=match.timing.deadline if match_state.outcome is None else 0,
    )
