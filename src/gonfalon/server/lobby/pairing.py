"""Pairing: who plays whom among the people who wait. Pure computation; the caller gives the time.

Two people fit if their ratings differ by no more than the wider of their windows. A window widens with waiting, so
everybody is paired in the end. Blocked people never fit, and the same two play three times in a row only while nobody
else waits.
"""

from __future__ import annotations

import statistics
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator

import msgspec

NARROW = 100.0
"""Width of a window at the beginning, in points of rating."""
WIDENING = 10.0
"""Points by which a window grows in each second of waiting."""
UNRATED = 1500
"""Rating with which people without one are paired."""
MOST_IN_ROW = 2
"""Number of times that the same two play in a row while others wait."""
LOOKED_AT = 50
"""Maximum number of people, to each side in the order of ratings, that are compared with one person."""
MOST_STREAKS = 20_000
RECENT = 50
"""Number of waits that the usual wait is computed from."""

Apart = Callable[[str, str], bool]
"""Returns whether either of two persons has blocked the other."""


class Seeker(msgspec.Struct, eq=False):
    """A person who waits for a quick game."""

    person: str
    name: str
    account: bool
    rating: int
    since: float
    """Time at which the wait began, in seconds."""

    def find_width(self, now: float) -> float:
        """Return the greatest difference of ratings that this person accepts."""
        return NARROW + WIDENING * max(0.0, now - self.since)


class Streaks:
    """Counts how often the same two people have played in a row. Of many people only the latest are remembered."""

    def __init__(self) -> None:
        self._latest: OrderedDict[str, tuple[str, int]] = OrderedDict()
        """The last opponent of a person, and the number of matches in a row."""

    def note(self, one: str, other: str) -> None:
        """Note that two people play each other now."""
        count = self.count(one, other) + 1
        for person, opponent in ((one, other), (other, one)):
            self._latest[person] = (opponent, count)
            self._latest.move_to_end(person)
        while len(self._latest) > MOST_STREAKS:
            self._latest.popitem(last=False)

    def count(self, one: str, other: str) -> int:
        """Return how often two people have played each other in a row, for both of them."""
        mine, theirs = self._latest.get(one, ("", 0)), self._latest.get(other, ("", 0))
        return min(mine[1], theirs[1]) if mine[0] == other and theirs[0] == one else 0


class Queue:
    """The people who wait for one quick game, in the order of arrival."""

    def __init__(self, players: int, streaks: Streaks, apart: Apart) -> None:
        self._players = players
        self._streaks = streaks
        self._apart = apart
        self._waiting: dict[str, Seeker] = {}
        """By id of the person."""
        self._waits: deque[float] = deque(maxlen=RECENT)

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Seeker]:
        return iter(self._waiting.values())

    @property
    def usual_wait(self) -> int | None:
        """Median of recent waits in seconds; None if nobody was paired yet."""
        return round(statistics.median(self._waits)) if self._waits else None

    def find(self, person: str) -> Seeker | None:
        return self._waiting.get(person)

    def add(self, seeker: Seeker) -> None:
        self._waiting[seeker.person] = seeker

    def remove(self, person: str) -> Seeker | None:
        return self._waiting.pop(person, None)

    def take_groups(self, now: float) -> list[list[Seeker]]:
        """Remove all groups that can play now, and return them; the person who has waited longest is the first of a
        group.
        """
        if self._players == 2:
            groups = self._pair(now)
        else:
            groups = [table for table in self.list_tables(now) if len(table) == self._players]
        for group in groups:
            self.take(group, now)
        return groups

    def take(self, group: list[Seeker], now: float) -> None:
        """Remove people who begin to play."""
        for seeker in group:
            self._waiting.pop(seeker.person, None)
            self._waits.append(max(0.0, now - seeker.since))
        if self._players == 2 and len(group) == 2:
            self._streaks.note(group[0].person, group[1].person)

    def list_tables(self, now: float) -> list[list[Seeker]]:
        """Return the tables of a game for more than two, as they fill; the first of each is its host.

        The person who has waited longest is the host of the first table. The people with the nearest ratings join, if
        they fit with everybody there.
        """
        left, tables = list(self._waiting.values()), list[list[Seeker]]()
        while left:
            host = left.pop(0)
            table = [host]
            for seeker in sorted(left, key=lambda each: abs(each.rating - host.rating)):
                if len(table) < self._players and all(self._fits(seeker, other, now) for other in table):
                    table.append(seeker)
            left = [seeker for seeker in left if seeker not in table]
            tables.append(table)
        return tables

    def _pair(self, now: float) -> list[list[Seeker]]:
        order = sorted(self._waiting.values(), key=lambda each: each.rating)
        places = {seeker.person: place for place, seeker in enumerate(order)}
        paired, pairs = set[str](), list[list[Seeker]]()
        for seeker in self._waiting.values():
            if seeker.person in paired:
                continue
            partner = self._find_partner(seeker, _list_near(order, places[seeker.person]), paired, now)
            if partner is not None:
                pairs.append([seeker, partner])
                paired |= {seeker.person, partner.person}
        return pairs

    def _find_partner(self, seeker: Seeker, near: Iterator[Seeker], paired: set[str], now: float) -> Seeker | None:
        """Return the person with the nearest rating who fits; None if there is none."""
        for other in near:
            if other.person in paired or not self._fits(seeker, other, now):
                continue
            tired = self._streaks.count(seeker.person, other.person) >= MOST_IN_ROW
            if not tired or not (self._has_choice(seeker, other) or self._has_choice(other, seeker)):
                return other
        return None

    def _has_choice(self, seeker: Seeker, without: Seeker) -> bool:
        """Return whether somebody else waits with whom a person may ever play."""
        return any(
            each is not seeker and each is not without and not self._apart(seeker.person, each.person)
            for each in self._waiting.values()
        )

    def _fits(self, one: Seeker, other: Seeker, now: float) -> bool:
        width = max(one.find_width(now), other.find_width(now))
        return abs(one.rating - other.rating) <= width and not self._apart(one.person, other.person)


def _list_near(order: list[Seeker], place: int) -> Iterator[Seeker]:
    """Yield the people around a place in the order of ratings, the nearest rating first."""
    low, high = place - 1, place + 1
    middle = order[place].rating
    end_low, end_high = max(-1, place - LOOKED_AT - 1), min(len(order), place + LOOKED_AT + 1)
    while low > end_low or high < end_high:
        takes_low = high >= end_high or (low > end_low and middle - order[low].rating <= order[high].rating - middle)
        if takes_low:
            yield order[low]
            low -= 1
        else:
            yield order[high]
            high += 1
