"""The closed set of messages of a match socket. `docs/protocol.md` says when each is sent.

Every message is one JSON object with a `type`. The page's TypeScript types are generated from this file. Anything that
cannot be parsed into one of these messages is refused with a `Refused` and changes nothing.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from gonfalon.engine.events import Event
from gonfalon.engine.screens.patches import ScenePatch
from gonfalon.engine.screens.scene import Board, Choice, Hint, Line, Scene
from gonfalon.server.protocol.match_info import Ending, MatchInfo


def _kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_kebab, forbid_unknown_fields=True):
    """Base of all socket messages; `type` is the class name in kebab-case."""


# ---- page to server, on the match socket -------------------------------------------------------------------------


class Hello(Message, frozen=True):
    """First message of a connection. Without secret and invitation, the session of the browser's cookie opens a seat
    that belongs to its person; all others are spectators. `seq`: the last update that the page shows (-1: none).

    A guest opens the `invitation` with a `secret` that the guest's page makes and keeps. When the page sends both
    again, they lead to the same seat.
    """

    secret: Annotated[str, msgspec.Meta(max_length=200)] = ""
    invitation: Annotated[str, msgspec.Meta(max_length=200)] = ""
    window: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """Random name of the page, made when it was loaded. The server closes an earlier socket with this name, because
    that one must be dead.
    """
    seq: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    hints: bool = False
    """Whether this window shows hints for newcomers (`ShowHints` changes it)."""
    side: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """Side of the seat that the session of the browser's cookie opens, if there is neither secret nor invitation.
    Empty: the first seat of that person. A person without a seat is a spectator.
    """


class Act(Message, frozen=True):
    """The actions of one decision, in order: one action for a move, all placements for a deployment.

    `n` counts this seat's `Act` messages from 1. A repeated `n` is acknowledged, but not applied again. Either all
    actions are applied or none. If the actions leave a compound choice open, they are a draft until a later `Act`
    closes it.
    """

    n: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    actions: Annotated[
        list[Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]], msgspec.Meta(min_length=1, max_length=2_000)
    ]
    after: int | None = None
    """Number of actions of the draft that these actions continue; the server refuses others (`draft-lost`). A restart
    of the server loses drafts. None: not known.
    """


class TakeBack(Message, frozen=True):
    """Drop the open draft. Actions acknowledged as part of a stored step stay."""


class Return(Message, frozen=True):
    """Take back the player's own last decision and everything after it. Only for the only person in a match against
    computer players.

    `n` counts the take-backs of the match from 1; a repeated `n` changes nothing.
    """

    n: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class AskAdvice(Message, frozen=True):
    """Ask for the move of the strongest computer player. Only for the only person in a match against computer
    players.
    """


class Resign(Message, frozen=True):
    pass


class OfferDraw(Message, frozen=True):
    pass


class AnswerDraw(Message, frozen=True):
    accept: bool


class CallOff(Message, frozen=True):
    """End a match of the lobby without a result, before each player has decided twice (`MatchInfo.may_call_off`)."""


class ClaimWin(Message, frozen=True):
    """Claim that other players have been away for the stated time: they count as resigned and the rest play on. A
    player left alone wins.
    """


class EndMatch(Message, frozen=True):
    """End a match without a result because its computer player has failed for good."""


class WakeAgents(Message, frozen=True):
    """Let the computer players that failed for good try again."""


class OfferRematch(Message, frozen=True):
    """Ask for a rematch, or agree to it. Every player gets the next side."""


class Invite(Message, frozen=True):
    """Ask for a new invitation to `side`, while its guest has not acted yet. The earlier invitation ends, opened or
    not.
    """

    side: Annotated[str, msgspec.Meta(max_length=64)]


class GiveName(Message, frozen=True):
    """Set the name under which other players see this seat's player; empty: no name."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class Why(Message, frozen=True):
    """Ask why `path` (scene ids, such as `["d4", "d6"]`) is not a choice. The answer is a `Refused` with the reason."""

    path: Annotated[list[Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(min_length=1, max_length=16)]


class Suggest(Message, frozen=True):
    """Ask for a sensible arrangement that fills all places of the player's `Scene.arrange`. `at` maps places to faces;
    those pieces keep their places. If the player has another choice before play, such as a territory, the answer
    suggests an action for it.
    """

    at: Annotated[
        dict[Annotated[str, msgspec.Meta(max_length=64)], Annotated[str, msgspec.Meta(max_length=64)]],
        msgspec.Meta(max_length=2_000),
    ] = {}


class AskRemarks(Message, frozen=True):
    """Ask for remarks on the arrangement that these actions would complete. The match does not change."""

    actions: Annotated[list[int], msgspec.Meta(min_length=1, max_length=2_000)]


class ShowHints(Message, frozen=True):
    """Say whether this window shows hints for newcomers from now on. If it does, the answer is `Hints`."""

    on: bool


class Curtain(Message, frozen=True):
    """Say whether the curtain between the players of one device is down from now on. Their clocks stand still while it
    is. Only for seats on a shared device.
    """

    down: bool


class Ping(Message, frozen=True):
    pass


FromPage = (
    Hello
    | Act
    | TakeBack
    | Return
    | AskAdvice
    | Resign
    | OfferDraw
    | AnswerDraw
    | CallOff
    | ClaimWin
    | EndMatch
    | WakeAgents
    | OfferRematch
    | Invite
    | GiveName
    | Why
    | Suggest
    | AskRemarks
    | ShowHints
    | Curtain
    | Ping
)


# ---- server to page, on the match socket ------------------------------------------------------------------------


class Now(msgspec.Struct, frozen=True):
    """Everything that one observer sees at one moment."""

    seq: int
    scene: Scene
    choices: tuple[Choice, ...]
    draft: bool = False
    """The player's own compound choice is open and can be taken back."""
    hints: tuple[Hint, ...] = ()
    """Hints for a newcomer, if a window of this player shows them; the most urgent first."""


class Welcome(Message, frozen=True):
    """Answer to `Hello`: the match as this observer sees it at step `now.seq`. The `Update`s up to the present follow
    at once.

    If `Hello.seq` was given, `now` is the scene at that step, so that the page can show the steps since then.
    """

    match: MatchInfo
    side: str
    """The receiver's side; empty for a spectator."""
    board: Board
    now: Now
    n: int
    """The last `Act.n` of this seat that was stored."""
    latest: int
    """The newest `seq`. Updates up to it are about past steps."""
    offers: tuple[str, ...] = ()
    """Sides with an open draw offer."""
    ending: Ending | None = None


class Update(Message, frozen=True):
    """One step of the match, or of the receiver's own draft, as this observer may see it: events, changes of the scene,
    and the choices now.

    `seq` grows by one with every stored step. The update of a draft repeats the current `seq` and has `draft` true.
    """

    seq: int
    events: tuple[Event, ...]
    patch: ScenePatch
    choices: tuple[Choice, ...]
    draft: bool = False
    by: str = ""
    """Side that acted; empty for chance."""
    hints: tuple[Hint, ...] = ()
    """As `Now.hints`, for the position after this step."""


class Stored(Message, frozen=True):
    """The `Act` with number `n` is applied and on disk; if it left a draft, the server holds it in memory."""

    n: int
    seq: int


class Refused(Message, frozen=True):
    """The server did not do something. The page words `line` as `refusal.<code>`. `n`: number of the refused `Act`,
    else 0.
    """

    line: Line
    n: int = 0


class Suggestion(Message, frozen=True):
    """Answer to `Suggest`, only for the window that asked: a face for each place, empty where no piece stands."""

    at: dict[str, str]
    actions: tuple[int, ...] = ()
    """If there is nothing to place: the actions of an `Act` that makes a sensible choice."""


class Hints(Message, frozen=True):
    """Answer to `ShowHints`, only for the window that asked: the hints for the present position."""

    hints: tuple[Hint, ...]


class Remarks(Message, frozen=True):
    """Answer to `AskRemarks`, only for the window that asked."""

    lines: tuple[Line, ...]
    """The remarks; the page words each as `remark.<code>`."""


class Advice(Message, frozen=True):
    """The choice that the strongest computer player would make now with the receiver's knowledge."""

    path: tuple[str, ...]
    """Path of the choice; the planned parts of a compound choice follow one another."""
    chance: float
    """Chance of winning after this choice, from 0 to 1, as the computer player estimates it."""


class SeatClock(msgspec.Struct, frozen=True):
    """The time of one person when the message was sent, in milliseconds."""

    side: str
    left: int
    """Before play: time left for the deployment. In play: the bank, the rest of this turn's time, or the time until
    the deadline.
    """
    runs: bool = False
    """Whether the clock runs now. The page counts down by itself."""
    free: int = 0
    """Rest of the delay, in which the clock runs and `left` stays."""
    most: int | None = None
    """Time until the player is out of time, if the clock runs; less than `free` and `left` together where one decision
    has a maximum time. None: the clock does not run.
    """


class Clocks(Message, frozen=True):
    """The clocks of the persons, after `Welcome` and whenever they change otherwise than by running. Only in a match
    with clocks. Before play everyone gets only the clocks of their own device's seats.
    """

    seats: tuple[SeatClock, ...]
    deadline: int = 0
    """Deadline of a decision by correspondence, in Unix milliseconds; 0 if there is none."""


class Presence(Message, frozen=True):
    match: MatchInfo


class DrawOffers(Message, frozen=True):
    """Sides with an open draw offer. Sent after each change, but not at the end of the match, when no offer is left."""

    sides: tuple[str, ...]


class Ended(Message, frozen=True):
    """The match is over. `patch` shows everything hidden, for players and spectators alike."""

    ending: Ending
    match: MatchInfo
    patch: ScenePatch = ScenePatch()


class RematchOffered(Message, frozen=True):
    sides: tuple[str, ...]


class RematchReady(Message, frozen=True):
    """The rematch that all players agreed on, and the secret of the receiver's seat in it."""

    match: str
    secret: str


class Invitation(Message, frozen=True):
    """The new invitation to `side`, for all windows of the seat that asked. The page keeps it."""

    side: str
    secret: str


class Windows(Message, frozen=True):
    """Number of windows in which the receiver's seat is open. Sent whenever it changes, to the windows that are
    open.
    """

    count: int


class Pong(Message, frozen=True):
    pass


ToPage = (
    Welcome
    | Update
    | Stored
    | Refused
    | Advice
    | Presence
    | Clocks
    | DrawOffers
    | Ended
    | RematchOffered
    | RematchReady
    | Invitation
    | Suggestion
    | Hints
    | Remarks
    | Windows
    | Pong
)
