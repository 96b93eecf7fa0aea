"""The closed set of messages of a match socket. `docs/protocol.md` says when each is sent.

Every message of a match socket is one JSON object with a `type`. The page's TypeScript types are generated from this
file. Anything that does not parse into one of these is refused with a `Refused` and changes nothing.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from gonfalon.engine.events import Event
from gonfalon.engine.patches import ScenePatch
from gonfalon.engine.scene import Board, Choice, Line, Scene


def _kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_kebab, forbid_unknown_fields=True):
    """Base of all socket messages; `type` is the class name in kebab-case."""


# ---- page to server, on the match socket -------------------------------------------------------------------------


class Hello(Message, frozen=True):
    """First message of a connection. Without a secret: a spectator. `seq`: the last update shown (-1: none).

    A guest opens the `invitation` with a `secret` that the guest's page has made and keeps; sent again, both lead to
    the same seat.
    """

    secret: Annotated[str, msgspec.Meta(max_length=200)] = ""
    invitation: Annotated[str, msgspec.Meta(max_length=200)] = ""
    window: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """Name that the page made up when it was loaded: the server closes an earlier socket of that name as dead."""
    seq: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1


class Act(Message, frozen=True):
    """The actions of one decision, in order: one for a move, all placements for a deployment.

    `n` counts this seat's `Act` messages from 1 and never repeats: a repeated `n` is acknowledged, not applied again.
    All actions are applied or none. Actions that leave a compound choice open are a draft until a later `Act` closes
    it.
    """

    n: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    actions: Annotated[
        list[Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]], msgspec.Meta(min_length=1, max_length=2_000)
    ]


class TakeBack(Message, frozen=True):
    """Forget the open draft; nothing that was acknowledged as stored."""


class Return(Message, frozen=True):
    """Take the own last decision back, with everything after it; for the only person in a match against the computer.

    `n` counts the take-backs of the match from 1: a repeated `n` is done once.
    """

    n: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class AskAdvice(Message, frozen=True):
    """Ask for the move of the strongest computer player; for the only person in a match against the computer."""


class Resign(Message, frozen=True):
    pass


class OfferDraw(Message, frozen=True):
    pass


class AnswerDraw(Message, frozen=True):
    accept: bool


class ClaimWin(Message, frozen=True):
    """Claim that others have been away for the stated time: they count as resigned and the rest play on. A player left
    alone by that wins.
    """


class EndMatch(Message, frozen=True):
    """End a match whose computer player failed for good, without a result."""


class WakeAgents(Message, frozen=True):
    """Let the computer players that failed for good try once more."""


class OfferRematch(Message, frozen=True):
    """Ask for (or agree to) another match, in which everyone has the next side."""


class Invite(Message, frozen=True):
    """Ask for a new invitation to `side`, whose guest has not acted yet: the earlier one ends, opened or not."""

    side: Annotated[str, msgspec.Meta(max_length=64)]


class GiveName(Message, frozen=True):
    """The name by which the others see this seat's player; empty: none."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class Why(Message, frozen=True):
    """Ask why `path` (scene ids, such as `["d4", "d6"]`) is no choice; the answer is a `Refused` with the reason."""

    path: Annotated[list[Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(min_length=1, max_length=16)]


class Suggest(Message, frozen=True):
    """Ask for pieces on all places of the own `Scene.arrange`, as people place them. Pieces in `at`, faces by place,
    stay there. If something else is to be chosen before play, the answer suggests that choice.
    """

    at: Annotated[
        dict[Annotated[str, msgspec.Meta(max_length=64)], Annotated[str, msgspec.Meta(max_length=64)]],
        msgspec.Meta(max_length=2_000),
    ] = {}


class AskRemarks(Message, frozen=True):
    """Ask for remarks on the arrangement that these actions would complete. Nothing is done."""

    actions: Annotated[list[int], msgspec.Meta(min_length=1, max_length=2_000)]


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
    | ClaimWin
    | EndMatch
    | WakeAgents
    | OfferRematch
    | Invite
    | GiveName
    | Why
    | Suggest
    | AskRemarks
    | Ping
)


# ---- server to page, on the match socket ------------------------------------------------------------------------


class Seat(msgspec.Struct, frozen=True):
    """The player of a side. `kind`: `person`, `agent`; `name`: the computer player's, or the one a person gave, empty
    if none; `taken`: somebody has opened the link; `here`: connected now.
    """

    side: str
    kind: str
    name: str
    taken: bool
    here: bool
    claim_in: int | None = None
    """Seconds until the others may claim the win, while this person is away and due to act; else None."""
    failed: bool = False
    """The computer player died and could not be started again."""
    maker: bool = False
    """Seat of the match's maker, who may ask for new invitations."""
    may_invite: bool = False
    """Seat by invitation whose guest has not acted: a new invitation is possible."""


