"""Makes the record of a match from its steps, and replays a record under the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import NamedTuple

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, IllegalActionError, Outcome, State, TextError
from gonfalon.engine.records.lines import fit_line
from gonfalon.engine.records.record import (
    AGREED,
    CLAIMS,
    DEPLOY,
    NO_RESULT,
    RESIGNS,
    TIME_OVER,
    Record,
    Step,
    check_aids,
    error_at,
)
from gonfalon.engine.rulesets.ruleset import RulesetError, Written, find_source
from gonfalon.engine.screens.scene import Line
from gonfalon.engine.spelling import list_known

CLAIM = -3
"""Pseudo-action: the player claimed the win because the other players stayed away. It does not change the state."""
BROKEN_OFF = -4
"""Pseudo-action: the match ended without a result. It does not change the state."""
OUT_OF_TIME = -6
"""Pseudo-action: the player's time is over. The player leaves the match as by resigning. -5 belongs to the server."""
NOBODY = CHANCE
"""Player of steps that no single player makes: `AGREE`, `BROKEN_OFF`."""

_BY_SIDE = {RESIGNS: WITHDRAW, CLAIMS: CLAIM, TIME_OVER: OUT_OF_TIME}
_BY_ALL = {AGREED: AGREE, NO_RESULT: BROKEN_OFF}
_TEXTS = {action: text for text, action in (_BY_SIDE | _BY_ALL).items()}

Make = Callable[..., Game]
"""Function that makes a game from a variant's name or from a `Written` ruleset, with switches as keywords, like
`gonfalon.make`.
"""
Transition = tuple[State, int, int, State]
"""One step of a replay: state before, player, action (or pseudo-action), state after."""


def perform(game: Game, state: State, player: int, action: int) -> State:
    """Return the state after an action or a pseudo-action.

    Raises `IllegalActionError` for an illegal action, ValueError for an impossible pseudo-action.
    """
    if action >= 0:
        return game.apply(state, player, action)
    if action in (WITHDRAW, OUT_OF_TIME):
        return game.withdraw(state, player)
    if action == AGREE:
        return game.agree_draw(state)
    if action not in (CLAIM, BROKEN_OFF):
        raise ValueError(f"no such action: {action}")
    if game.outcome(state) is not None:
        raise ValueError("the match is over")
    if action == CLAIM and player in who_is_out(game, state):
        raise ValueError("who is out claims nothing")
    return state


def who_is_out(game: Game, state: State) -> frozenset[int]:
    """Return the players who have left while the match goes on."""
    if game.info.players == 2:  # a single remaining player would have won
        return frozenset()
    return frozenset(game.standing(game.view(state, PUBLIC)).out)


def find_outcome(game: Game, state: State, player: int = NOBODY, action: int = 0) -> Outcome | None:
    """Return the outcome if `player`'s `action`, which led to `state`, ended the match; else None.

    In addition to the game's own endings, there are `claimed` (the other players stayed away), `time` (a player's time
    was over) and `no-result` (all returns are 0).
    """
    if action == BROKEN_OFF:
        return Outcome((0.0,) * game.info.players, "no-result")
    if action == CLAIM:
        return Outcome.of(game.info.players, (player,), "claimed")
    outcome = game.outcome(state)
    return Outcome(outcome.returns, "time") if outcome is not None and action == OUT_OF_TIME else outcome


def word_result(game: Game, outcome: Outcome | None) -> str:
    """Return the outcome as text for the header of a record."""
    if outcome is None:
        return "unfinished"
    if outcome.reason == "no-result":
        return NO_RESULT
    best = [game.info.sides[player] for player in outcome.best]
    shared = "" if len(best) == game.info.players else f" of {', '.join(best)}"
    return f"{best[0]} wins ({outcome.reason})" if len(best) == 1 else f"draw{shared} ({outcome.reason})"


# ---- replaying ---------------------------------------------------------------------------------------------------


def game_of(record: Record, make: Make) -> Game:
    """Return the game of a record. Raises `TextError`, with the line, for an unknown variant, switch or side, and for
    a bad ruleset.
    """
    variant = find_source(record.variant, record.ruleset)
    try:
        game = make(variant, **record.switches)
    except RulesetError as error:
        line = record.lines.get(_find_refused_key(variant, make), 0)
        raise error_at(line, str(error), "game") from error
    for side in record.names:
        if side not in game.info.sides:
            line = record.lines.get(f"player {side}", 0)
            raise error_at(line, f"{record.variant} has no side {side!r}", "side", name=side[:40])
    return game


