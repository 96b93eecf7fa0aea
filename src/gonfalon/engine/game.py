"""The interface of every game. Read this file first.

`Game` is made of five protocols, one for each kind of user: `Rules`, `Sight`, `Screen`, `Text`, `Play`.

A *state* is a NumPy structured array of one row. No method changes a state: `apply` and `withdraw` return a new one.
Use a state only with the game that made it: states do not know their variant, and bytes from elsewhere could crash the
process. Views, forms and batches know their ruleset. An *action* is an integer below `info.actions`. Observers are the
players 0..n-1, `PUBLIC` (a spectator) and `EVERYTHING` (for a finished match or a debugger). Agents and pages get a
`View`, never a state.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Kernels
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.learning.observation import ActionParts, Form, Kind, ObservationSpec, Planes
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.patches import ScenePatch
from gonfalon.engine.screens.scene import Board, Choice, Hint, Line, Scene
from gonfalon.engine.search import Adjustment, Mind, Option
from gonfalon.engine.view import View

CHANCE = -1
"""The actor in `to_act` when chance draws the next action."""
PUBLIC = -2
"""The observer who knows only what everybody knows."""
EVERYTHING = -3
"""The observer who sees everything, for finished matches and for debugging. No player may get this view."""

State = NDArray[np.void]
"""Structured array, shape (1,), of the game's own record type."""
Actions = NDArray[np.int32]
"""Ascending action ids, shape (n,)."""
Probabilities = NDArray[np.float64]
"""Probabilities of `Actions`, in the same order, shape (n,); they sum to 1."""


class IllegalActionError(ValueError):
    """The state does not allow `player`'s `action`; `refusal` says why. The player may know the whole refusal, other
    players may not.
    """

    def __init__(self, refusal: Refusal, player: int, action: int) -> None:
        super().__init__(refusal, player, action)
        self.refusal, self.player, self.action = refusal, player, action

    def __str__(self) -> str:
        arguments = "".join(f", {name} {value}" for name, value in self.refusal.args.items())
        who = "chance" if self.player == CHANCE else f"player {self.player}"
        return f"action {self.action} of {who} is not possible: {self.refusal.code}{arguments}"


class TextError(ValueError):
    """A text (position, action, deployment, record) cannot be read. The message names the place and the reason, in
    English.
    """

    def __init__(self, reason: str, why: Line | None = None) -> None:
        """`why`: the reason as a message of a catalogue, with its whole key, such as `text.step`."""
        super().__init__(reason)
        self.why = why or Line("text.other")


class UnknownObserverError(ValueError):
    """The game has no such observer."""


class GameInfo(msgspec.Struct, frozen=True):
    """Facts about a game. Generic code uses these facts and never the name of a game."""

    family: str
    variant: str
    players: int
    sides: tuple[str, ...]
    """Names of the sides by player, as in `Token.side`."""
    chance: bool
    """Whether draws of chance occur."""
    actions: int
    """Action ids are 0..actions-1."""
    most_legal: int
    """Upper bound for the number of legal actions."""
    longest: int
    """Upper bound for the number of actions in a match: of all players and of chance, including placements."""
    ruleset: Ruleset


class Outcome(msgspec.Struct, frozen=True):
    """The end of a match of n players. The returns sum to 0."""

    returns: tuple[float, ...]
    """Return by player: +1 for the winner and -1/(n-1) for each loser. If k players share a draw, each of them gets
    (n-k)/((n-1)k) and each other player -1/(n-1). So a draw of all players gives 0 to each.
    """
    reason: str
    """Termination code. Its text in the catalogue is `end.<reason>`."""

    @classmethod
    def of(cls, players: int, best: Collection[int], reason: str) -> Outcome:
        """Return the outcome in which the players in `best` (at least one) won or share a draw."""
        shares, lost = len(best), -1.0 / (players - 1)
        share = (players - shares) / ((players - 1) * shares)
        return cls(tuple(share if p in best else lost for p in range(players)), reason)

    @property
    def best(self) -> tuple[int, ...]:
        """The winner, or all who share a draw."""
        return tuple(p for p, each in enumerate(self.returns) if each == max(self.returns))