class MatchInfo(msgspec.Struct, frozen=True):
    id: str
    variant: str
    family: str
    changed: dict[str, bool | int]
    """House rules that differ from the variant's."""
    seats: tuple[Seat, ...]
    started: bool
    """Whether play has begun."""
    ended: bool
    created: int
    """Unix seconds."""
    claim_after: int
    """Seconds of absence after which the others may claim the win."""
    next: str = ""
    """The rematch's id, once agreed."""
    alone: bool = False
    """One person plays against computer players only."""
    returnable: bool = False
    """The only person may take the last decision back."""
    took_back: int = 0
    """Number of take-backs so far."""
    hints: int = 0
    """Number of hints given."""


class Ending(msgspec.Struct, frozen=True):
    """`reason` is worded as `end.<reason>`; `returns` by seat."""

    reason: str
    returns: tuple[float, ...]
    winner: str = ""
    """Side, or empty for a draw (shared by all with the highest return) or no result."""


class Now(msgspec.Struct, frozen=True):
    """Everything one observer is shown at one moment."""

    seq: int
    scene: Scene
    choices: tuple[Choice, ...]
    draft: bool = False
    """An own compound choice is open and can be taken back."""


class Welcome(Message, frozen=True):
    """Answer to `Hello`: the match as this observer sees it at `now.seq`; `Update`s up to the present follow at once.

    With `Hello.seq` given, `now` is the scene at that point, so that the page can show the steps since then.
    """

    match: MatchInfo
    side: str
    """The own side; empty for a spectator."""
    board: Board
    now: Now
    n: int
    """The last `Act.n` of this seat that was stored."""
    latest: int
    """The newest `seq`: updates up to it tell past steps."""
    offers: tuple[str, ...] = ()
    """Sides with an open draw offer."""
    ending: Ending | None = None


class Update(Message, frozen=True):
    """One step of the match (or of the own draft), filtered: events to tell, changes of the scene, choices now.

    `seq` grows by one with every stored step; a draft's update repeats the current `seq` with `draft` true.
    """

    seq: int
    events: tuple[Event, ...]
    patch: ScenePatch
    choices: tuple[Choice, ...]
    draft: bool = False
    by: str = ""
    """Side that acted; empty for chance."""


class Stored(Message, frozen=True):
    """`Act` number `n` is on disk (or, for a draft, held) and applied."""

    n: int
    seq: int


class Refused(Message, frozen=True):
    """Something was not done. `line` is worded as `refusal.<code>`; `n` is the refused `Act`'s number, else 0."""

    line: Line
    n: int = 0


class Suggestion(Message, frozen=True):
    """Answer to `Suggest`, to the window that asked alone: a face for each place, empty where none stands."""

    at: dict[str, str]
    actions: tuple[int, ...] = ()
    """If there is nothing to place: the actions of an `Act` that chooses as people do."""


class Remarks(Message, frozen=True):
    """Answer to `AskRemarks`, to the window that asked alone."""

    lines: tuple[Line, ...]
    """Worded as `remark.<code>`."""


class Advice(Message, frozen=True):
    """The choice of the strongest computer player now, with the receiver's knowledge."""

    path: tuple[str, ...]
    """Path of the choice; of a compound choice its parts in a row, as far as they are planned."""
    chance: float
    """Chance of winning then, from 0 to 1, as the computer player judges it."""


class Presence(Message, frozen=True):
    match: MatchInfo


class DrawOffers(Message, frozen=True):
    """Sides with an open draw offer, sent after each change except the end of the match, which leaves none."""

    sides: tuple[str, ...]


class Ended(Message, frozen=True):
    """The match is over: `patch` shows everything hidden in it, to players and spectators alike."""

    ending: Ending
    match: MatchInfo
    patch: ScenePatch = ScenePatch()


class RematchOffered(Message, frozen=True):
    sides: tuple[str, ...]


class RematchReady(Message, frozen=True):
    """All agreed: the new match, and the secret of the receiver's own new seat."""

    match: str
    secret: str


class Invitation(Message, frozen=True):
    """The new invitation to `side`, for all windows of the seat that asked; the page keeps it."""

    side: str
    secret: str


class Windows(Message, frozen=True):
    """Number of windows in which the own seat is open, sent whenever it changes and another window stays."""

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
    | DrawOffers
    | Ended
    | RematchOffered
    | RematchReady
    | Invitation
    | Suggestion
    | Remarks
    | Windows
    | Pong
)
