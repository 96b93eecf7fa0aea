"""Frames for one observer, made only from this observer's view, events, scene and choices."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gonfalon.engine.events import WITHDRAW, Event
from gonfalon.engine.game import CHANCE, EVERYTHING, Game, Outcome, State
from gonfalon.engine.records.replay import BROKEN_OFF, CLAIM, OUT_OF_TIME
from gonfalon.engine.screens.patches import ScenePatch, compare_scenes
from gonfalon.engine.screens.scene import Line, Scene
from gonfalon.engine.view import View
from gonfalon.server.match.moves import TAKE_BACK, Step
from gonfalon.server.protocol.match_info import Ending
from gonfalon.server.protocol.messages import Message

_encoder = msgspec.json.Encoder()


def encode(message: Message) -> bytes:
    """Return a message as it is sent."""
    return _encoder.encode(message)


def show(game: Game, view: View, over: bool = False) -> Scene:
    """Return the scene for an observer. `over`: the match has ended, even if the rules would let it go on."""
    scene = game.scene(view)
    if over and (scene.to_act or scene.buttons):
        return msgspec.structs.replace(scene, to_act=(), buttons=(), arrange=None, status=Line("over"))
    return scene


def compare(game: Game, before: View, after: View, over: bool = False) -> ScenePatch:
    """Return the patch from the scene of `before` to the scene of `after`."""
    return compare_scenes(game.scene(before), show(game, after, over)) if over else game.patch(before, after)


def uncover(game: Game, shown: View, last: State) -> ScenePatch:
    """Return the patch from an observer's last scene of a match to the scene that hides nothing."""
    return compare_scenes(show(game, shown, True), show(game, game.view(last, EVERYTHING), True))


def tell(game: Game, step: Step, states: Sequence[State], observer: int, first: int = 0) -> tuple[Event, ...]:
    """Return the events of a step's actions from number `first` on."""
    if len(states) == 1 and not first:
        return _tell(game, step.by, step.actions[0], states[0], observer)
    events: list[Event] = []
    for number, (action, after) in enumerate(zip(step.actions, states, strict=True)):
        if number >= first:
            events.extend(_tell(game, step.by, action, after, observer))
    return tuple(events)


def _tell(game: Game, by: int, action: int, after: State, observer: int) -> tuple[Event, ...]:
    if action == CLAIM:
        return (Event("claimed", {"side": game.info.sides[by]}),)
    if action == OUT_OF_TIME:
        # By the rules the player resigns, with all that follows from it, but nobody says so.
        told = game.events(WITHDRAW, after, observer)
        return Event("out-of-time", {"side": game.info.sides[by]}), *(e for e in told if e.code != "resigned")
    if action == BROKEN_OFF:
        return (Event("broken-off"),)
    if action == TAKE_BACK:
        return (Event("took-back", {"side": game.info.sides[by]}),)
    return game.events(action, after, observer)


def side_of(game: Game, player: int | None) -> str:
    """Return a player's side, empty for None, chance and spectators."""
    return game.info.sides[player] if player is not None and player > CHANCE else ""


def ending_of(game: Game, outcome: Outcome | None) -> Ending | None:
    """Return the ending of a match, None while it runs."""
    if outcome is None:
        return None
    best = outcome.best
    return Ending(outcome.reason, outcome.returns, game.info.sides[best[0]] if len(best) == 1 else "")