def _find_refused_key(variant: str | Written, make: Make) -> str:
    """Return the header key whose value `make` does not accept."""
    try:
        make(variant)
    except RulesetError:
        return "ruleset" if isinstance(variant, Written) else "variant"
    return "switches"


def play_record(game: Game, record: Record) -> Iterator[Transition]:
    """Yield every action of the record in order, each checked by the game. `game` must be `game_of` the record.

    Yields (state before, player, action, state after). `player` is `CHANCE` for a draw of chance and `NOBODY` for a
    step of all players. `action` may be one of the pseudo-actions `WITHDRAW`, `AGREE`, `CLAIM`, `OUT_OF_TIME`,
    `BROKEN_OFF`. Raises `TextError` with the line of the first step that the rules refuse. If the steps lead to another
    result than the stated one, it has the line of the result.
    """
    for transition, _ in play_timed(game, record):
        yield transition


def play_timed(game: Game, record: Record) -> Iterator[tuple[Transition, int]]:
    """As `play_record`, with the milliseconds that each step took, at its first action; 0 if they are not known."""
    state = game.initial_state()
    last = NOBODY, 0
    for step, took in zip(record.steps, chain(record.times, repeat(0)), strict=False):
        if last[1] in (CLAIM, BROKEN_OFF):
            raise error_at(step.line, "nothing follows the end of the match", "after-end")
        rest = took
        for transition in _replay_step(game, state, step):
            yield transition, rest
            _, *last_step, state = transition
            last, rest = (last_step[0], last_step[1]), 0
    found = word_result(game, find_outcome(game, state, *last))
    if record.result and record.result != found:
        reason = f"the result is stated as {record.result!r}, the steps give {found!r}"
        raise error_at(record.lines.get("result", 0), reason, "result", text=record.result, found=found)


def _replay_step(game: Game, state: State, step: Step) -> Iterator[Transition]:
    """Play the actions of one line from `state`."""
    player, text = _read_player(game, step), step.text[:40]
    try:
        actions = _read_actions(game, state, player, step)
    except TextError as error:
        raise error_at(step.line, str(error), "action", text=text) from error
    for action in actions:
        try:
            after = perform(game, state, player, action)
        except IllegalActionError as error:
            arguments = "".join(f" {key}={value}" for key, value in error.refusal.args.items())
            reason = f"{text!r} is not allowed: {error.refusal.code}{arguments}"
            why = Line(f"refusal.{error.refusal.code}", error.refusal.args)
            raise error_at(step.line, reason, "illegal", text=text, why=why) from error
        except ValueError as error:
            raise error_at(step.line, f"{text!r} is not possible: {error}", "impossible", text=text) from error
        yield state, player, action, after
        state = after


def _read_actions(game: Game, state: State, player: int, step: Step) -> list[int]:
    """Return the actions of a line: one action, or all placements of an arrangement. Raises `TextError`; the caller
    adds the line number.
    """
    ending = (_BY_SIDE if step.by else _BY_ALL).get(step.text)
    if ending is not None and (player != CHANCE or not step.by):
        return [ending]
    if step.text.startswith(DEPLOY) and player != CHANCE:
        return [int(action) for action in game.parse_deployment(step.text.removeprefix(DEPLOY).strip(), player)]
    return [game.parse_action(game.view(state, _observer_of(player)), step.text)]


def _read_player(game: Game, step: Step) -> int:
    if not step.by:
        return NOBODY
    if step.by == "chance":
        return CHANCE
    if step.by not in game.info.sides:
        raise error_at(step.line, f"{game.info.variant} has no side {step.by!r}", "side", name=step.by[:40])
    return game.info.sides.index(step.by)


def _observer_of(player: int) -> int:
    """Return the observer from whose view the text of a player's action is made. For chance it is EVERYTHING."""
    return EVERYTHING if player == CHANCE else player


# ---- making ------------------------------------------------------------------------------------------------------


