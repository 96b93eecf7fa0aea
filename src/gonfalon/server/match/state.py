"""The state of one match, computed from the entries of its log: the result is equal during play and after loading."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import CHANCE, PUBLIC, Game, Outcome, Standing, State
from gonfalon.engine.offers import DrawOffers
from gonfalon.engine.records.record import HINTS, TAKE_BACKS
from gonfalon.engine.records.replay import BROKEN_OFF, CLAIM, NOBODY, OUT_OF_TIME, find_outcome, who_is_out
from gonfalon.server.clock.clocks import Clocks
from gonfalon.server.clock.control import Untimed
from gonfalon.server.match.calling_off import CallingOff
from gonfalon.server.match.keys import SeatKeys
from gonfalon.server.match.moves import TAKE_BACK, Moves, Step, charge, play_step
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import (
    Abandoned,
    Answered,
    AnyEntry,
    CalledOff,
    Claimed,
    Entry,
    Header,
    Hinted,
    Invited,
    Named,
    Offered,
    Opened,
    OutOfTime,
    Played,
    RematchAsked,
    RematchMade,
    Resigned,
    Taken,
    TookBack,
)

MOST_PAST = 40
"""Maximum number of past states kept, for finding the beginning of the present turn and for showing missed steps to a
client that comes back.
"""


class MatchState:
    """Everything that the log of a match says. `apply` adds an entry; `size` is the number of entries applied."""

    def __init__(self, header: Header, game: Game, entries: Iterable[AnyEntry] = ()) -> None:
        self.header = header
        self.game = game
        self.position: State = game.initial_state()
        self.steps: list[Step] = []
        """All steps, including those taken back."""
        self.moves = Moves(game)
        self.size = 0
        self.counts = Counter[type[Entry]]()
        """Number of entries of each kind."""
        self.acts: dict[int, tuple[int, tuple[int, ...]]] = {}
        """The last stored `Act` of each player: its `n` and its actions."""
        self.offers = DrawOffers(game.info.players)
        self.offered: dict[int, int] = {}
        """Number of steps of the match at each player's last draw offer."""
        self.taken = {i for i, seat in enumerate(header.seats) if seat.maker or seat.agent or seat.person}
        """Seats whose player has come at least once, or needs no invitation (maker, computer player, a person whose
        seat it was from the beginning).
        """
        self.keys = SeatKeys(header.seats)
        self.persons = [seat.person for seat in header.seats]
        """Ids of the accounts and guests that the seats belong to; empty for other seats."""
        self.names = [seat.name for seat in header.seats]
        """Names that persons gave; empty if none, and for a computer player."""
        self.renamed = [0] * len(header.seats)
        """Number of names that each person has given."""
        self.acted: set[int] = set()
        """Players who did more than come to their seat."""
        self.asked: dict[int, RematchAsked] = {}
        self.next = ""
        self.hints = 0
        """Number of hints given."""
        self.outcome: Outcome | None = None
        self.calling_off = CallingOff(header)
        self.due = game.to_act(self.position)
        """Players who may act now; `(CHANCE,)` for a draw; empty when the match is over."""
        self.out = who_is_out(game, self.position)
        """Players who are out while the match still goes on."""
        self.started = self._has_begun()
        """Whether play has begun."""
        self._begun = 0
        """Number of moves before play began."""
        persons = [player for player, seat in enumerate(header.seats) if not seat.agent]
        self.alone = persons[0] if len(persons) == 1 else None
        """The match's only person; None if there are more persons or none."""
        self.sharers = tuple(player for player, seat in enumerate(header.seats) if seat.device)
        """Players on the device of the match's maker."""
        self.clocks = Clocks(header.clock or Untimed(), game.info.players, persons)
        """The time that the players have left."""
        self.past: deque[State] = deque(maxlen=MOST_PAST)
        """The states before each of the latest steps."""
        for entry in entries:
            self.apply(entry)

    @property
    def seq(self) -> int:
        return len(self.steps)

    def apply(self, entry: AnyEntry, states: Sequence[State] = ()) -> list[Sequence[State]]:
        """Apply one more entry. `states`: the states after each of its actions, if known. Return one row of states for
        each step that the entry makes, usually one or none.
        """
        self.size += 1
        self.counts[type(entry)] += 1
        self._seat(entry)
        rows: list[Sequence[State]] = []
        match entry:
            case Played():
                if entry.n:
                    self.acts[entry.by] = (entry.n, entry.actions)
                rows.append(self._step(Step(entry.by, entry.actions, entry.took), states))
            case Resigned():
                rows.append(self._step(Step(entry.by, (WITHDRAW,))))
            case OutOfTime():
                rows.append(self._step(Step(entry.by, (OUT_OF_TIME,), entry.took)))
            case Claimed():
                rows += self._claim(entry)
            case Abandoned():
                rows.append(self._step(Step(NOBODY, (BROKEN_OFF,))))
            case CalledOff():
                self.calling_off.by = entry.by
                rows.append(self._step(Step(NOBODY, (BROKEN_OFF,))))
            case TookBack():
                rows.append(self._take_back(entry))
            case _:
                self._note(entry)
        if self.offers.is_agreed:  # an answer has done this, or the last player who had not accepted is out
            rows.append(self._step(Step(NOBODY, (AGREE,))))
        return rows

    def _note(self, entry: AnyEntry) -> None:
        """Apply an entry that makes no step."""
        match entry:
            case Offered():
                self.offers = self.valid_offers.offer(entry.by, self.started)
                self.offered[entry.by] = self.seq
            case Answered():
                self.offers = self.valid_offers.answer(entry.by, entry.accept)
            case Hinted():
                self.hints += 1
            case RematchAsked():
                self.asked[entry.by] = entry
            case RematchMade():
                self.next = entry.match

    def _seat(self, entry: AnyEntry) -> None:
        """Note who has come to a seat, and who has acted in it."""
        self.keys.apply(entry)
        match entry:
            case Taken() | Opened():
                self.taken.add(entry.by)
                self.persons[entry.by] = entry.person or self.persons[entry.by]
            case Invited():
                self.taken.discard(entry.seat)
                self.persons[entry.seat] = ""
                self.names[entry.seat], self.renamed[entry.seat] = self.header.seats[entry.seat].name, 0
            case Named():
                self.names[entry.by] = entry.name
                self.renamed[entry.by] += 1
            case RematchMade():
                pass
            case Claimed():
                self.acted |= {entry.by, *entry.absent}  # from now on, `may_invite` refuses the seats of absent players
            case _:
                self.acted.add(entry.by)

    def own_decisions(self, player: int) -> list[int]:
        """Return the numbers of the moves that a player has decided since play began."""
        steps = self.moves.steps
        return [n for n in range(self._begun, len(steps)) if steps[n].by == player and steps[n].actions[0] >= 0]

    @property
    def aids(self) -> dict[str, int]:
        """Help that a player used: the counts for the header of a record."""
        counts = {TAKE_BACKS: self.moves.cuts, HINTS: self.hints}
        return {name: count for name, count in counts.items() if count}

    @property
    def called(self) -> dict[str, str]:
        """Names by side: the name that a person gave, or the name of the computer player. Sides without a name are
        missing.
        """
        seats = zip(self.game.info.sides, self.names, self.header.seats, strict=True)
        return {side: name or seat.agent for side, name, seat in seats if name or seat.agent}

    @property
    def returnable(self) -> int | None:
        """Number of the move that the only person would take back; None if there is none."""
        if self.alone is None or self.header.rated or self.outcome is not None or not self.started:
            return None
        return self.moves.find_last(self.alone, self._begun)

    @property
    def may_call_off(self) -> bool:
        """Whether any player may call the match off now."""
        return self.outcome is None and not self.out and self.calling_off.is_early

    def recall(self, number: int) -> tuple[State, Sequence[State]]:
        """Return the state before one of the latest steps, and the states after each of its actions."""
        ago, step = number - self.seq, self.steps[number]
        if step.actions == (TAKE_BACK,):
            return self.past[ago], [self.past[ago + 1] if ago < -1 else self.position]
        return self.past[ago], play_step(self.game, self.past[ago], step)

    def find_owned(self, person: str, side: str = "") -> int | None:
        """Return a player whose seat belongs to a person: that of `side`, or the first one. None if there is none."""
        owned = [player for player, owner in enumerate(self.persons) if owner == person]
        sides = self.game.info.sides
        return next((player for player in owned if side in ("", sides[player])), None)

    def erase_names(self, players: Sequence[int]) -> None:
        """Forget the names that players gave; their log has been changed in the same way."""
        seats = tuple(
            msgspec.structs.replace(seat, name="") if player in players else seat
            for player, seat in enumerate(self.header.seats)
        )
        self.header = msgspec.structs.replace(self.header, seats=seats)
        for player in players:
            self.names[player] = ""

    def may_invite(self, player: int) -> bool:
        """Return whether the match's maker may replace the invitation of this seat."""
        return bool(self.keys.invitations[player]) and player not in self.acted and self.outcome is None

    @property
    def late(self) -> frozenset[int]:
        """Players who are out because their time was over."""
        if not self.counts[OutOfTime]:
            return frozenset()
        return frozenset(step.by for step in self.steps if step.by in self.out and step.actions == (OUT_OF_TIME,))

    @property
    def valid_offers(self) -> DrawOffers:
        """The draw offers of the players who still take part."""
        return self.offers.drop_players(self.out)

    def _claim(self, entry: Claimed) -> Iterator[Sequence[State]]:
        """Apply a claim: a claimer who is left alone wins. Otherwise the absent players resign and the remaining ones
        play on.
        """
        if len(self.out | {entry.by, *entry.absent}) == self.game.info.players:
            yield self._step(Step(entry.by, (CLAIM,)))
            return
        for player in entry.absent:
            if self.outcome is None:
                yield self._step(Step(player, (WITHDRAW,)))

    def _step(self, step: Step, states: Sequence[State] = ()) -> Sequence[State]:
        before = self.position
        row = states or play_step(self.game, before, step)
        self.position = row[-1]
        self.steps.append(step)
        if self.started:
            self.calling_off.note(step)
        self._charge(step, before)
        self.moves.add(step, before, self.seq)
        self.outcome = find_outcome(self.game, self.position, step.by, step.actions[-1])
        self.due = () if self.outcome is not None else self.game.to_act(self.position)
        self.out = who_is_out(self.game, self.position)
        if not self.started:
            self.started, self._begun = self.outcome is not None or self._has_begun(), len(self.moves.steps)
        if self.outcome is not None:
            self.offers = DrawOffers(self.game.info.players)
        elif self.offers.offers:
            if self._find_turn(before) != self._find_turn(self.position):
                owner = self._find_owner(before)
                self.offers = self.offers if owner == CHANCE else self.offers.complete_turn(owner)
            self.offers = self.valid_offers
        self.past.append(before)
        return row

    def _charge(self, step: Step, before: State) -> None:
        """Charge a player for the time of a step that led from `before` to the present position."""
        if self.clocks.has_budgets:
            charge(self.clocks, len(self.moves.steps), step, self._know(before), self._know(self.position))

    def _take_back(self, entry: TookBack) -> Sequence[State]:
        self.past.append(self.position)
        self.position = self.moves.cut(entry.to)
        self.clocks.cut(entry.to)
        self.steps.append(Step(entry.by, (TAKE_BACK,)))
        self.due = self.game.to_act(self.position)
        self.out = who_is_out(self.game, self.position)
        self.offers = DrawOffers(self.game.info.players)
        return (self.position,)

    def _find_turn(self, state: State) -> int:
        return self._know(state).turn

    def _know(self, state: State) -> Standing:
        """Return what everybody knows of a state."""
        return self.game.standing(self.game.view(state, PUBLIC))

    def _find_owner(self, state: State) -> int:
        """Return the player on turn in `state`, the state after all past ones: the first player to act in that turn.
        CHANCE if only chance has acted.
        """
        turn, owner = self._find_turn(state), self.game.to_act(state)[0]
        for past in reversed(self.past):
            if self._find_turn(past) != turn:
                break
            first = self.game.to_act(past)[0]
            owner = owner if first == CHANCE else first
        return owner

    def _has_begun(self) -> bool:
        return self._know(self.position).started


def attempt(game: Game, state: State, player: int, actions: Sequence[int]) -> list[State]:
    """Return the states after each of `actions`. Together they must be one decision or its beginning.

    Raises `Declined`, `IllegalActionError`.
    """
    row: list[State] = []
    for action in actions:
        if row and not game.is_open(state, player):
            raise Declined("bad-message", detail="more actions than one decision has")
        if not 0 <= action < game.info.actions:
            raise Declined("unknown-action")
        state = game.apply(state, player, action)
        row.append(state)
    return row
