"""The interface of every game. Read this file first.

A *state* is a NumPy structured array of one row; it is never changed by this interface: `apply` and `withdraw`
return a new one. An *action* is an integer below `info.actions`. Observers are the players 0..n-1, `PUBLIC` (a
spectator) and `EVERYTHING` (a match that is over, a debugger). Agents and pages get a `View`, never a state.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.kernels import Kernels
from gonfalon.engine.patches import ScenePatch
from gonfalon.engine.ruleset import Ruleset
from gonfalon.engine.scene import Board, Choice, Scene
from gonfalon.engine.view import View

CHANCE = -1
"""In `to_act`: the next action is drawn, not chosen."""
PUBLIC = -2
"""The observer who knows only what all know."""
EVERYTHING = -3
"""The observer who sees all: for matches that are over and for debugging. Nothing of it may reach a player."""

State = NDArray[np.void]
"""Structured array, shape (1,), of the game's own record type."""
Actions = NDArray[np.int32]
"""Ascending action ids, shape (n,)."""
Probabilities = NDArray[np.float64]
"""Shape (n,), beside `Actions`; they sum to 1."""


class IllegalActionError(ValueError):
    """An action that the state does not allow; `refusal` says why, in terms the actor may know."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"illegal action: {refusal.code} {refusal.args}")
        self.refusal = refusal


class TextError(ValueError):
    """A text (position, action, deployment, record) that cannot be read; the message names the place and the reason."""


class UnknownObserverError(ValueError):
    """`view` or `events` was asked for an observer that the game does not have."""


class GameInfo(msgspec.Struct, frozen=True):
    """The fact sheet. Generic code reads these facts and never a game's name."""

    family: str
    variant: str
    players: int
    sides: tuple[str, ...]
    """Side names by player, as in `Token.side`."""
    chance: bool
    """Whether chance actions occur."""
    actions: int
    """Action ids are 0..actions-1."""
    most_legal: int
    """No legal list is longer."""
    longest: int
    """No match has more actions (all players' and chance's, placements included)."""
    ruleset: Ruleset


class Outcome(msgspec.Struct, frozen=True):
    """How a match of n players ended. `returns`: per player +1 for the winner and -1/(n-1) for each loser; a draw of k of them
    gives each (n-k)/((n-1)k), the others -1/(n-1), so 0 to all if all share it. They sum to 0.
    """

    returns: tuple[float, ...]
    reason: str
    """Termination code, worded by the catalogue as `end.<reason>`."""

    @classmethod
    def of(cls, players: int, best: Collection[int], reason: str) -> Outcome:
        """The match of `players` that one of them won, or that several share: `best`, at least one."""
        shares, lost = len(best), -1.0 / (players - 1)
        share = (players - shares) / ((players - 1) * shares)
        return cls(tuple(share if p in best else lost for p in range(players)), reason)

    @property
    def best(self) -> tuple[int, ...]:
        """The winner, or all who share a draw."""
        return tuple(p for p, each in enumerate(self.returns) if each == max(self.returns))


class Standing(msgspec.Struct, frozen=True):
    """How far a match has come, as one observer knows it: facts for code that shows no screen."""

    started: bool
    """False before play: pieces are dealt or placed, or who begins is drawn. The same for all observers."""
    turn: int
    """Turns completed, of all players."""
    out: tuple[int, ...]
    """Players who take part no longer while the match goes on. The same for all observers."""
    arranges: bool
    """Whether the viewer has pieces to arrange now, a deployment or a part of a turn: then a scene has `Scene.arrange`."""


class Tensors(msgspec.Struct, frozen=True):
    """An observation for learning. `planes`: float32 (channels, rows, columns); `channels` names each plane."""

    planes: NDArray[np.float32]
    channels: tuple[str, ...]


