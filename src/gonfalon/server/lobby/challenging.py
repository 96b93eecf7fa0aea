"""Challenges: made, accepted, declined, answered by other terms, and taken back when their maker's page has closed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import msgspec

from gonfalon.server.config import Config
from gonfalon.server.lobby.challenges import Challenge, Challenges, check_rating, check_terms
from gonfalon.server.lobby.outside import Matches, Ratings, Visitor, Visitors
from gonfalon.server.lobby.seeking import require_visitor
from gonfalon.server.lobby.tables import Person, Tables, Wish
from gonfalon.server.lobby.windows import Changes, Window, Windows
from gonfalon.server.protocol.lobby_messages import (
    AcceptChallenge,
    ChallengeOver,
    CounterChallenge,
    DeclineChallenge,
    PostChallenge,
    Terms,
    WithdrawChallenge,
    YourChallenge,
)
from gonfalon.server.protocol.rating_bodies import ShownRating
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import new_id
from gonfalon.server.storage import lobby as stored
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.lobby")
_decoder = msgspec.json.Decoder(Challenge)


class Challenging:
    """All challenges of the server. Those by correspondence are stored."""

    def __init__(
        self,
        config: Config,
        matches: Matches,
        visitors: Visitors,
        ratings: Ratings,
        windows: Windows,
        changes: Changes,
        tables: Tables,
        plays: Callable[[str], None],
    ) -> None:
        """`plays`: called with each person who begins a match that is played at once."""
        self._config = config
        self._matches = matches
        self._visitors = visitors
        self._ratings = ratings
        self._windows = windows
        self._changes = changes
        self._tables = tables
        self._plays = plays
        self.all = Challenges(config.open_challenges, config.direct_challenges, config.most_challenges)

    async def start(self) -> None:
        """Load the stored challenges."""
        for body in await asyncio.to_thread(stored.list_challenges, self._matches.store):
            self.all.add(_decoder.decode(body))
        await self.expire()

    # ---- messages ---------------------------------------------------------------------------------------------

    async def post(self, window: Window, message: PostChallenge) -> None:
        """Make a challenge, open or for one account."""
        visitor, target = require_visitor(window), ""
        if message.to:
            found = await self._visitors.find_person(message.to)
            if found is None:
                raise Declined("no-player", 404, name=message.to)
            if found == visitor.person:
                raise Declined("challenge-own")
            if self._visitors.is_blocked(visitor.person, found):
                raise Declined("cannot-challenge", name=message.to)
            target = found
        await self._make(window, visitor, message.terms, target=target, target_name=message.to)

    async def accept(self, window: Window, message: AcceptChallenge) -> None:
        """Make the match of a challenge. It counts as a new match of the page's address."""
        visitor = require_visitor(window)
        challenge = self._find(message.id, visitor)
        terms = challenge.terms
        if terms.rated and not visitor.account:
            raise Declined("rated-needs-account")
        check_rating(terms, await self._find_rating(visitor, terms))
        challenge = self._find(message.id, visitor)  # others may have accepted it meanwhile
        self._require_maker(challenge)
        self._matches.count_match(window.address)
        self._remove(challenge)
        people = (
            Person(challenge.maker, challenge.window, terms.side),
            Person(visitor.person, window.name),
        )
        try:
            await self._tables.make(
                Wish(terms.variant, terms.switches, terms.clock, terms.rated),
                people,
                statements=(stored.delete_challenge(challenge.id),) if challenge.stays else (),
            )
        except (Declined, StoreError):
            self._put_back(challenge)
            raise
        self._tell_over(challenge, "accepted")
        if not challenge.stays:
            for person in people:
                self._plays(person.id)

    async def decline(self, window: Window, message: DeclineChallenge) -> None:
        """Decline a challenge that is for oneself alone."""
        visitor = require_visitor(window)
        challenge = self.all.find(message.id)
        if challenge.target != visitor.person:
            raise Declined("challenge-closed")
        await self._end(challenge, "declined")

    async def withdraw(self, window: Window, message: WithdrawChallenge) -> None:
        """Take back a challenge of one's own."""
        visitor = require_visitor(window)
        challenge = self.all.find(message.id)
        if challenge.maker != visitor.person:
            raise Declined("challenge-closed")
        await self._end(challenge, "taken-back")

    async def counter(self, window: Window, message: CounterChallenge) -> None:
        """Propose other terms to the maker of a challenge."""
        visitor = require_visitor(window)
        challenge = self._find(message.id, visitor)
        self._require_maker(challenge)
        await self._make(
            window,
            visitor,
            message.terms,
            target=challenge.maker,
            target_name=challenge.name,
            counters=challenge.id,
        )
        if challenge.target:
            await self._end(challenge, "countered")

    # ---- coming and going -------------------------------------------------------------------------------------

    def greet(self, window: Window) -> None:
        """Tell a page the challenges by and for its person."""
        for challenge in self.all.list_of(window.person) if window.person else ():
            window.tell(YourChallenge(challenge.show(), challenge.maker == window.person))

    def leave(self, window: Window) -> None:
        """Take back the challenges of a page that has closed, unless it comes back soon."""
        if any(each.maker == window.person and not each.stays for each in self.all.list_of(window.person)):
            loop = asyncio.get_running_loop()
            loop.call_later(self._config.challenge_lingers, self._lapse, window.person, window.name)

    def _lapse(self, person: str, page: str) -> None:
        if self._windows.has_page(person, page):
            return
        for challenge in self.all.list_of(person):
            if challenge.maker == person and challenge.window == page and not challenge.stays:
                self._remove(challenge)
                self._tell_over(challenge, "taken-back")

    async def expire(self) -> None:
        """End challenges by correspondence that are too old. Raises `StoreError`."""
        limit = int(time.time()) - self._config.challenge_days * stored.DAY
        for challenge in self.all.list_all():
            if challenge.stays and challenge.made < limit:
                await self._end(challenge, "taken-back")

    def forget(self, person: str) -> None:
        """Remove all challenges by and for a person, whose rows `storage.lobby.forget_person` deletes."""
        for challenge in self.all.list_of(person):
            self._remove(challenge)
            self._tell_over(challenge, "taken-back")

    # ---- within -----------------------------------------------------------------------------------------------

    def _find(self, challenge: str, visitor: Visitor) -> Challenge:
        """Return a challenge that a person may accept. Raises `Declined`: `challenge-gone`, `challenge-own`,
        `challenge-closed`.
        """
        found = self.all.find(challenge)
        if found.maker == visitor.person:
            raise Declined("challenge-own")
        if found.target not in ("", visitor.person) or self._visitors.is_blocked(found.maker, visitor.person):
            raise Declined("challenge-closed")
        return found

    def _require_maker(self, challenge: Challenge) -> None:
        """Check that the maker's page is open, or need not be. Raises `Declined`: `challenge-gone`."""
        if not challenge.stays and not self._windows.has_page(challenge.maker, challenge.window):
            raise Declined("challenge-gone")

    async def _find_rating(self, visitor: Visitor, terms: Terms) -> ShownRating | None:
        if not visitor.account or terms.clock is None:
            return None
        return await self._ratings.find(visitor.person, terms.variant, terms.clock)

    async def _make(
        self,
        window: Window,
        visitor: Visitor,
        terms: Terms,
        target: str,
        target_name: str,
        counters: str = "",
    ) -> None:
        sides = await self._matches.check_wish(terms.variant, terms.switches, terms.clock)
        check_terms(terms, sides, visitor.account)
        found = await self._find_rating(visitor, terms)
        challenge = Challenge(
            new_id(),
            visitor.person,
            visitor.name,
            visitor.account,
            terms,
            int(time.time()),
            None if found is None else found.rating,
            target,
            target_name,
            counters,
            window.name,
            found is not None and found.provisional,
        )
        if window.closed and not challenge.stays:
            return
        self.all.require_room(visitor.person, bool(target))
        self.all.add(challenge)
        if challenge.stays:
            await self._store(challenge)
        self._announce(challenge)

    async def _store(self, challenge: Challenge) -> None:
        """Store a challenge; if that fails, remove it. Raises `StoreError`."""
        body = msgspec.json.encode(challenge)
        row = stored.write_challenge(challenge.id, challenge.maker, challenge.target, challenge.made, body)
        try:
            await self._matches.store.execute([row])
        except StoreError:
            self.all.remove(challenge)
            raise

    def _announce(self, challenge: Challenge) -> None:
        shown = challenge.show()
        if challenge.target:
            self._windows.tell(challenge.target, YourChallenge(shown, mine=False))
        else:
            self._changes.add(shown)
        self._windows.tell(challenge.maker, YourChallenge(shown, mine=True))

    def _remove(self, challenge: Challenge) -> None:
        self.all.remove(challenge)
        if not challenge.target:
            self._changes.remove(challenge.id)

    def _put_back(self, challenge: Challenge) -> None:
        """Let a challenge stand whose match could not be made."""
        if challenge.stays or self._windows.has_page(challenge.maker, challenge.window):
            self.all.add(challenge)
            if not challenge.target:
                self._changes.add(challenge.show())

    async def _end(self, challenge: Challenge, reason: str) -> None:
        self._remove(challenge)
        self._tell_over(challenge, reason)
        if challenge.stays:
            await self._matches.store.execute([stored.delete_challenge(challenge.id)])

    def _tell_over(self, challenge: Challenge, reason: str) -> None:
        for person in filter(None, (challenge.maker, challenge.target)):
            self._windows.tell(person, ChallengeOver(challenge.id, reason))
