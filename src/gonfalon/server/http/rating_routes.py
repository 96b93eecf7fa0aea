"""The HTTP routes about ratings."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath, FromQuery

from gonfalon.games import variants
from gonfalon.server.clock.speed import Speed
from gonfalon.server.http.answers import FRESH, AnyRequest, find_service, problems
from gonfalon.server.protocol.rating_bodies import Leaderboard, MatchRatings, Pool
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import is_id


@get("/api/leaderboards/{variant:str}", response_headers=FRESH, responses=problems(404))
async def leaderboard(
    request: AnyRequest, variant: FromPath[str], speed: FromQuery[Speed], pool: FromQuery[Pool] = "people"
) -> Leaderboard:
    """Return the persons with the highest ratings of a game."""
    if variant not in variants():
        raise Declined("no-variant", 404, variant=variant)
    return await find_service(request).ratings.leaderboard(variant, pool, speed)


@get("/api/matches/{match:str}/ratings", response_headers=FRESH, responses=problems())
async def match_ratings(request: AnyRequest, match: FromPath[str]) -> MatchRatings:
    """Return how a match changed ratings; no change for a match that is not rated, or does not exist."""
    if not is_id(match):
        return MatchRatings(False, ())
    return await find_service(request).ratings.changes_of(match)


RATING_ROUTES = (leaderboard, match_ratings)
