"""Profiles: results by game and opponent, and the list of finished matches, as far as the reader may know them.

Everybody may know of listed matches; others are shown only to their players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from gonfalon.server.people.rows import Person, find_names
from gonfalon.server.people.seats import DRAW, LOSS, NONE, WIN
from gonfalon.server.protocol.people_bodies import (
    GameTally,
    OpponentTally,
    PlayedMatch,
    PlayedMatches,
    PlayedSeat,
    Profile,
    Tally,
)
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store

PAGE = 30
"""Number of matches on one page of the list."""
MOST_OPPONENTS = 50
_results = tables.results


def read_profile(store: Store, person: Person, reader: str) -> Profile:
    """Return the profile of an account for a reader (a person's id, or empty). Blocks."""
    mine = _results.alias("mine")
    other = _results.alias("other")
    visible = _visible(mine, person.id, reader), mine.c.result != NONE
    games = sa.select(mine.c.variant, mine.c.result, sa.func.count()).where(*visible)
    games = games.group_by(mine.c.variant, mine.c.result)
    pairs = sa.select(other.c.agent, other.c.person, mine.c.result, sa.func.count())
    pairs = pairs.join_from(mine, other, sa.and_(other.c.match == mine.c.match, other.c.player != mine.c.player))
    pairs = pairs.where(*visible, sa.or_(other.c.person.is_(None), other.c.person != person.id))
    pairs = pairs.group_by(other.c.agent, other.c.person, mine.c.result)
    with store.read() as connection:
        by_game = _tally(((variant,), result, count) for variant, result, count in connection.execute(games))
        by_pair = _tally(((a, p or ""), result, count) for a, p, result, count in connection.execute(pairs))
    names = find_names(store, {key[1] for key in by_pair} - {""})
    opponents = _merge((names.get(who) or "", agent, tally) for (agent, who), tally in by_pair.items())
    return Profile(
        name=person.name,
        since=person.created,
        games=tuple(GameTally(key[0], _count(tally)) for key, tally in sorted(by_game.items())),
        opponents=opponents[:MOST_OPPONENTS],
        mine=reader == person.id,
    )


def list_played(
    store: Store, person: Person, reader: str, variant: str = "", opponent: str = "", before: str = ""
) -> PlayedMatches:
    """Return a page of finished matches. `opponent`: id of a person, or name of a computer player; `before`: where the
    page begins, from the page before it. Blocks. Raises `Declined`: `bad-message`.
    """
    mine = _results.alias("mine")
    wanted = sa.select(mine).where(_visible(mine, person.id, reader))
    if variant:
        wanted = wanted.where(mine.c.variant == variant)
    if opponent:
        other = _results.alias("other")
        is_other = sa.or_(other.c.person == opponent, other.c.agent == opponent)
        there = sa.select(other.c.match).where(other.c.match == mine.c.match, other.c.player != mine.c.player, is_other)
        wanted = wanted.where(there.exists())
    if before:
        ended, match = _read_place(before)
        earlier = sa.and_(mine.c.ended == ended, mine.c.match > match)
        wanted = wanted.where(sa.or_(mine.c.ended < ended, earlier))
    wanted = wanted.order_by(mine.c.ended.desc(), mine.c.match, mine.c.player).limit(PAGE + 1)
    with store.read() as connection:
        rows = list(connection.execute(wanted))
        seats = _results.c
        found = sa.select(_results).where(seats.match.in_([row.match for row in rows[:PAGE]])).order_by(seats.player)
        by_match: dict[str, list[Any]] = {}
        for seat in connection.execute(found):
            by_match.setdefault(seat.match, []).append(seat)
    names = find_names(store, {seat.person for each in by_match.values() for seat in each if seat.person})
    shown = tuple(_describe(row, by_match[row.match], names) for row in rows[:PAGE])
    last = rows[PAGE - 1] if len(rows) > PAGE else None
    return PlayedMatches(shown, f"{last.ended}.{last.match}" if last is not None else "")


def _visible(mine: sa.FromClause, person: str, reader: str) -> sa.ColumnElement[bool]:
    """Return the condition for results of a person in matches that the reader may know of."""
    of_person = mine.c.person == person
    if reader == person:
        return of_person
    own = sa.select(tables.seats.c.match).where(tables.seats.c.person == reader)
    return sa.and_(of_person, sa.or_(mine.c.listed, mine.c.match.in_(own)) if reader else mine.c.listed)


def _read_place(text: str) -> tuple[int, str]:
    ended, _, match = text.partition(".")
    if not ended.isdecimal() or len(ended) > 12 or not match:
        raise Declined("bad-message", 400, detail="before: no place in the list")
    return int(ended), match


def _tally(rows: Iterable[tuple[tuple[str, ...], str, int]]) -> dict[tuple[str, ...], Counter[str]]:
    tallies: dict[tuple[str, ...], Counter[str]] = {}
    for key, result, count in rows:
        tallies.setdefault(key, Counter())[result] += count
    return tallies


def _merge(rows: Iterable[tuple[str, str, Counter[str]]]) -> tuple[OpponentTally, ...]:
    """Return the tallies of opponents, the most frequent first. Guests and deleted players are one opponent."""
    merged: dict[tuple[str, str], Counter[str]] = {}
    for name, agent, tally in rows:
        merged.setdefault((name, agent), Counter()).update(tally)
    ordered = sorted(merged.items(), key=lambda each: (-each[1].total(), each[0]))
    return tuple(OpponentTally(name, agent, _count(tally)) for (name, agent), tally in ordered)


def _count(tally: Counter[str]) -> Tally:
    return Tally(tally[WIN], tally[DRAW], tally[LOSS])


def _describe(row: Any, seats: Sequence[Any], names: Mapping[str, str]) -> PlayedMatch:
    return PlayedMatch(
        match=row.match,
        variant=row.variant,
        ended=row.ended,
        result=row.result,
        rated=row.rated,
        listed=row.listed,
        seats=tuple(
            PlayedSeat(
                name=names.get(seat.person or "", ""),
                agent=seat.agent,
                result=seat.result,
                deleted=bool(seat.person) and seat.person not in names,
            )
            for seat in seats
        ),
    )
