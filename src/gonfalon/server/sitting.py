"""One match as its log tells it: a pure fold of entries, the same for play as it happens and for a match that is loaded."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import CHANCE, PUBLIC, Game, Outcome, State
from gonfalon.engine.offers import DrawOffers
from gonfalon.engine.replay import BROKEN_OFF, CLAIM, NOBODY, ending, perform
from gonfalon.server.declined import Declined
from gonfalon.server.entries import (
    Abandoned,
    Answered,
    AnyEntry,
    Claimed,
    Header,
    Offered,
    Played,
    RematchAsked,
    RematchMade,
    Resigned,
    Taken,
)

TAIL = 12
"""Past states kept, to see where the present turn began."""


class Step(msgspec.Struct, frozen=True):
    """What counts as one `seq`: the actions of one decision, of chance, or one pseudo-action of `engine.replay`."""

    by: int
    actions: tuple[int, ...]


class Sitting:
    """Everything that the log of a match says. `apply` changes it; `size` is the number of entries applied."""

    def __init__(self, header: Header, game: Game, entries: Iterable[AnyEntry] = ()) -> None:
        self.header = header
        self.game = game
        self.state: State = game.initial_state()
        self.steps: list[Step] = []
        self.size = 0
        self.acts: dict[int, tuple[int, tuple[int, ...]]] = {}
        """Of each player: the last stored `Act.n`, and its actions."""
        self.offers = DrawOffers(game.info.players)
        self.taken = {i for i, seat in enumerate(header.seats) if seat.maker or seat.agent}
        self.asked: dict[int, RematchAsked] = {}
        self.next = ""
        self.outcome: Outcome | None = None
        self.due = game.to_act(self.state)
        """Players who may act now, `(CHANCE,)`, or nobody when the match is over."""
        self.started = self._begins()
        """Whether deployments are over; arranging pieces later on changes nothing of it."""
        self._tail: deque[State] = deque(maxlen=TAIL)
        for entry in entries:
            self.apply(entry)

    @property
    def seq(self) -> int:
        return len(self.steps)

    def apply(self, entry: AnyEntry, states: Sequence[State] = ()) -> Sequence[State]:
        """One more entry. `states`: those after each of its actions where they are known already. Returns these states,
        nothing for an entry that is no step.
        """
        self.size += 1
        row: Sequence[State] = ()
        match entry:
            case Played():
                if entry.n:
                    self.acts[entry.by] = (entry.n, entry.actions)
                row = self._step(Step(entry.by, entry.actions), states)
            case Resigned():
                row = self._step(Step(entry.by, (WITHDRAW,)))
            case Claimed():
                row = self._step(Step(entry.by, (CLAIM,)))
            case Abandoned():
                row = self._step(Step(NOBODY, (BROKEN_OFF,)))
            case Offered():
                self.offers = self.offers.offer(entry.by, self.started)
            case Answered():
                self.offers = self.offers.answer(entry.by, entry.accept)
                if self.offers.agreed:
                    row = self._step(Step(NOBODY, (AGREE,)))
            case Taken():
                self.taken.add(entry.by)
            case RematchAsked():
                self.asked[entry.by] = entry
            case RematchMade():
                self.next = entry.match
        return row

    def states_of(self, first: int) -> tuple[list[State], list[list[State]]]:
        """The state before step `first` (in a list of one), and the states of each step from there on, rebuilt."""
        state = self.game.initial_state()
        rows: list[list[State]] = []
        before = state
        for number, step in enumerate(self.steps):
            if number == first:
                before = state
            row = walk(self.game, state, step)
            state = row[-1]
            if number >= first:
                rows.append(row)
        return [before if first < len(self.steps) else state], rows

    def _step(self, step: Step, states: Sequence[State] = ()) -> Sequence[State]:
        before = self.state
        row = states or walk(self.game, before, step)
        self.state = row[-1]
        self.steps.append(step)
        self.outcome = ending(self.game, self.state, step.by, step.actions[-1])
        self.due = () if self.outcome is not None else self.game.to_act(self.state)
        self.started = self.started or self.outcome is not None or self._begins()
        if self.outcome is not None:
            self.offers = DrawOffers(self.game.info.players)
        elif self.offers.offers and self._turn(before) != self._turn(self.state):
            owner = self._owner(before)
            self.offers = self.offers if owner == CHANCE else self.offers.completed_turn(owner)
        self._tail.append(before)
        return row

    def _turn(self, state: State) -> int:
        return self.game.scene(self.game.view(state, PUBLIC)).turn

    def _owner(self, state: State) -> int:
        """Whose turn it is in `state`, which follows the tail: the player who was first to act in it. CHANCE: nobody's."""
        turn, owner = self._turn(state), self.game.to_act(state)[0]
        for past in reversed(self._tail):
            if self._turn(past) != turn:
                break
            first = self.game.to_act(past)[0]
            owner = owner if first == CHANCE else first
        return owner

    def _begins(self) -> bool:
        """Whether play can start: nothing is to be dealt, and nobody who is due has pieces to arrange."""
        if CHANCE in self.due:
            return False
        return all(self.game.scene(self.game.view(self.state, p)).arrange is None for p in self.due)


def walk(game: Game, state: State, step: Step) -> list[State]:
    """The states after each action of a step. Raises `IllegalActionError`, ValueError."""
    row = []
    for action in step.actions:
        state = perform(game, state, step.by, action)
        row.append(state)
    return row


def attempt(game: Game, state: State, player: int, actions: Sequence[int]) -> list[State]:
    """The states after each of `actions`, which must be one decision or its beginning. Raises `Declined`,
    `IllegalActionError`.
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
