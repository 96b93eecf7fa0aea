"""A whole match, step by step, as each observer saw it and with everything shown: only of what is over, or of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, Outcome, State
from gonfalon.engine.patches import ScenePatch
from gonfalon.engine.record import Record, read_record
from gonfalon.engine.replay import ending, game_of, make_record
from gonfalon.engine.replay import replay as transitions
from gonfalon.games import make
from gonfalon.server.frames import compare, ending_of, show, side_of, tell
from gonfalon.server.messages import Replay, ReplayStep
from gonfalon.server.sitting import Sitting, Step, walk


def replay_of_match(sitting: Sitting) -> Replay:
    """The replay of a finished match."""
    record = record_of(sitting)
    return _replay(sitting.game, sitting.steps, dict(record.names), sitting.outcome, record.write())


def record_of(sitting: Sitting) -> Record:
    """The record of a finished match."""
    sides = sitting.game.info.sides
    names = {side: s.name or s.agent for side, s in zip(sides, sitting.header.seats, strict=True)}
    date = _date(sitting.header.created)
    steps = [(step.by, action) for step in sitting.steps for action in step.actions]
    return make_record(sitting.game, steps, {side: name for side, name in names.items() if name}, date)


def replay_of_text(text: str) -> Replay:
    """The replay of a record's text. Raises `TextError` with the line and the reason."""
    record = read_record(text)
    game = game_of(record, make)
    steps: list[Step] = []
    open_by, pending = CHANCE, list[int]()
    state, last = game.initial_state(), Step(CHANCE, ())
    for before, player, action, after in transitions(record, make):
        if pending and player != open_by:
            steps.append(Step(open_by, tuple(pending)))
            pending = []
        open_by = player
        pending.append(action)
        if action < 0 or player == CHANCE or not game.is_open(after, player):
            last = Step(player, tuple(pending))
            steps.append(last)
            pending = []
        state = after
        del before
    outcome = ending(game, state, last.by, last.actions[-1]) if last.actions else None
    return _replay(game, steps, dict(record.names), outcome, record.write())


def _replay(game: Game, steps: Sequence[Step], names: Mapping[str, str], outcome: Outcome | None, text: str) -> Replay:
    observers = {**{s: p for p, s in enumerate(game.info.sides)}, "public": PUBLIC, "everything": EVERYTHING}
    state = game.initial_state()
    views = {name: game.view(state, observer) for name, observer in observers.items()}
    first = {name: show(game, view) for name, view in views.items()}
    rows: list[ReplayStep] = []
    for number, step in enumerate(steps):
        states = walk(game, state, step)
        over = number + 1 == len(steps) and outcome is not None
        begun = game.scene(views["public"])
        events, patches = {}, dict[str, ScenePatch]()
        for name, observer in observers.items():
            events[name] = tell(game, step, states, observer)
            view = game.view(states[-1], observer)
            patches[name] = compare(game, views[name], view, over)
            views[name] = view
        turn = begun.turn + 1 if begun.started else 0
        rows.append(ReplayStep(side_of(game, step.by), _text(game, state, step), turn, events, patches))
        state = states[-1]
    info = game.info
    return Replay(
        variant=info.variant,
        family=info.family,
        changed=info.ruleset.changed,
        names=dict(names),
        board=game.board(),
        first=first,
        steps=tuple(rows),
        ending=ending_of(game, outcome),
        record=text,
    )


def _text(game: Game, state: State, step: Step) -> str:
    """The notation of a step; empty for placements and for what is no action."""
    eyes = step.by if step.by >= 0 else EVERYTHING
    if step.actions[-1] < 0 or (step.by >= 0 and game.scene(game.view(state, eyes)).arrange is not None):
        return ""
    words = []
    for action, after in zip(step.actions, walk(game, state, step), strict=True):
        words.append(game.action_text(game.view(state, eyes), action))
        state = after
    return " ".join(words)


def _date(created: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(created, UTC).date().isoformat()
