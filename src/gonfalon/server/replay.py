"""A whole match step by step, as each observer saw it and with everything shown: a finished match, or a record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, Outcome, State
from gonfalon.engine.patches import ScenePatch
from gonfalon.engine.record import Record, read_record
from gonfalon.engine.replay import (
    RecordWriter,
    Transition,
    Words,
    find_outcome,
    game_of,
    make_record,
    play_record,
    word_action,
)
from gonfalon.games import make
from gonfalon.server.frames import compare, ending_of, show, side_of, tell
from gonfalon.server.messages import Replay, ReplayStep
from gonfalon.server.sitting import Sitting, Step, play_step


def replay_match(sitting: Sitting) -> Replay:
    """The replay of a finished match."""
    reel, writer = _Reel(sitting.game), RecordWriter(sitting.game)
    for step in sitting.steps:
        states = play_step(sitting.game, reel.state, step)
        words = [writer.add(step.by, action, after) for action, after in zip(step.actions, states, strict=True)]
        reel.add(step, states, words)
    return reel.finish(writer.write(_names(sitting), _date(sitting)))


def record_match(sitting: Sitting) -> Record:
    """The record of a finished match."""
    steps = [(step.by, action) for step in sitting.steps for action in step.actions]
    return make_record(sitting.game, steps, _names(sitting), _date(sitting))


def replay_record(text: str) -> Replay:
    """The replay of a record's text. Raises `TextError` with the line and the reason."""
    record = read_record(text)
    reel = _Reel(game_of(record, make))
    held: list[Transition] = []
    for transition in play_record(reel.game, record):
        _, player, action, after = transition
        if held and player != held[0][1]:
            reel.add_transitions(held)
            held = []
        held.append(transition)
        if action < 0 or player == CHANCE or not reel.game.is_open(after, player):
            reel.add_transitions(held)
            held = []
    return reel.finish(record)


class _Reel:
    """A replay while it is made: its steps are added in order, and each is played once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state = game.initial_state()
        sides = {side: player for player, side in enumerate(game.info.sides)}
        self._observers = {**sides, "public": PUBLIC, "everything": EVERYTHING}
        self._views = {name: game.view(self.state, observer) for name, observer in self._observers.items()}
        self._first = {name: show(game, view) for name, view in self._views.items()}
        self._rows: list[ReplayStep] = []
        self._outcome: Outcome | None = None

    def add_transitions(self, held: Sequence[Transition]) -> None:
        """One step, as a record is played."""
        step = Step(held[0][1], tuple(action for _, _, action, _ in held))
        words = [word_action(self.game, before, player, action) for before, player, action, _ in held]
        self.add(step, [after for _, _, _, after in held], words)

    def add(self, step: Step, states: Sequence[State], words: Sequence[Words]) -> None:
        """One step: the states after each of its actions, and their words."""
        game, standing = self.game, self.game.standing(self._views["public"])
        self.state = states[-1]
        self._outcome = find_outcome(game, self.state, step.by, step.actions[-1])
        events, patches = {}, dict[str, ScenePatch]()
        for name, observer in self._observers.items():
            events[name] = tell(game, step, states, observer)
            view = game.view(self.state, observer)
            patches[name] = compare(game, self._views[name], view, self._outcome is not None)
            self._views[name] = view
        silent = step.actions[-1] < 0 or words[0].places
        text = "" if silent else " ".join(each.text for each in words)
        turn = standing.turn + 1 if standing.started else 0
        self._rows.append(ReplayStep(side_of(game, step.by), text, turn, events, patches))

    def finish(self, record: Record) -> Replay:
        """The replay of all steps, which are those of `record`."""
        info = self.game.info
        return Replay(
            variant=info.variant,
            family=info.family,
            changed=info.ruleset.changed,
            names=dict(record.names),
            board=self.game.board(),
            first=self._first,
            steps=tuple(self._rows),
            ending=ending_of(self.game, self._outcome),
            record=record.write(),
        )


def _names(sitting: Sitting) -> dict[str, str]:
    """Players' names by side, of those who have one."""
    seats = zip(sitting.game.info.sides, sitting.header.seats, strict=True)
    return {side: seat.name or seat.agent for side, seat in seats if seat.name or seat.agent}


def _date(sitting: Sitting) -> str:
    return datetime.fromtimestamp(sitting.header.created, UTC).date().isoformat()
