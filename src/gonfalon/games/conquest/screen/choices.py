"""The viewer's choices as paths of scene ids. Arrangements are not among them; see `Scene.arrange`."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from gonfalon.engine.game import Actions
from gonfalon.engine.screens.scene import Choice, Line
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import Map
from gonfalon.games.conquest.ruleset import CARDS
from gonfalon.games.conquest.screen.scene import FROM_HAND, NO_CARD, STOP, guess_id
from gonfalon.games.conquest.screen.score import warning_of
from gonfalon.games.conquest.text.notation import Names, names_of


def choices_of(view: View, land: Map, shown: bool = True) -> tuple[Choice, ...]:
    """Return the legal actions as paths. `shown`: whether the screen shows what was seen earlier (switch
    `show_known`).
    """
    if not view.n_legal or view.phase in (g.DEPLOY, g.ORDER):
        return ()
    names, actions = names_of(land), view.legal
    if view.phase == g.MOVE:
        return _moves(view, names, actions, _warnings(view, shown))
    verb = _ZONE_VERBS[view.phase == g.RAISE, view.playing in FROM_HAND]
    choices = tuple(choice for action in actions.tolist() for choice in _choices(names, action, verb))
    warning = _warnings(view, shown).get(int(view.chosen[0])) if view.phase == g.GUESS else None
    if warning is None:
        return choices
    return tuple(replace(each, warning=warning) if each.id == g.ACT_GUESS + g.FLAG else each for each in choices)


_ZONE_VERBS = {(False, False): "aim", (False, True): "enter", (True, False): "raise", (True, True): "raise"}
"""Verb for naming a zone, by whether it is for a Flag, and whether it is for a unit from the reserve."""


@cache
def _choices(names: Names, action: int, verb: str) -> tuple[Choice, ...]:
    """Return all choices except moves. A territory can be chosen by any of its zones. `verb`: the verb for naming a
    zone.
    """
    if g.ACT_PICK <= action < g.ACT_CARD:
        first = g.IN_TERRITORY * (action - g.ACT_PICK)
        return tuple(Choice(action, "pick", (zone,)) for zone in names.zones[first : first + g.IN_TERRITORY])
    if action < g.ACT_NO_CARD:
        return (Choice(action, "card", (f"card.{CARDS[action - g.ACT_CARD]}",)),)
    if action == g.ACT_NO_CARD:
        return (Choice(action, "decline", (NO_CARD,)),)
    if action < g.ACT_GUESS:
        return (Choice(action, verb, (names.zones[action - g.ACT_ZONE],)),)
    return (Choice(action, "guess", (guess_id(action),)),)


class _Moves(dict[int, Choice]):
    """Choices of moves by action, and of attacks by action plus `g.ACTIONS`. Each is made when first needed."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names.zones

    def __missing__(self, key: int) -> Choice:
        attacks, action = divmod(key, g.ACTIONS)
        begin, finish = divmod(action - g.ACT_MOVE, g.ZONES)
        path = (self.names[begin], self.names[finish])
        choice = self[key] = Choice(action, "attack" if attacks else "move", path)
        return choice


_cached_moves = cache(_Moves)
_STOP = Choice(g.ACT_STOP, "stop", (STOP,))


def _moves(view: View, names: Names, actions: Actions, warnings: dict[int, Line]) -> tuple[Choice, ...]:
    stop = (_STOP,) if actions[0] == g.ACT_STOP else ()
    going = actions[len(stop) :]
    ends = (going - g.ACT_MOVE) % g.ZONES
    cached = _cached_moves(names)
    moves = [cached[key] for key in (going + g.ACTIONS * (view.at[ends] != g.NONE)).tolist()]
    if warnings:
        found = zip(moves, map(warnings.get, ends.tolist()), strict=True)
        moves = [move if warning is None else replace(move, warning=warning) for move, warning in found]
    return (*stop, *moves)


def _warnings(view: View, shown: bool) -> dict[int, Line]:
    """Return the warnings before attacks, by attacked zone. Most attacks need none."""
    if set(view.wins_by.tolist()) <= {g.NONE, view.observer}:
        return {}
    found = {zone: warning_of(view, zone, shown) for zone in range(g.ZONES)}
    return {zone: warning for zone, warning in found.items() if warning is not None}
