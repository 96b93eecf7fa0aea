"""A finished match or a record, step by step, as each observer saw it and with everything shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, Outcome, State, TextError
from gonfalon.engine.records.record import HINTS, TAKE_BACKS, Record
from gonfalon.engine.records.replay import (
    RecordWriter,
    Transition,
    Words,
    find_outcome,
    make_record,
    play_timed,
    word_action,
)
from gonfalon.engine.rulesets.ruleset import Written
from gonfalon.engine.screens.patches import ScenePatch
from gonfalon.engine.screens.scene import Line
from gonfalon.server.clock.clocks import Clocks
from gonfalon.server.clock.control import Control, Untimed, read_control, word_control
from gonfalon.server.match.clients.frames import compare, ending_of, show, side_of, tell
from gonfalon.server.match.moves import Step, charge, play_step
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.bodies import Replay, ReplayStep

MOST_BYTES = 64_000_000
"""Maximum number of bytes of an encoded replay; compression makes it about fifty times smaller."""


class Finished(msgspec.Struct, frozen=True):
    """The parts of a finished match that a replay needs."""

    rules: str | Written
    """The variant, for `games.make`."""
    changed: dict[str, bool | int]
    steps: tuple[Step, ...]
    numbers: tuple[int, ...]
    """The `seq` of each step."""
    names: dict[str, str]
    date: str
    aids: dict[str, int]
    clock: Control | None = None
    persons: tuple[int, ...] = ()
    """Players with a clock."""

    @classmethod
    def of(cls, match_state: MatchState) -> Finished:
        header = match_state.header
        line = match_state.moves
        return cls(
            header.rules,
            header.changed,
            tuple(line.steps),
            tuple(line.numbers),
            match_state.called,
            _date(match_state),
            match_state.aids,
            header.clock,
            tuple(match_state.clocks.persons),
        )


def replay_match(builder: ReplayBuilder, match: Finished) -> bytes:
    """Replay a match into a builder and return the encoded result. Raises `TextError` if the result is too long."""
    game = builder.game
    writer = RecordWriter(game)
    builder.use_clock(match.clock, match.persons)
    for step, seq in zip(match.steps, match.numbers, strict=True):
        states = play_step(game, builder.state, step)
        times = split_time(step)
        words = [
            writer.add(step.by, action, after, took)
            for action, after, took in zip(step.actions, states, times, strict=True)
        ]
        builder.add(step, states, words, seq)
    return builder.finish(writer.write(match.names, match.date, match.aids, word_control(match.clock)))


def record_match(match_state: MatchState) -> Record:
    """Return the record of a finished match."""
    moves = match_state.moves.steps
    steps = [(step.by, action) for step in moves for action in step.actions]
    times = [took for step in moves for took in split_time(step)]
    clock = word_control(match_state.header.clock)
    return make_record(match_state.game, steps, match_state.called, _date(match_state), match_state.aids, clock, times)


def split_time(step: Step) -> list[int]:
    """Return the time of each action of a step: the whole time counts for the last one."""
    return [0] * (len(step.actions) - 1) + [step.took]


def replay_record(builder: ReplayBuilder, record: Record) -> bytes:
    """Replay a record of the builder's game and return the encoded result. Raises `TextError` with the line and the
    reason.
    """
    sides = builder.game.info.sides
    timed = {step.by for step, took in zip(record.steps, record.times, strict=False) if took}
    builder.use_clock(read_control(record.clock), (sides.index(side) for side in sides if side in timed))
    held: list[Transition] = []
    took = 0
    for transition, more in play_timed(builder.game, record):
        _, player, action, after = transition
        if held and player != held[0][1]:
            builder.add_transitions(held, took)
            held, took = [], 0
        held.append(transition)
        took += more
        if action < 0 or player == CHANCE or not builder.game.is_open(after, player):
            builder.add_transitions(held, took)
            held, took = [], 0
    return builder.finish(record)


class Unreadable(msgspec.Struct, frozen=True):
    """The reason why there is no replay, in English and as a message of a catalogue."""

    reason: str
    why: Line


class ReplayBuilder(ABC):
    """Builds an answer while a match is replayed. Its steps are added in order."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state = game.initial_state()
        sides = {side: player for player, side in enumerate(game.info.sides)}
        self.observers = {**sides, "public": PUBLIC, "everything": EVERYTHING}
        self.rows: list[msgspec.Raw] = []
        """The encoded part of each step."""
        self.control: Control | None = None
        self.clocks = Clocks(Untimed(), game.info.players, ())
        self._size = 0

    def use_clock(self, control: Control | None, persons: Iterable[int]) -> None:
        """Give these players clocks, before the first step."""
        self.control = control
        self.clocks = Clocks(control or Untimed(), self.game.info.players, persons)

    def add_transitions(self, held: Sequence[Transition], took: int) -> None:
        """Add one step of a record, which took so many milliseconds."""
        step = Step(held[0][1], tuple(action for _, _, action, _ in held), took)
        words = [word_action(self.game, before, player, action) for before, player, action, _ in held]
        self.add(step, [after for _, _, _, after in held], words)

    @abstractmethod
    def add(self, step: Step, states: Sequence[State], words: Sequence[Words], seq: int = 0) -> None:
        """Add one step. `states`: after each of its actions; `words`: of each action; `seq`: the step's number in the
        match.
        """

    @abstractmethod
    def finish(self, record: Record) -> bytes:
        """Return the encoded answer for all steps. `record`: the whole match."""

    def keep(self, made: object) -> None:
        """Keep the encoded part of one more step. Raises `TextError` if the answer becomes too long."""
        row = msgspec.json.encode(made)
        self.rows.append(msgspec.Raw(row))
        self._size += len(row)
        if self._size > MOST_BYTES:
            reason = f"the match is too long to be shown: {len(self.rows)} steps are not all of it"
            raise TextError(reason, Line("text.steps"))


