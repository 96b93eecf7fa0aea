"""A tiny game for three players in plain Python, for tests of matches with more than two. A player who resigns is out
while the rest play on. It has chance in the middle of a turn, turns of several actions, and compound choices that only
their own player sees.

All three place two pieces of kinds 0 and 1 at the same time. In a turn, chance draws first. Then the player may `go`
any number of times (chance draws again after each), or `pick` and name two places (the choice is open until both are
named), and then must `stop`. A player left alone wins. After `TURNS` turns the players who said `go` most often share a
draw.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gonfalon.engine.events import AGREE, WITHDRAW, Event, Refusal
from gonfalon.engine.game import CHANCE, GameInfo, IllegalActionError, Outcome, Standing, TextError
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.patches import ScenePatch, compare_scenes
from gonfalon.engine.screens.scene import Arrange, ArrangePiece, Board, Choice, Line, Scene, Token

SIDES = ("red", "blue", "green")
PLACES, PLACED, NAMED, TURNS = 4, 2, 2, 30
PLACE, GO, PICK, STOP, NAME, DRAW = 0, 2, 3, 4, 5, 9
"""Actions: place a piece, make a step, begin a choice, end the turn, name a place, draw a card."""
WORDS = {GO: "go", PICK: "pick", STOP: "stop"}


class TrioState(NamedTuple):
    laid: tuple[tuple[int, ...], ...] = ((), (), ())
    mover: int = 0
    turn: int = 0
    due: bool = False
    """Whether chance draws next."""
    named: tuple[int, ...] | None = None
    """Places named so far in an open choice."""
    gone: tuple[int, ...] = (0, 0, 0)
    """Number of times each player said `go`."""
    cards: tuple[int, ...] = ()
    out: frozenset[int] = frozenset()
    best: tuple[int, ...] = ()
    reason: str = ""
    by: int = CHANCE
    """Player who acted last."""


class TrioView(NamedTuple):
    state: TrioState
    observer: int

    @property
    def legal(self) -> Any:
        return Trio().legal_actions(self.state, self.observer)


class Trio:
    """The members of a game that a server and records use."""

    def __init__(self) -> None:
        self.info = GameInfo("trio", "trio", 3, SIDES, True, DRAW + 3, 4, 10**4, Ruleset("trio", "trio", (), {}, {}))

    def initial_state(self) -> Any:
        return TrioState()

    def started(self, state: TrioState) -> bool:
        return all(len(laid) == PLACED or p in state.out for p, laid in enumerate(state.laid))

    def to_act(self, state: Any) -> tuple[int, ...]:
        if state.reason:
            return ()
        if not self.started(state):
            return tuple(p for p in range(3) if p not in state.out and len(state.laid[p]) < PLACED)
        return (CHANCE,) if state.due else (state.mover,)

    def legal_actions(self, state: Any, player: int) -> Any:
        if player < 0 or player not in self.to_act(state):
            return np.zeros(0, np.int32)
        if not self.started(state):
            return np.arange(PLACE, GO, dtype=np.int32)
        if state.named is not None:
            return np.array([NAME + k for k in range(PLACES) if k not in state.named], np.int32)
        return np.array([GO, PICK, STOP], np.int32)

    def chance_outcomes(self, state: Any) -> Any:
        n = 3 if self.to_act(state) == (CHANCE,) else 0
        return np.arange(DRAW, DRAW + n, dtype=np.int32), np.full(n, 1 / 3)

    def apply(self, state: Any, player: int, action: int) -> Any:
        able = self.chance_outcomes(state)[0] if player == CHANCE else self.legal_actions(state, player)
        if action not in able:
            raise IllegalActionError(Refusal("not-now"), player, action)
        state = state._replace(by=player)
        if player == CHANCE:
            return state._replace(due=False, cards=(*state.cards, action - DRAW))
        if action < GO:
            laid = tuple((*row, action) if p == player else row for p, row in enumerate(state.laid))
            after = state._replace(laid=laid)
            return after._replace(due=self.started(after))
        return self._play(state, player, action)

    def _play(self, state: TrioState, player: int, action: int) -> TrioState:
        if action == GO:
            gone = tuple(n + (p == player) for p, n in enumerate(state.gone))
            return state._replace(gone=gone, due=True)
        if action == PICK:
            return state._replace(named=())
        if action >= NAME:
            named = (*(state.named or ()), action - NAME)
            return state._replace(named=named if len(named) < NAMED else None)
        return self._next(state)

    def _next(self, state: TrioState) -> TrioState:
        """End the turn."""
        mover = next((state.mover + k) % 3 for k in (1, 2, 3) if (state.mover + k) % 3 not in state.out)
        after = state._replace(mover=mover, turn=state.turn + 1, due=True, named=None)
        if after.turn < TURNS:
            return after
        left = [p for p in range(3) if p not in state.out]
        most = max(state.gone[p] for p in left)
        return after._replace(best=tuple(p for p in left if state.gone[p] == most), reason="turns")

    def is_open(self, state: Any, player: int) -> bool:
        if not self.started(state):
            return 0 < len(state.laid[player]) < PLACED
        return state.named is not None and player == state.mover

    def withdraw(self, state: Any, player: int) -> Any:
        if state.reason or player in state.out:
            raise ValueError("not possible")
        begun = self.started(state)
        after = state._replace(out=state.out | {player}, by=player)
        left = tuple(p for p in range(3) if p not in after.out)
        if len(left) == 1:
            return after._replace(best=left, reason="resigned")
        if not begun:
            return after._replace(due=self.started(after), mover=left[0])
        return self._next(after) if state.mover == player else after

    def agree_draw(self, state: Any) -> Any:
        if state.reason or not self.started(state):
            raise ValueError("not possible")
        return state._replace(best=tuple(p for p in range(3) if p not in state.out), reason="agreed")

    def outcome(self, state: Any) -> Outcome | None:
        return Outcome.of(3, state.best, state.reason) if state.reason else None

    # ---- what is seen

    def view(self, state: Any, player: int) -> Any:
        own = tuple(row if p == player or self.started(state) else () for p, row in enumerate(state.laid))
        named = state.named if player == state.mover else None
        return TrioView(state if player < -2 else state._replace(laid=own, named=named), player)

    def board(self) -> Board:
        return Board("table", 1, 1, ())

    def scene(self, view: Any) -> Scene:
        state, me = view.state, view.observer
        started = bool(state.cards) or state.due or bool(state.reason)
        arrange = None
        if self.standing(view).arranges:
            places = tuple(f"p{k}" for k in range(len(state.laid[me]), PLACED))
            arrange = Arrange(places, tuple(ArrangePiece(f"kind{k}", "ab"[k], 2, k) for k in range(2)))
        pieces = (
            Token(f"{s}{k}", f"{s}{k}", s) for s, row in zip(SIDES, state.laid, strict=True) for k in range(len(row))
        )
        named = (Token(f"n{k}", f"place{k}", SIDES[state.mover]) for k in state.named or ())
        out = tuple(SIDES[p] for p in self.standing(view).out)
        acting = () if not started or state.due or state.reason else (SIDES[state.mover],)
        return Scene(
            (*pieces, *named), (), (), (), Line("turn"), acting, state.turn, arrange, started=started, out=out
        )  # fmt: skip

    def patch(self, before: Any, after: Any) -> ScenePatch:
        return compare_scenes(self.scene(before), self.scene(after))

    def choices(self, view: Any) -> tuple[Choice, ...]:
        if self.scene(view).arrange is not None or view.observer < 0:
            return ()
        return tuple(Choice(int(a), "do", (self.action_text(view, int(a)),)) for a in view.legal)

    def standing(self, view: Any) -> Standing:
        state = view.state
        started = bool(state.cards or state.due or state.reason)
        out = () if state.reason else tuple(sorted(state.out))
        arranges = not started and view.observer in self.to_act(state)
        return Standing(started, state.turn, 0, out, arranges)

    def events(self, action: int, after: Any, observer: int) -> tuple[Event, ...]:
        if action == WITHDRAW:
            return (Event("resigned", {"side": SIDES[after.by]}),)
        if action == AGREE:
            return (Event("agreed"),)
        hidden = action < GO or after.named is not None or action >= NAME
        if after.by != CHANCE and hidden and observer != after.by:
            return ()
        return (Event("did", {"what": self.action_text(None, action)}),)

    def explain(self, _state: Any, _player: int, _action: int) -> Refusal | None:
        return Refusal("not-now")

    def action_text(self, _view: Any, action: int) -> str:
        if action >= DRAW:
            return f"card {action - DRAW}"
        return f"place{action - NAME}" if action >= NAME else WORDS.get(action) or "ab"[action]

    def parse_action(self, view: Any, text: str) -> int:
        texts = {self.action_text(view, action): action for action in range(self.info.actions)}
        if text not in texts:
            raise TextError(f"{text!r} is no action")
        return texts[text]

    def deployment_text(self, actions: Any) -> str:
        return "".join("ab"[action] for action in actions)

    def parse_deployment(self, text: str, _player: int) -> Any:
        if len(text) != PLACED or set(text) - set("ab"):
            raise TextError(f"{text!r} is no deployment")
        return np.array(["ab".index(letter) for letter in text], np.int32)