class Game(Protocol):
    """One variant under one ruleset. Every member is mandatory; instances hold no match."""

    info: GameInfo
    rules: NDArray[np.void]
    """The ruleset as the record that the kernels take, shape (1,)."""

    @property
    def kernels(self) -> Kernels:
        """The compiled functions, for `engine.batch` and for search."""

    def initial_state(self) -> State: ...

    def to_act(self, state: State) -> tuple[int, ...]:
        """Who may act now: several while deployments are open, `(CHANCE,)` - in the initial state too, where pieces are
        dealt - or `()` when the match is over.
        """

    def legal_actions(self, state: State, player: int) -> Actions:
        """Ascending ids; empty for who may not act, and for CHANCE. Depends only on what `player` knows."""

    def chance_outcomes(self, state: State) -> tuple[Actions, Probabilities]:
        """What may be drawn, ascending, each with its probability above 0; empty where `to_act` is not `(CHANCE,)`."""

    def apply(self, state: State, player: int, action: int) -> State:
        """The state after `player`'s action or a draw of CHANCE. Raises `IllegalActionError`, and TypeError for what is no whole
        number; `state` is never changed.
        """

    def is_open(self, state: State, player: int) -> bool:
        """Whether `player` has begun a compound choice that nobody else can see yet. Chance never acts meanwhile."""

    def withdraw(self, state: State, player: int) -> State:
        """`player` resigns, on turn or not; with more than two the match may go on without him, and he is asked no more
        (`Standing.out`). Raises ValueError when the match is over or he has resigned already.
        """

    def agree_draw(self, state: State) -> State:
        """The players agreed on a draw (offers are `engine.offers`). Raises ValueError before play and after the end."""

    def outcome(self, state: State) -> Outcome | None: ...

    def view(self, state: State, player: int) -> View:
        """THE filter: what an observer may see. Raises `UnknownObserverError`."""

    def standing(self, view: View) -> Standing:
        """Facts of a view without a screen: whether play has begun, the turn, who is out, whether the viewer arranges."""

    def events(self, action: int, after: State, observer: int) -> tuple[Event, ...]:
        """What `observer` is told of the step that led to `after` by `action` (an action id, or `WITHDRAW` and `AGREE` of
        `engine.events`).
        """

    def explain(self, state: State, player: int, action: int) -> Refusal | None:
        """Why `player` may not do `action` (code and arguments, never prose); None if he may."""

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        """Why the viewer cannot choose this path of scene ids."""

    def random_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        """The actions that finish the viewer's deployment or other arrangement (`Scene.arrange`), one for each place, all ways
        of doing so equally likely. Where something else is chosen before play, one such choice.
        """

    def sensible_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        """The same as a person might do it: varied, a deployment from the library of the variant if it has one."""

    def evaluate(self, state: State, player: int) -> float:
        """A rough estimate of a full (for an agent: resampled) state, -1 lost to 1 won; a heuristic, no rule."""

    def resample(self, view: View, rng: np.random.Generator) -> State:
        """A state that the viewer cannot tell from the true one."""

    def encode(self, view: View) -> Tensors: ...

    def board(self) -> Board:
        """What never changes on a screen."""

    def scene(self, view: View) -> Scene:
        """What a screen or a screen reader shows of a view."""

    def patch(self, before: View, after: View) -> ScenePatch:
        """What turns the scene of `before` into that of `after`, both of one observer: `engine.patches.compare_scenes` of the
        two, or the same found faster (a server asks this once a step and observer).
        """

    def choices(self, view: View) -> tuple[Choice, ...]:
        """What the viewer can do now, as paths of scene ids; arrangements are `Scene.arrange` instead."""

    def action_text(self, view: View, action: int) -> str:
        """One line without `;`, of the viewer's action; of a draw of chance with the view of EVERYTHING."""

    def parse_action(self, view: View, text: str) -> int:
        """Inverse of `action_text`. Raises `TextError`."""

    def state_text(self, state: State) -> str: ...

    def parse_state(self, text: str) -> State:
        """Inverse of `state_text`; validates everything. Raises `TextError`."""

    def deployment_text(self, actions: Sequence[int]) -> str:
        """The text of a whole deployment or other arrangement: the letters of `ArrangePiece` in order of places."""

    def parse_deployment(self, text: str, player: int) -> Actions:
        """Inverse of `deployment_text`. Raises `TextError` for a text that no arrangement of the game can have: of an army that
        is given, also for missing, doubled and foreign pieces. What was dealt, and how many places are open, is not known here.
        """