class Standing(msgspec.Struct, frozen=True):
    """Progress of a match, as one observer knows it, for code that shows no screen."""

    started: bool
    """False before play: while pieces are dealt or placed, or lots decide who begins. Equal for all observers."""
    turn: int
    """Number of completed turns of all players."""
    quiet: int
    """Number of consecutive turns (rounds in Conquest) without progress, as the rules count it. Too many of them draw
    the match.
    """
    out: tuple[int, ...]
    """Players who have left while the match goes on. Equal for all observers."""
    arranges: bool
    """Whether the viewer has pieces to arrange now, in a deployment or during a turn. If so, `Scene.arrange` is set."""

    @property
    def deploys(self) -> bool:
        """Whether `Game.sensible_deployment` can make the viewer's decision: an arrangement with all its placements, or
        another choice before play.
        """
        return self.arranges or not self.started


class Tensors(msgspec.Struct, frozen=True):
    """An observation for learning."""

    planes: Planes
    """Shape (channels, rows, columns), float32 or uint8."""
    channels: tuple[str, ...]
    """Name of each plane."""


class Rules(Protocol):
    """The rules of play on full states. For servers, arenas and search."""

    info: GameInfo
    rules: NDArray[np.void]
    """The ruleset in the form that kernels take: a record, shape (1,)."""

    @property
    def kernels(self) -> Kernels:
        """The compiled functions, for `Batch` and for agents that search."""

    def initial_state(self) -> State:
        """Return the state before anything is placed, dealt or drawn."""

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the players who may act now: several during simultaneous deployments, none when the match is over.
        `(CHANCE,)` means that a draw of chance is due, which is possible in the initial state too.
        """

    def legal_actions(self, state: State, player: int) -> Actions:
        """Return the legal action ids, ascending; empty for CHANCE and for a player who may not act.

        The result depends only on what the player knows.
        """

    def chance_outcomes(self, state: State) -> tuple[Actions, Probabilities]:
        """Return the possible actions of chance, ascending, with their probabilities, all above 0.

        Empty unless `to_act` is `(CHANCE,)`.
        """

    def apply(self, state: State, player: int, action: int) -> State:
        """Return the state after `player`'s action or a draw of CHANCE. `state` does not change.

        Raises `IllegalActionError`, and TypeError if `player` or `action` is not a whole number.
        """

    def deploy(self, state: State, player: int, deployment: Sequence[int] | Actions) -> State:
        """Return the state after all of `deployment`: actions of `player`, such as those of `sensible_deployment`.
        `state` does not change. Raises `IllegalActionError` for the first action that is not legal.
        """

    def is_open(self, state: State, player: int) -> bool:
        """Return whether `player` is inside a compound choice that nobody else can see yet. Chance never acts during
        one.
        """

    def withdraw(self, state: State, player: int) -> State:
        """Return the state after `player` resigns, on turn or not. With more than two players the match may go on
        without that player (`Standing.out`).

        Raises ValueError when the match is over or the player has already resigned.
        """

    def agree_draw(self, state: State) -> State:
        """Return the state after the players agree on a draw (`engine.offers` manages the offers).

        Raises ValueError before play and after the end.
        """

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of the match; None while it goes on."""


