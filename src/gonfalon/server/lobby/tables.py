"""Makes the matches of people who have met, and tells each of them the match and their seat."""

from __future__ import annotations

import secrets as randomness
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from gonfalon.server.clock.control import Control
from gonfalon.server.lobby.outside import Matches
from gonfalon.server.lobby.windows import Window, Windows
from gonfalon.server.match.public import PublicSeat
from gonfalon.server.protocol.lobby_messages import Paired
from gonfalon.server.storage.store import Statements

KEPT = 60.0
"""Seconds for which a person whose connection was lost can still learn of a match."""
MOST_KEPT = 1_000


class Wish(msgspec.Struct, frozen=True):
    """A match that people agreed on."""

    variant: str
    switches: Mapping[str, bool | int]
    clock: Control | None
    rated: bool


class Person(msgspec.Struct, frozen=True):
    """A person who is to play. `page`: name of the page that wants it; `side`: the wished side, empty for none."""

    id: str
    page: str = ""
    side: str = ""


class Tables:
    """Makes matches for the lobby."""

    def __init__(self, matches: Matches, windows: Windows, clock: Callable[[], float] = time.monotonic) -> None:
        self._matches = matches
        self._windows = windows
        self._clock = clock
        self._missed: OrderedDict[str, tuple[float, Paired]] = OrderedDict()
        """Matches of people who had no page open when the match was made, with the time."""
        self.made = 0
        """Number of matches made since the start."""

    async def make(
        self, wish: Wish, people: Sequence[Person], agents: Sequence[str] = (), statements: Statements = ()
    ) -> None:
        """Make a match. Sides are drawn at random, except a wished one. Raises `Declined`, `StoreError`."""
        sides = await self._matches.check_wish(wish.variant, wish.switches, wish.clock)
        places = draw_sides(sides, people, len(agents))
        seats = [places[side] for side in sides]
        owners = iter(agents)
        made = await self._matches.create_for(
            [PublicSeat(person=seat.id) if seat is not None else PublicSeat(agent=next(owners)) for seat in seats],
            wish.variant,
            wish.switches,
            wish.clock,
            rated=wish.rated,
            statements=statements,
        )
        self.made += 1
        for side, seat in places.items():
            if seat is not None:
                self._tell(seat, Paired(made.match, side, made.secrets[side]))

    def greet(self, window: Window) -> None:
        """Tell a page that came back of the match that was made meanwhile."""
        at, paired = self._missed.pop(window.person, (0.0, None))
        if paired is not None and self._clock() - at < KEPT:
            window.tell(paired)

    def _tell(self, person: Person, paired: Paired) -> None:
        if not self._windows.tell(person.id, paired, person.page):
            self._missed[person.id] = (self._clock(), paired)
            if len(self._missed) > MOST_KEPT:
                self._missed.popitem(last=False)


def draw_sides(sides: Sequence[str], people: Sequence[Person], agents: int) -> dict[str, Person | None]:
    """Return the person of each side; None for a computer player. Wished sides are given, the others drawn."""
    found: dict[str, Person | None] = {person.side: person for person in people if person.side}
    rest: list[Person | None] = [person for person in people if not person.side]
    rest += [None] * agents
    randomness.SystemRandom().shuffle(rest)
    free = (side for side in sides if side not in found)
    return found | dict(zip(free, rest, strict=True))
