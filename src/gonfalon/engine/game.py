"""The interface of every game. Read this file first.

A *state* is a NumPy structured array of one row; it is never changed by this interface: `apply` and `withdraw`
return a new one. It belongs to the game that made it; another variant of the same family cannot tell. An *action* is
an integer below `info.actions`. Observers are the players 0..n-1, `PUBLIC` (a spectator) and `EVERYTHING` (a match
that is over, a debugger). Agents and pages get a `View`, never a state.
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
from gonfalon.engine.scene import Board, Choice, Line, Scene
from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View

CHANCE = -1
"""Stands in `to_act` when chance draws the next action."""
PUBLIC = -2
"""The observer who knows only what everybody knows."""
EVERYTHING = -3
"""The observer who sees everything, for matches that are over and for debugging. No player may get its view."""

State = NDArray[np.void]
"""Structured array, shape (1,), of the game's own record type."""
Actions = NDArray[np.int32]
"""Ascending action ids, shape (n,)."""
Probabilities = NDArray[np.float64]
"""Shape (n,), beside `Actions`; they sum to 1."""


class IllegalActionError(ValueError):
    """The state does not allow `player`'s `action`. `refusal` says why. All of it is known to the player, not to
    others.
    """

    def __init__(self, refusal: Refusal, player: int, action: int) -> None:
        super().__init__(refusal, player, action)
        self.refusal, self.player, self.action = refusal, player, action

    def __str__(self) -> str:
        arguments = "".join(f", {name} {value}" for name, value in self.refusal.args.items())
        who = "chance" if self.player == CHANCE else f"player {self.player}"
        return f"action {self.action} of {who} is not possible: {self.refusal.code}{arguments}"


class TextError(ValueError):
    """A text (position, action, deployment, record) that cannot be read; the message names the place and the reason."""


class UnknownObserverError(ValueError):
    """The game has no such observer."""


class GameInfo(msgspec.Struct, frozen=True):
    """The fact sheet. Generic code reads these facts and never a game's name."""

    family: str
    variant: str
    players: int
    sides: tuple[str, ...]
    """Names of the sides by player, as in `Token.side`."""
    chance: bool
    """Whether chance actions occur."""
    actions: int
    """Action ids are 0..actions-1."""
    most_legal: int
    """The length that no list of legal actions exceeds."""
    longest: int
    """The number of actions that no match exceeds: of all players and of chance, placements included."""
    ruleset: Ruleset


class Outcome(msgspec.Struct, frozen=True):
    """How a match of n players ended. `returns` by player: +1 for the winner and -1/(n-1) for each loser. If k players
    share a draw, each gets (n-k)/((n-1)k) and the others -1/(n-1); so a draw of all gives 0 to each. They sum to 0.
    """

    returns: tuple[float, ...]
    reason: str
    """Termination code. The catalogue words it as `end.<reason>`."""

    @classmethod
    def of(cls, players: int, best: Collection[int], reason: str) -> Outcome:
        """The outcome if the players in `best` (at least one) won or share a draw."""
        shares, lost = len(best), -1.0 / (players - 1)
        share = (players - shares) / ((players - 1) * shares)
        return cls(tuple(share if p in best else lost for p in range(players)), reason)

    @property
    def best(self) -> tuple[int, ...]:
        """The winner, or all who share a draw."""
        return tuple(p for p, each in enumerate(self.returns) if each == max(self.returns))


class Standing(msgspec.Struct, frozen=True):
    """How far a match has come, as one observer knows it. For code that shows no screen."""

    started: bool
    """False before play, while pieces are dealt or placed or lots decide who begins. The same for all observers."""
    turn: int
    """Number of completed turns of all players."""
    quiet: int
    """Turns in a row, in Conquest rounds, without what the rules count as progress: with enough of them the match is
    drawn.
    """
    out: tuple[int, ...]
    """Players who have left while the match goes on. The same for all observers."""
    arranges: bool
    """Whether the viewer has pieces to arrange now, in a deployment or during a turn. His scene then has
    `Scene.arrange`.
    """

    @property
    def deploys(self) -> bool:
        """Whether the viewer's decision is one that `Game.sensible_deployment` answers: a deployment or another
        arrangement, answered with all its placements, or another choice before play.
        """
        return self.arranges or not self.started


class Tensors(msgspec.Struct, frozen=True):
    """An observation for learning. `planes`: float32 (channels, rows, columns); `channels` names each plane."""

    planes: NDArray[np.float32]
    channels: tuple[str, ...]