class Sight(Protocol):
    """Knowledge of one observer: the filter, and everything that is made from views. Agents and learning use it."""

    def view(self, state: State, player: int) -> View:
        """Return everything that an observer may see. Nothing else filters states. Raises `UnknownObserverError`."""

    def standing(self, view: View) -> Standing:
        """Return the facts of a view that need no screen, such as the turn and the players who are out."""

    def events(self, action: int, after: State, observer: int) -> tuple[Event, ...]:
        """Return the events of the last step for `observer`.

        `action` (an action id, `WITHDRAW` or `AGREE`) led to the state `after`.
        """

    def candidates(self, view: View) -> dict[str, tuple[str, ...]]:
        """Return, by space, the types that the viewer cannot rule out for another side's piece there.

        They follow from the viewer's events and from counting. The fact that a player on turn can move is not used.
        Empty before play.
        """

    def resample(self, view: View, rng: np.random.Generator) -> State:
        """Return a state that the viewer cannot tell from the true one."""

    @property
    def observation_spec(self) -> ObservationSpec:
        """The layout of `encode` without a form: shape, type, bounds, and the meaning of each plane."""

    def form(self, *, dtype: Kind = "float32", canonical: bool = False, compact: bool = False, past: int = 0) -> Form:
        """Return another layout of observations and action ids.

        `dtype`: `float32`, or `uint8` with the values times 255. `canonical`: turn planes and ids so that the viewer
        plays upwards. `compact`: leave out the planes and ids that this variant never uses. `past`: number of past
        moves in planes of their own, in the games whose views hold them. Raises ValueError.
        """

    def encode(self, view: View, out: Planes | None = None, form: Form | None = None) -> Tensors:
        """Return the view as planes for learning, each value from 0 to 1. The planes hold nothing that is not in the
        view.

        `out`: array of the shape and type of the form, which is written and returned instead of a new one. `form`: the
        layout; by default that of `observation_spec`. Raises ValueError for a view of another ruleset, and ValueError
        or TypeError for an unsuitable array.
        """

    def encode_belief(self, view: View, worlds: State, form: Form | None = None) -> Tensors:
        """Return the view as planes in which hidden pieces have probabilities: the mean over `worlds` of what the
        viewer would see if all pieces were turned over.

        `worlds`: states that the viewer considers possible, shape (n,), from `sample_worlds`, or from `resample` for
        probabilities by counting. Raises ValueError or TypeError for other arrays.
        """

    def key(self, view: View, *, exact: bool = True) -> bytes:
        """Return a key of a view for tables, 16 bytes.

        With `exact`, everything counts that the rules depend on, so views with equal keys have equal legal actions;
        numbers of pieces and cards do not count. Without, the counters of turns and the past turns do not count either.
        Then positions merge that differ only in those: a move may be legal in one of them and forbidden in the other.
        """

    def action_parts(self, action: int) -> ActionParts | None:
        """Return the meaning of an action id: verb, cells of the planes, name; None for an id that this variant never
        uses. Raises ValueError for a number that is no action id.
        """

    def find_action(self, parts: ActionParts) -> int:
        """Return the id of an action, the inverse of `action_parts`. Raises ValueError if the variant has no such
        action.
        """


class Screen(Protocol):
    """Everything that pages, terminals and screen readers show."""

    def board(self) -> Board:
        """Return the part of a screen that never changes."""

    def scene(self, view: View) -> Scene:
        """Return the part of a screen that changes, for the viewer."""

    def patch(self, before: View, after: View) -> ScenePatch:
        """Return the patch from the scene of `before` to the scene of `after`, two views of one observer.

        The patch equals `compare_scenes` of the two scenes, but a game may compute it faster. Servers
        need one per step and observer.
        """

    def choices(self, view: View) -> tuple[Choice, ...]:
        """Return the viewer's choices as paths of scene ids. Arrangements are not among them; see `Scene.arrange`."""

    def hints(self, view: View) -> tuple[Hint, ...]:
        """Return hints for a viewer who may act and is new to the game, the most urgent first."""

    def explain(self, state: State, player: int, action: int) -> Refusal | None:
        """Return why `player` may not do `action`, as a code with arguments; None if the player may."""

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        """Return why the viewer cannot choose this path of scene ids."""

    def remarks(self, view: View, actions: Sequence[int]) -> tuple[Line, ...]:
        """Return remarks for the viewer on unusual features of the arrangement that `actions` complete.

        The rules allow these features. The text of a remark in the catalogue is `remark.<code>`.
        """


