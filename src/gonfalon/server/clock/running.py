"""The clocks that run now: since when each person decides, and when their flag falls.

All times are whole milliseconds of one monotonic clock. Each time is rounded down by itself, so whether an act and a
flag fall into the same millisecond depends on nothing but the two times. In that case the act is in time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gonfalon.server.clock.clocks import Clocks


def monotonic_ms() -> int:
    """Return the time of the machine's monotonic clock in whole milliseconds."""
    return time.monotonic_ns() // 1_000_000


@dataclass
class _Decision:
    """A decision that a person makes now."""

    quota: int
    """Lag quota of this decision; fixed at the beginning, so no later ping moves the flag."""
    since: int
    """Beginning of the present interval without a pause."""
    until: int | None = None
    """Its end; None while the clock runs."""
    before: int = 0
    """Duration of all earlier intervals."""

    def elapsed(self, at: int) -> int:
        end = at if self.until is None else min(at, self.until)
        return self.before + max(0, end - self.since)

    def pause(self, at: int) -> None:
        if self.until is None:
            self.until = max(at, self.since)

    def resume(self, at: int) -> None:
        if self.until is not None:
            self.before, self.since, self.until = self.elapsed(self.until), max(at, self.until), None


class Running:
    """The decisions that the persons of one match make now. `at` is a time of the clock; None: now.

    A decision begins when its player becomes due, which the match notes after it stored the step before: so storing
    costs nobody. A new `Running` begins every decision anew, so nobody pays for time in which no server ran.
    """

    def __init__(
        self, clocks: Clocks, quota: Callable[[int], int] = lambda _: 0, clock: Callable[[], int] = monotonic_ms
    ) -> None:
        """`quota`: lag quota of a player in ms (`Lag.quota`), asked when a decision begins; `clock`: time in ms."""
        self._clocks = clocks
        self._quota = quota
        self._clock = clock
        self._decisions: dict[int, _Decision] = {}
        self._before_play = True
        self._pauses: dict[int, set[str]] = {player: set() for player in clocks.persons}
        """Causes for which each person's clock stands still."""

    # ---- decisions --------------------------------------------------------------------------------------------

    def note_due(self, due: Iterable[int], *, before_play: bool) -> None:
        """Note who is due. Call this when the steps of a change are stored, after `close` or `close_all`.

        Decisions of players who stay due go on; if play has begun since, they begin anew.
        """
        now = self._clock()
        if before_play != self._before_play:
            self.close_all()
        self._before_play = before_play
        kept = self._decisions
        self._decisions = {p: kept.get(p) or self._begin(p, now) for p in due if p in self._clocks.persons}

    def close(self, player: int) -> None:
        """End the decision of a player, because it was stored. If the player stays due, the next decision begins."""
        self._decisions.pop(player, None)

    def close_all(self) -> None:
        """End all decisions, because a take-back changed the position."""
        self._decisions.clear()

    def elapsed(self, player: int, at: int | None = None) -> int:
        """Return the duration of a player's decision without pauses. 0 if none runs, as for a computer player.

        For an act, `at` is the arrival of its frame. A frame that arrived before the decision began took no time.
        """
        decision = self._decisions.get(player)
        return decision.elapsed(self._at(at)) if decision else 0

    def took(self, player: int, at: int | None = None) -> int:
        """Return the cost of a player's decision, for the log: its duration without the lag quota. 0 for a computer
        player and for chance. Raises ValueError for a person who decides nothing now.
        """
        if player in self._clocks.persons and player not in self._decisions:
            raise ValueError(f"player {player} has no decision that runs")
        return self._cost(player, self._at(at))

    def _cost(self, player: int, at: int) -> int:
        decision = self._decisions.get(player)
        return max(0, decision.elapsed(at) - decision.quota) if decision else 0

    def _begin(self, player: int, now: int) -> _Decision:
        return _Decision(self._quota(player), now, now if self._pauses[player] else None)

    # ---- flags ------------------------------------------------------------------------------------------------

    def is_past(self, player: int, at: int | None = None) -> bool:
        """Return whether a player's flag has fallen at that time."""
        return self._clocks.is_past(player, self._cost(player, self._at(at)), before_play=self._before_play)

    def until_flag(self, player: int, at: int | None = None) -> int | None:
        """Return the ms until a player's flag falls; 0 if it has fallen. None: it will not, because there is no clock,
        or no decision, or the clock stands still.
        """
        decision = self._decisions.get(player)
        most = self._clocks.most(player, before_play=self._before_play)
        if decision is None or most is None:
            return None
        rest = max(0, most + decision.quota + 1 - decision.elapsed(self._at(at)))
        return rest if decision.until is None or not rest else None

    def until_next_flag(self, at: int | None = None) -> int | None:
        """Return the ms until the first flag falls, for a timer; 0 if one has fallen. None: none will fall."""
        moment = self._at(at)
        rests = [self.until_flag(player, moment) for player in self._decisions]
        return min((rest for rest in rests if rest is not None), default=None)

    def find_flags(self, at: int | None = None) -> tuple[int, ...]:
        """Return the players whose flags have fallen, in the order of their falls; in the same millisecond by number.

        Call this after all frames that arrived earlier were handled: an act in time has then ended its decision, and
        its player is not found.
        """
        late, moment = {}, self._at(at)
        for player in self._decisions:
            most = self._clocks.most(player, before_play=self._before_play)
            cost = self._cost(player, moment)
            if most is not None and cost > most:
                late[player] = cost - most
        return tuple(sorted(late, key=lambda player: (-late[player], player)))

    # ---- pauses -----------------------------------------------------------------------------------------------

    def pause(self, players: Iterable[int], cause: str, at: int | None = None) -> None:
        """Stop the clocks of these players, of the present decision and of later ones, until each cause is gone.

        A cause is any text, such as the curtain between players of one device, or a seat that nobody has taken yet.
        """
        moment = self._at(at)
        for player in self._clocks.persons & set(players):
            self._pauses[player].add(cause)
            if player in self._decisions:
                self._decisions[player].pause(moment)

    def resume(self, players: Iterable[int], cause: str, at: int | None = None) -> None:
        """Remove a cause; clocks without another cause go on."""
        moment = self._at(at)
        for player in self._clocks.persons & set(players):
            self._pauses[player].discard(cause)
            if player in self._decisions and not self._pauses[player]:
                self._decisions[player].resume(moment)

    @property
    def ticking(self) -> frozenset[int]:
        """Players whose clocks run now."""
        return frozenset(player for player, decision in self._decisions.items() if decision.until is None)

    def _at(self, at: int | None) -> int:
        return self._clock() if at is None else at
