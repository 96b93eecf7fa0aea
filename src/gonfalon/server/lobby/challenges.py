"""The challenges that stand. Pure bookkeeping, without sockets and storage."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from gonfalon.server.clock.control import Correspondence, Untimed
from gonfalon.server.protocol.lobby_messages import OpenChallenge, Terms
from gonfalon.server.protocol.rating_bodies import ShownRating
from gonfalon.server.protocol.refusals import Declined


class Challenge(msgspec.Struct, frozen=True, omit_defaults=True):
    """A challenge with the persons whom it concerns; also the form in which it is stored."""

    id: str
    maker: str
    """Id of the person who made it."""
    name: str
    """Account name of the maker; empty for a guest."""
    account: bool
    terms: Terms
    made: int
    """Unix seconds."""
    rating: int | None = None
    target: str = ""
    """Id of the person whom it is for; empty if it is open."""
    target_name: str = ""
    counters: str = ""
    """Id of the challenge to which it is the answer."""
    window: str = ""
    """Name of the maker's page."""
    provisional: bool = False
    """Whether the maker's rating is provisional."""

    @property
    def stays(self) -> bool:
        """Whether the challenge stays when its maker leaves: it is for a match by correspondence."""
        return isinstance(self.terms.clock, Correspondence)

    def show(self) -> OpenChallenge:
        """Return the challenge as its readers see it."""
        return OpenChallenge(
            self.id, self.name, self.terms, self.rating, self.target_name, self.counters, self.provisional
        )


class Challenges:
    """All challenges of the server, by id, in the order in which they were made."""

    def __init__(self, most_open: int, most_direct: int, most: int) -> None:
        """The maximum number of open and of direct challenges of one person, and of all together."""
        self._most_open = most_open
        self._most_direct = most_direct
        self._most = most
        self._all: dict[str, Challenge] = {}
        self._of: dict[str, dict[str, None]] = {}
        """Ids of the challenges that a person made or has got."""

    def __len__(self) -> int:
        return len(self._all)

    def list_all(self) -> tuple[Challenge, ...]:
        return tuple(self._all.values())

    def list_open(self) -> Iterator[Challenge]:
        """Yield the challenges that everybody may accept."""
        return (each for each in self._all.values() if not each.target)

    def list_of(self, person: str) -> list[Challenge]:
        """Return the challenges by a person and for this person alone."""
        return [self._all[each] for each in self._of.get(person, ())]

    def find(self, challenge: str) -> Challenge:
        """Return a challenge by its id. Raises `Declined`: `challenge-gone`."""
        found = self._all.get(challenge)
        if found is None:
            raise Declined("challenge-gone")
        return found

    def require_room(self, maker: str, direct: bool) -> None:
        """Check that a person may make one more challenge. Raises `Declined`: `too-many-challenges`, `too-many`."""
        most = self._most_direct if direct else self._most_open
        mine = sum(each.maker == maker and bool(each.target) == direct for each in self.list_of(maker))
        if mine >= most:
            raise Declined("too-many-challenges", most=most)
        if len(self._all) >= self._most:
            raise Declined("too-many")

    def add(self, challenge: Challenge) -> None:
        self._all[challenge.id] = challenge
        for person in filter(None, (challenge.maker, challenge.target)):
            self._of.setdefault(person, {})[challenge.id] = None

    def remove(self, challenge: Challenge) -> None:
        """Remove a challenge; nothing happens if it is already gone."""
        if self._all.pop(challenge.id, None) is None:
            return
        for person in filter(None, (challenge.maker, challenge.target)):
            mine = self._of[person]
            mine.pop(challenge.id, None)
            if not mine:
                del self._of[person]


def check_terms(terms: Terms, sides: tuple[str, ...], account: bool) -> None:
    """Check the terms of a challenge. `sides`: of the variant; `account`: whether the maker has one.

    Raises `Declined`: `challenge-for-two`, `rated-needs-account`, `rated-needs-clock`, `bad-message`.
    """
    if len(sides) != 2:
        raise Declined("challenge-for-two", 400)
    if terms.side and terms.side not in sides:
        raise Declined("bad-message", 400, detail=f"no side {terms.side!r}")
    if terms.highest and terms.lowest > terms.highest:
        raise Declined("bad-message", 400, detail="the least rating is above the greatest")
    if terms.rated and not account:
        raise Declined("rated-needs-account")
    if terms.rated and (terms.clock is None or isinstance(terms.clock, Untimed)):
        raise Declined("rated-needs-clock")


def check_rating(terms: Terms, found: ShownRating | None) -> None:
    """Check that a person with this rating may accept. Raises `Declined`: `challenge-range`."""
    lowest, highest = terms.lowest, terms.highest
    if not lowest and not highest:
        return
    if found is None or found.rating < lowest or (highest and found.rating > highest):
        raise Declined("challenge-range", lowest=lowest, highest=highest or "∞")