class SceneBuilder(ReplayBuilder):
    """Builds a `Replay`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._views = {name: game.view(self.state, observer) for name, observer in self.observers.items()}
        self._first = {name: show(game, view) for name, view in self._views.items()}
        self._outcome: Outcome | None = None

    def add(self, step: Step, states: Sequence[State], words: Sequence[Words], seq: int = 0) -> None:
        game, standing = self.game, self.game.standing(self._views["public"])
        self.state = states[-1]
        self._outcome = find_outcome(game, self.state, step.by, step.actions[-1])
        events, patches = {}, dict[str, ScenePatch]()
        for name, observer in self.observers.items():
            events[name] = tell(game, step, states, observer)
            view = game.view(self.state, observer)
            patches[name] = compare(game, self._views[name], view, self._outcome is not None)
            self._views[name] = view
        silent = step.actions[-1] < 0 or words[0].places
        text = "" if silent else " ".join(each.text for each in words)
        turn = standing.turn + 1 if standing.started else 0
        charge(self.clocks, len(self.rows), step, standing, game.standing(self._views["public"]))
        self.keep(ReplayStep(side_of(game, step.by), text, turn, events, patches, seq, step.took, self._left()))

    def _left(self) -> dict[str, int]:
        """Return the time that each person has left, by side."""
        left = {side: self.clocks.left(player, before_play=False) for player, side in enumerate(self.game.info.sides)}
        return {side: time for side, time in left.items() if time is not None}

    def finish(self, record: Record) -> bytes:
        info = self.game.info
        replay = Replay(
            variant=info.variant,
            family=info.family,
            changed=info.ruleset.changed,
            names=dict(record.names),
            board=self.game.board(),
            first=self._first,
            steps=(),
            ending=ending_of(self.game, self._outcome),
            record=record.write(),
            took_back=record.aids.get(TAKE_BACKS, 0),
            hints=record.aids.get(HINTS, 0),
            clock=self.control,
        )
        return msgspec.json.encode({**msgspec.structs.asdict(replay), "steps": self.rows})


def _date(match_state: MatchState) -> str:
    return datetime.fromtimestamp(match_state.header.created, UTC).date().isoformat()
