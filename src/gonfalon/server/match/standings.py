"""Standings: the state of matches for the holders of seats, for a list of one's own matches."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from gonfalon.engine.game import CHANCE
from gonfalon.engine.ruleset import RulesetError
from gonfalon.server.match.clients.frames import ending_of
from gonfalon.server.match.keys import SeatKeys
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.task import MatchTask
from gonfalon.server.protocol.bodies import SeatKey, Standing
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import find_seat

log = logging.getLogger("gonfalon.standings")
_ID = re.compile(r"[\w-]+", re.ASCII)


async def list_standings(registry: Registry, seats: Sequence[SeatKey]) -> tuple[Standing, ...]:
    """Return the standings of seats. Unknown matches and wrong secrets are left out alike. Matches are loaded one after
    the other, so that a long list does not take the whole machine.
    """
    found = [await _find_standing(registry, seat) for seat in seats]
    return tuple(standing for standing in found if standing is not None)


async def _find_standing(registry: Registry, key: SeatKey) -> Standing | None:
    if not _ID.fullmatch(key.match):
        return None  # no match has such an id, and a database may not accept it
    keys = await _find_keys(registry, key.match)
    if keys is None or find_seat(key.secret, keys.secrets) is None:
        return None  # the match stays where it is: strangers must not fill the memory
    try:
        task = await registry.find(key.match)
    except Declined:
        return None
    except RulesetError:
        log.exception("match %s cannot be loaded", key.match)
        return None
    player = find_seat(key.secret, task.state.keys.secrets)
    return None if player is None else _describe(task, player, await registry.store.find_last_step(key.match))


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


def _describe(task: MatchTask, player: int, moved: int) -> Standing:
    match_state = task.state
    sides = match_state.game.info.sides
    return Standing(
        match=task.match.presence.describe(),
        side=sides[player],
        due=tuple(sides[each] for each in match_state.due if each != CHANCE),
        moved=moved,
        ending=ending_of(match_state.game, match_state.outcome),
        deadline=task.timing.deadline if match_state.outcome is None else 0,
    )