class Text(Protocol):
    """Texts that can be written and read back: actions, positions, deployments. For records, tests and terminals."""

    def action_text(self, view: View, action: int) -> str:
        """Return the viewer's action as one line without `;`. For a draw of chance, `view` must be the view of
        EVERYTHING.
        """

    def parse_action(self, view: View, text: str) -> int:
        """Return the action of a text; inverse of `action_text`. Raises `TextError`."""

    def state_text(self, state: State) -> str:
        """Return everything that decides how the match can go on, and the knowledge of each player.

        The text omits the history: which of several equal pieces is which, and turns that no rule looks back on.
        """

    def parse_state(self, text: str) -> State:
        """Return a state with this `state_text`, after all checks. Raises `TextError`."""

    def deployment_text(self, actions: Sequence[int]) -> str:
        """Return a whole arrangement as text: the letters of `ArrangePiece` in the order of the places."""

    def parse_deployment(self, text: str, player: int) -> Actions:
        """Return the actions of a text; inverse of `deployment_text`.

        Raises `TextError` if the text fits no arrangement of the game. If the army is fixed, also for missing or
        surplus pieces. The number of open places and the pieces dealt are not checked.
        """


class Play(Protocol):
    """Help for players: deployments, evaluation, belief, search. For computer players and hints.

    An arrangement is a deployment, or gaps to fill during a turn (`Scene.arrange`).
    """

    def random_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        """Return actions that complete the viewer's arrangement, one per place; all completions are equally likely.

        If the viewer has another choice before play, return one such choice. Raises ValueError if the viewer has
        neither. `sensible_deployment` and `plan_deployment` also do both.
        """

    def sensible_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        """Return a completion as a person might choose it: varied, and from the variant's library if there is one."""

    def plan_deployment(self, view: View, mind: Mind, rng: np.random.Generator) -> Actions:
        """Return a completion as a strong player would choose it. It comes from the variant's pool of deployments that
        won most, or from a search within the time of `mind` (`weighs_deployments`).
        """

    def weighs_deployments(self, view: View) -> bool:
        """Return whether `plan_deployment` and `choose_deployment` use the time of a mind for this view."""

    def choose_deployment(
        self, view: View, deployments: Sequence[Actions], mind: Mind, rng: np.random.Generator
    ) -> Actions:
        """Return the best of several completions, as far as the time allows to find it.

        Return the first one if no other looks better, or if `mind.breadth` is 1.
        """

    def settle_deployment(
        self, view: View, actions: Actions, fixed: Container[int], rng: np.random.Generator
    ) -> Actions:
        """Return a completion with its exposed pieces exchanged for others, as far as the variant knows which pieces
        need shelter. `fixed`: indices of the placements that must stay.
        """

    def evaluate(self, state: State, player: int) -> float:
        """Return a rough estimate of a full state, from -1 (lost) to 1 (won). This is a heuristic, not a rule.

        Agents call it on resampled states. Raises `UnknownObserverError` if `player` is not a player.
        """

    def sample_worlds(
        self, view: View, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        """Return worlds that the viewer considers possible, shape (count,); likelier ones come more often.

        `events`: the viewer's known events since the match began. With `mind.memory` 1 the viewer cannot tell any world
        from the true state. With less memory, a world may contradict what the viewer has forgotten. Raises
        `UnknownObserverError` if the observer of the view is not a player, ValueError for a count below 1.
        """

    def adjustments(self) -> tuple[Adjustment, ...]:
        """Return the corrections of the search's values that `Mind.without` can switch off."""

    def search(self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator) -> tuple[Option, ...]:
        """Return the viewer's options that the search examined, the best first; at least one.

        Raises ValueError if the viewer cannot act, or has an arrangement or a choice before play to decide (see
        `plan_deployment`).
        """


class Game(Rules, Sight, Screen, Text, Play, Protocol):
    """One variant under one ruleset. Every member is mandatory. An instance holds no state of a match."""