class Game(Protocol):
    """One variant under one ruleset. Every member is mandatory. An instance holds no state of a match."""

    info: GameInfo
    rules: NDArray[np.void]
    """The ruleset as the record that the kernels take, shape (1,)."""

    @property
    def kernels(self) -> Kernels:
        """The compiled functions, for `engine.batch` and for agents that search."""

    def initial_state(self) -> State:
        """Before anything is placed, dealt or drawn."""

    def to_act(self, state: State) -> tuple[int, ...]:
        """Who may act now. Several players while deployments are open; `(CHANCE,)` when something is drawn, which may
        be so in the initial state; `()` when the match is over.
        """

    def legal_actions(self, state: State, player: int) -> Actions:
        """Ascending ids; empty for CHANCE and for a player who may not act. Depends only on what `player` knows."""

    def chance_outcomes(self, state: State) -> tuple[Actions, Probabilities]:
        """The actions that may be drawn, ascending, each with its probability above 0. Empty unless `to_act` is
        `(CHANCE,)`.
        """

    def apply(self, state: State, player: int, action: int) -> State:
        """The state after `player`'s action or a draw of CHANCE. Does not change `state`. Raises `IllegalActionError`,
        and TypeError if `player` or `action` is no whole number.
        """

    def is_open(self, state: State, player: int) -> bool:
        """Whether `player` has begun a compound choice that nobody else can see yet. Chance never acts during one."""

    def withdraw(self, state: State, player: int) -> State:
        """`player` resigns, whether it is his turn or not. With more than two players the match may go on without him
        (`Standing.out`). Raises ValueError when the match is over or he has already resigned.
        """

    def agree_draw(self, state: State) -> State:
        """The players agree on a draw (for offers see `engine.offers`). Raises ValueError before play and after the
        end.
        """

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended; None while it goes on."""

    def view(self, state: State, player: int) -> View:
        """THE filter: what an observer may see. Raises `UnknownObserverError`."""

    def standing(self, view: View) -> Standing:
        """Facts of a view that need no screen: whether play has begun, the turn, who is out, whether the viewer
        arranges.
        """

    def events(self, action: int, after: State, observer: int) -> tuple[Event, ...]:
        """What `observer` is told of the last step. `action` (an action id, or `WITHDRAW` or `AGREE`) led to the state
        `after`.
        """

    def explain(self, state: State, player: int, action: int) -> Refusal | None:
        """Why `player` may not do `action`, as a code and arguments; None if he may."""

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        """Why the viewer cannot choose this path of scene ids."""

    def random_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        """The actions that complete the viewer's deployment or other arrangement (`Scene.arrange`), one for each place.
        All ways to complete it are equally likely. If something else is chosen before play: one such choice. Raises
        ValueError if the viewer has nothing of the kind to decide; so do the next two.
        """

    def sensible_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        """The same as `random_deployment`, as a person might do it. Varied; from the variant's library of deployments
        if it has one.
        """

    def plan_deployment(self, view: View, mind: Mind, rng: np.random.Generator) -> Actions:
        """The same as `sensible_deployment`, by a player who knows what wins: from a pool of deployments that won most,
        if the variant has one, or by thinking about it for as long as `mind` may (`weighs_deployments`).
        """

    def weighs_deployments(self, view: View) -> bool:
        """Whether `plan_deployment` and `choose_deployment` take thought, and with it time, for this view."""

    def choose_deployment(
        self, view: View, deployments: Sequence[Actions], mind: Mind, rng: np.random.Generator
    ) -> Actions:
        """Of some ways to complete the viewer's deployment or other arrangement, as `plan_deployment` returns them, the
        one that does best as far as can be found out in time. The first one where nothing speaks for another, and for a
        mind of no breadth.
        """

    def remarks(self, view: View, actions: Sequence[int]) -> tuple[Line, ...]:
        """What is unusual in the viewer's deployment or other arrangement if he completes it by `actions`, for himself
        alone: nothing forbids it. The catalogue words it as `remark.<code>`.
        """

    def evaluate(self, state: State, player: int) -> float:
        """A rough estimate of a full state, from -1 (lost) to 1 (won). Agents call it on resampled states. A heuristic,
        not a rule. Raises `UnknownObserverError` if `player` is none.
        """

    def candidates(self, view: View) -> dict[str, tuple[str, ...]]:
        """By the space on which a piece of somebody else stands: the types that the viewer cannot rule out for it. They
        follow from what he has seen and from counting; that a player who is to move can is not considered. Empty before
        play.
        """

    def resample(self, view: View, rng: np.random.Generator) -> State:
        """A state that the viewer cannot tell from the true one."""

    def sample_worlds(
        self, view: View, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        """States that the viewer holds possible, shape (count,), the likelier ones the more often. `events`: all that
        he was told since the match began, so far as it is known.

        With `mind.memory` 1 he cannot tell any from the true one; with less he may have forgotten what contradicts it.
        Raises `UnknownObserverError` for the view of who is no player, ValueError for a count below 1.
        """

    def search(self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator) -> tuple[Option, ...]:
        """The viewer's ways to decide, the best first, as far as they were looked at; at least one. Raises ValueError
        if the viewer cannot act, or what he has to decide is an arrangement or a choice before play, which
        `plan_deployment` makes.
        """

    def encode(self, view: View) -> Tensors:
        """The view as planes for learning, each value from 0 to 1 or a count. Holds nothing that the view does not."""

    def board(self) -> Board:
        """The part of a screen that never changes."""

    def scene(self, view: View) -> Scene:
        """What a screen or a screen reader shows to the viewer."""

    def patch(self, before: View, after: View) -> ScenePatch:
        """The patch from the scene of `before` to that of `after`, two views of one observer. Equal to
        `engine.patches.compare_scenes` of the two scenes, but a game may find it faster: a server asks once for each
        step and observer.
        """

    def choices(self, view: View) -> tuple[Choice, ...]:
        """What the viewer can do now, as paths of scene ids. Arrangements are in `Scene.arrange` instead."""

    def action_text(self, view: View, action: int) -> str:
        """The viewer's action as one line without `;`. For a draw of chance, `view` is that of EVERYTHING."""

    def parse_action(self, view: View, text: str) -> int:
        """Inverse of `action_text`. Raises `TextError`."""

    def state_text(self, state: State) -> str:
        """All that decides how the match can go on, and what each player may know. Not how it came about: which piece
        is which of a kind, and turns that no rule looks back on any more.
        """

    def parse_state(self, text: str) -> State:
        """A state of which `state_text` gives this text. Checks everything. Raises `TextError`."""

    def deployment_text(self, actions: Sequence[int]) -> str:
        """A whole deployment or other arrangement as text: the letters of `ArrangePiece` in the order of the places."""

    def parse_deployment(self, text: str, player: int) -> Actions:
        """Inverse of `deployment_text`. Raises `TextError` for a text that fits no arrangement of the game; if the army
        is fixed, also for missing or surplus pieces. It does not know what was dealt or how many places are open.
        """
