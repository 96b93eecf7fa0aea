"""The closed set of messages of the lobby's socket. `docs/protocol.md` says when each is sent.

`messages.py` has the form of a message. The messages to all windows of the lobby are the same bytes for everybody;
those to one person follow in a section of their own.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from gonfalon.server.clock.control import Control
from gonfalon.server.protocol.messages import Message, Ping, Pong, Refused

Name = Annotated[str, msgspec.Meta(max_length=64)]
Rating = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The match that the maker of a challenge wants to play."""

    variant: Name
    switches: Annotated[dict[Name, bool | int], msgspec.Meta(max_length=64)] = {}
    """House rules."""
    clock: Control | None = None
    rated: bool = False
    side: Name = ""
    """The side that the maker wishes; empty: drawn at random."""
    lowest: Rating = 0
    """Least rating of who may accept; 0: any."""
    highest: Rating = 0
    """Greatest rating of who may accept; 0: any."""


# ---- page to server ----------------------------------------------------------------------------------------------


class LobbyHello(Message, frozen=True, tag="hello"):
    """First message of a connection. The cookie of the connection says who the person is."""

    window: Name = ""
    """Random name of the page, made when it was loaded. Challenges stay while a page with the name is open."""


class Seek(Message, frozen=True):
    """Wait for a quick game; this ends an earlier wait of the same person."""

    game: Name


class StopSeeking(Message, frozen=True):
    pass


class FillTable(Message, frozen=True):
    """Begin a quick game for more than two at once, with a computer player on each free seat. Only for its host."""

    agent: Name


class PostChallenge(Message, frozen=True):
    """Make a challenge, open to everybody or for the account `to`."""

    terms: Terms
    to: Name = ""


class AcceptChallenge(Message, frozen=True):
    id: Name


class DeclineChallenge(Message, frozen=True):
    """Decline a challenge for oneself. Its maker learns of it."""

    id: Name


class WithdrawChallenge(Message, frozen=True):
    """Take back a challenge of one's own."""

    id: Name


class CounterChallenge(Message, frozen=True):
    """Propose other terms to the maker of a challenge. If it was for oneself alone, it ends."""

    id: Name
    terms: Terms


FromLobby = (
    LobbyHello
    | Seek
    | StopSeeking
    | FillTable
    | PostChallenge
    | AcceptChallenge
    | DeclineChallenge
    | WithdrawChallenge
    | CounterChallenge
    | Ping
)


# ---- server to page: the same for all ----------------------------------------------------------------------------


class QuickGame(msgspec.Struct, frozen=True):
    """A quick game: a variant at a speed, for which people wait."""

    name: str
    variant: str
    players: int
    clock: Control


class WaitingCount(msgspec.Struct, frozen=True, omit_defaults=True):
    """The people who wait for a quick game."""

    waiting: int
    usual: int | None = None
    """Median of recent waits in seconds; None if nobody was paired yet."""
    tables: tuple[tuple[str, ...], ...] = ()
    """In games for more than two: the tables that fill, each with the names of its people; empty for a guest. The
    first of a table is its host.
    """


class OpenChallenge(msgspec.Struct, frozen=True, omit_defaults=True):
    """A challenge as its readers see it."""

    id: str
    by: str
    """Account name of the maker; empty for a guest."""
    terms: Terms
    rating: int | None = None
    """Rating of the maker in this variant at this speed."""
    to: str = ""
    """Account name of the person whom it is for; empty: open to everybody, or for a guest."""
    counters: str = ""
    """Id of the challenge to which these terms are the answer."""
    provisional: bool = False
    """Whether the rating is provisional (`ShownRating.provisional`)."""


class RunningSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a running match; all fields are empty for a guest."""

    name: str = ""
    agent: str = ""
    rating: int | None = None
    provisional: bool = False
    """Whether the rating is provisional (`ShownRating.provisional`)."""


class RunningMatch(msgspec.Struct, frozen=True):
    """A match that everybody may watch."""

    id: str
    variant: str
    changed: dict[str, bool | int]
    seats: tuple[RunningSeat, ...]
    clock: Control | None
    rated: bool
    strength: int
    """Mean of the ratings, by which the list is sorted."""


class Lobby(Message, frozen=True):
    """Answer to `LobbyHello`: everything that all see."""

    games: tuple[QuickGame, ...]
    waiting: dict[str, WaitingCount]
    """By name of the quick game."""
    challenges: tuple[OpenChallenge, ...]
    """The open ones."""
    running: tuple[RunningMatch, ...]
    """The strongest first; of many matches only the strongest are shown."""


class LobbyUpdate(Message, frozen=True, omit_defaults=True):
    """Changes of the lobby. A page may get a change that it knows already, or the removal of an unknown id."""

    waiting: dict[str, WaitingCount] = {}
    """The counts that have changed."""
    added: tuple[OpenChallenge, ...] = ()
    removed: tuple[str, ...] = ()
    """Ids of challenges."""
    started: tuple[RunningMatch, ...] = ()
    """Running matches that are shown from now on."""
    ended: tuple[str, ...] = ()
    """Ids of matches that are over, or for which there is no more room."""


# ---- server to page: for one person ------------------------------------------------------------------------------


class You(Message, frozen=True):
    """Follows `Lobby`. `name`: of the account, empty for a guest; `known`: the person has a session and may play."""

    known: bool
    name: str = ""


class Waits(Message, frozen=True):
    """Whether this window waits for a quick game; `game` is empty if it does not."""

    game: str = ""
    host: bool = False
    """This person may fill the free seats of the table with computer players."""


class Paired(Message, frozen=True):
    """A match was made, and this person has the seat of `side`, which `secret` opens."""

    match: str
    side: str
    secret: str


class YourChallenge(Message, frozen=True):
    """A challenge by this person (`mine`), or for this person alone."""

    challenge: OpenChallenge
    mine: bool


class ChallengeOver(Message, frozen=True):
    """A challenge by or for this person is over: `accepted`, `declined`, `taken-back` or `countered`."""

    id: str
    reason: str


ToLobby = Lobby | LobbyUpdate | You | Waits | Paired | YourChallenge | ChallengeOver | Refused | Pong
