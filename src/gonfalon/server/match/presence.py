"""Presence: the players who are connected, those the match waits for, and the time until other players may claim the
win.

Without a time control, the time counts while a player who is due is away. With `Untimed` it counts while the player
does nothing, connected or not; `claim_after` 0 means that nobody may claim. Nobody claims in a match with clocks.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable

from gonfalon.server.clock.control import Untimed
from gonfalon.server.match.clients.frames import side_of
from gonfalon.server.match.persons import NoPersons, Persons
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.match_info import MatchInfo, Seat


class Presence:
    """Records since when each person has been away and since when they have been due to act; times in seconds."""

    def __init__(
        self,
        match_state: MatchState,
        clock: Callable[[], float] = time.monotonic,
        full_at: Callable[[], float] = lambda: -math.inf,
        persons: Persons | None = None,
    ) -> None:
        """`full_at`: time of the last connection that the server refused for lack of room; it may have been a
        player's.
        """
        self._match_state = match_state
        self._clock = clock
        self._full_at = full_at
        self._names = persons or NoPersons()
        players = range(match_state.game.info.players)
        self._persons = frozenset(p for p in players if not match_state.header.seats[p].agent)
        self._away = dict.fromkeys(self._persons, clock())
        self._due: dict[int, float] = {}
        self._acted: dict[int, float] = {}
        """Time of each player's last act, which may have left a draft."""
        self.failed: set[int] = set()
        """Computer players that have failed and could not be restarted."""
        self.missing: set[int] = set()
        """Computer players that this server does not have."""
        self.woken = 0
        """Number of times that failed computer players were told to try again."""
        self._coming = Counter[int]()
        """Number of clients by player whose sockets are open, but whose joining the match has not handled yet."""
        self.note_due()

    @property
    def stuck(self) -> set[int]:
        """Computer players that do not answer: failed or missing."""
        return self.failed | self.missing

    def note_due(self, decided: int | None = None) -> None:
        """Note which persons have become due. Call this after each step. `decided`: the player who has decided; if
        that player is due again, it is a new decision.
        """
        now = self._clock()
        before = {player: since for player, since in self._due.items() if player != decided}
        self._due = {p: before.get(p, now) for p in self._match_state.due if p in self._persons}

    def note_act(self, player: int) -> None:
        """Note that a player has acted."""
        self._acted[player] = self._clock()

    def find_sharers(self, player: int) -> tuple[int, ...]:
        """Return the player and all other players on the same device."""
        sharers = self._match_state.sharers
        return sharers if player in sharers else (player,)

    def expect(self, player: int) -> None:
        """Note that a client with a player's key has come and waits for the match. From now on nobody may claim the win
        against the player, however long the client waits.
        """
        self._coming[player] += 1

    def expect_no_more(self, player: int) -> None:
        """Note that such a client has joined, was turned away, or has left again."""
        self._coming[player] -= 1

    def arrive(self, player: int) -> None:
        for each in self.find_sharers(player):
            self._away.pop(each, None)

    def depart(self, player: int) -> None:
        self._away |= dict.fromkeys(self.find_sharers(player), self._clock())

    def claim_in(self, player: int) -> int | None:
        """Return the seconds until the other players may claim the win. None for a player who is not due, never opened
        the link, or against whom nobody may claim now.
        """
        header, clock = self._match_state.header, self._match_state.header.clock
        if player not in self._due or player not in self._match_state.taken:
            return None
        if clock is None:
            if player not in self._away:
                return None
            idle, least = self._away[player], header.claim_after
        else:
            after = clock.claim_after if isinstance(clock, Untimed) else 0
            if not after or self._persons <= set(self.find_sharers(player)):
                return None
            idle, least = self._acted.get(player, -math.inf), after
        waited = self._clock() - max(idle, self._due[player], self._full_at())
        return max(0, math.ceil(least - waited))

    def find_absent(self) -> tuple[int, ...]:
        """Return the players against whom a win may be claimed now."""
        back = set[int]()
        if self._match_state.header.clock is None:
            back = {sharer for player in +self._coming for sharer in self.find_sharers(player)}
        return tuple(sorted(p for p in self._due if p not in back and self.claim_in(p) == 0))

    def awaits(self) -> bool:
        """Return whether the time of a claim runs against a person."""
        if self._match_state.header.clock is None:
            return not self._due.keys().isdisjoint(self._away)
        return any(self.claim_in(player) is not None for player in self._due)

    def describe(self) -> MatchInfo:
        """Return everything about the match that all may know."""
        match_state = self._match_state
        header, rules = match_state.header, match_state.game.info
        return MatchInfo(
            id=header.id,
            variant=header.variant,
            family=rules.family,
            changed=header.changed,
            seats=tuple(self._seat(p) for p in range(rules.players)),
            started=match_state.started,
            ended=match_state.outcome is not None,
            created=header.created,
            claim_after=header.claim_after,
            next=match_state.next,
            alone=match_state.alone is not None,
            returnable=match_state.returnable is not None,
            took_back=match_state.moves.cuts,
            hints=match_state.hints,
            clock=header.clock,
            listed=header.listed,
            rated=header.rated,
            may_call_off=match_state.may_call_off,
            called_off=side_of(match_state.game, match_state.calling_off.by),
            title=rules.ruleset.title,
        )

    def _seat(self, player: int) -> Seat:
        seat, person = self._match_state.header.seats[player], self._match_state.persons[player]
        account = self._names.peek(person) if person else ""
        return Seat(
            side=self._match_state.game.info.sides[player],
            kind="agent" if seat.agent else "person",
            name=self._match_state.names[player] or seat.agent,
            taken=player in self._match_state.taken,
            here=player not in self._away,
            claim_in=self.claim_in(player),
            failed=player in self.failed,
            missing=player in self.missing,
            maker=seat.maker,
            may_invite=self._match_state.may_invite(player),
            account=account or "",
            deleted=account is None,
            late=player in self._match_state.late,
        )