def make_record(
    game: Game,
    steps: Iterable[tuple[int, int]],
    names: Mapping[str, str] | None = None,
    date: str = "",
    aids: Mapping[str, int] | None = None,
    clock: str = "",
    times: Iterable[int] = (),
) -> Record:
    """Return the record of a match. `steps`: (player, action) from its start, including pseudo-actions.

    The placements of a completed arrangement become one `deploy` line; those of an incomplete one stay single steps.
    `names`: by side; `clock`: see `Record`; `times`: milliseconds that each step took, as far as they are known. Raises
    ValueError (`IllegalActionError` is one) for a step that the rules refuse, with the number of the step. Raises
    ValueError also for names and aids that cannot stand in a record.
    """
    writer = RecordWriter(game)
    for number, ((player, action), took) in enumerate(zip(steps, chain(times, repeat(0)), strict=False)):
        try:
            after = perform(game, writer.state, player, action)
        except ValueError as error:
            error.add_note(f"step {number}, counted from 0")
            raise
        writer.add(player, action, after, took)
    return writer.write(names or {}, date, aids or {}, clock)


class Words(NamedTuple):
    """The text of an action or pseudo-action. `places`: whether the action places a piece of an arrangement."""

    text: str
    places: bool = False


def word_action(game: Game, before: State, player: int, action: int) -> Words:
    """Return the text of a player's action in the state `before`, for a record."""
    if action < 0:
        return Words(_TEXTS[action])
    view = game.view(before, _observer_of(player))
    return Words(game.action_text(view, action), player != CHANCE and game.standing(view).arranges)


class RecordWriter:
    """Collects the texts of steps. A player's placements become one line when the arrangement is complete.

    That line replaces the last placement; the order of placements by different players makes no difference. But if any
    other step came between them (a draw of chance, another decision, a resignation), the placements stay single steps.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state = game.initial_state()
        self._steps: list[Step | None] = []
        self._times: list[int] = []
        self._open: dict[int, _Open] = {}
        self._last = NOBODY, 0

    def add(self, player: int, action: int, after: State, took: int = 0) -> Words:
        """Add a step that leads to the state `after` and took so many milliseconds. Return its text."""
        before, self.state, self._last = self.state, after, (player, action)
        words = word_action(self.game, before, player, action)
        nobody = action in (AGREE, BROKEN_OFF)
        side = "" if nobody else "chance" if player == CHANCE else self.game.info.sides[player]
        self._steps.append(Step(side, words.text))
        self._times.append(took)
        if words.places:
            self._place(before, player, action)
        else:
            for each in self._open.values():
                each.interrupted = True
        return words

    def _place(self, before: State, player: int, action: int) -> None:
        arrange = self.game.scene(self.game.view(before, player)).arrange
        assert arrange is not None
        held = self._open.setdefault(player, _Open())
        held.actions.append(action)
        held.lines.append(len(self._steps) - 1)
        if len(arrange.places) == 1:
            self._close(self._open.pop(player), self.game.info.sides[player])

    def _close(self, complete: _Open, side: str) -> None:
        """Replace the placements of a completed arrangement by one line, unless another step came between them."""
        if complete.interrupted:
            return
        for line in complete.lines:
            self._steps[line] = None
        self._steps.append(Step(side, DEPLOY + self.game.deployment_text(complete.actions)))
        self._times.append(sum(self._times[line] for line in complete.lines))

    def write(self, names: Mapping[str, str], date: str, aids: Mapping[str, int], clock: str = "") -> Record:
        """Return the record of the steps so far. Raises ValueError for names and aids that cannot stand in a record."""
        times = tuple(took for step, took in zip(self._steps, self._times, strict=True) if step is not None)
        info = self.game.info
        for side in names:
            if side not in info.sides:
                raise ValueError(f"{info.variant} has no side {side!r}; {list_known(side, info.sides)}")
        check_aids(aids)
        return Record(
            info.variant,
            dict(info.ruleset.changed),
            {side: fit_line(name) for side, name in names.items()},
            fit_line(date),
            dict(aids),
            word_result(self.game, find_outcome(self.game, self.state, *self._last)),
            tuple(step for step in self._steps if step is not None),
            clock=clock,
            times=times if any(times) else (),
            ruleset=info.ruleset.text,
        )


@dataclass(slots=True)
class _Open:
    """An arrangement that its player has not completed yet."""

    actions: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """The indices of the placements among the steps."""
    interrupted: bool = False
