"""Bodies of HTTP requests and answers about persons: accounts, log-ins, profiles (`docs/protocol.md`)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from gonfalon.server.protocol.rating_bodies import PersonRating

ShortText = Annotated[str, msgspec.Meta(max_length=200)]
"""Text that somebody types: a name, a password, a code."""
MOST_CREDENTIAL = 20_000
"""Maximum number of letters in a browser's answer about a passkey."""


class Me(msgspec.Struct, frozen=True):
    """`GET /api/me`: who the session of this browser belongs to."""

    name: str
    """Name of the account; empty for a guest, and without a session."""
    guest: bool
    """Whether there is a session of a guest."""
    accounts: bool
    """Whether this server makes new accounts."""
    password: bool = False
    """Whether the account has a password."""


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/accounts`."""

    name: ShortText
    password: ShortText


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/login`."""

    name: ShortText
    password: ShortText


class Recovery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/login/recovery`: a recovery code, and the new password."""

    name: ShortText
    code: ShortText
    password: ShortText


class Logout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/logout`. `everywhere`: end all sessions of the person."""

    everywhere: bool = False


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/account/password`. `old`: empty if the account has no password."""

    old: ShortText
    new: ShortText


class Confirmation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of one's own account again; empty for a guest, and if the account has no password."""

    password: ShortText = ""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of calls without arguments, `{}`: only our own page can post JSON."""


class ChosenId(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session or passkey from a list of one's own."""

    id: ShortText


class ChosenName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name of a (new) account."""

    name: ShortText


class PasskeyAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's answer to a challenge. `credential`: JSON text of its `PublicKeyCredential`."""

    challenge: ShortText
    credential: Annotated[str, msgspec.Meta(max_length=MOST_CREDENTIAL)]


class PasskeyChallenge(msgspec.Struct, frozen=True):
    """A challenge for a passkey. `options`: JSON text for `navigator.credentials`."""

    challenge: str
    options: str


class Codes(msgspec.Struct, frozen=True):
    """New recovery codes, shown once."""

    codes: tuple[str, ...]


class SessionCard(msgspec.Struct, frozen=True):
    """One of one's own sessions. Times in Unix seconds."""

    id: str
    created: int
    seen: int
    """Day of the last use."""
    device: str
    """Browser and system; empty if they are not known."""
    current: bool
    """Whether this is the session of the request."""


class PasskeyCard(msgspec.Struct, frozen=True):
    """One of one's own passkeys. `created`: Unix seconds."""

    id: str
    created: int
    device: str
    """Browser and system with which it was made."""


class AccountPage(msgspec.Struct, frozen=True):
    """`GET /api/account`: everything on the screen of one's own account."""

    name: str
    password: bool
    """Whether the account has a password."""
    sessions: tuple[SessionCard, ...]
    passkeys: tuple[PasskeyCard, ...]
    blocked: tuple[str, ...]
    """Names of the accounts that this one blocks."""


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/account/blocks`. `on`: block, or take the block away."""

    name: ShortText
    on: bool


class Tally(msgspec.Struct, frozen=True):
    """Results of a person in one game, or against one opponent."""

    wins: int
    draws: int
    losses: int


class GameTally(msgspec.Struct, frozen=True):
    variant: str
    tally: Tally


class OpponentTally(msgspec.Struct, frozen=True):
    """`agent`: name of the computer player, or empty; `name`: of an account, empty for guests and deleted players."""

    name: str
    agent: str
    tally: Tally


class Profile(msgspec.Struct, frozen=True):
    """`GET /api/people/{name}`: what the reader may know of an account."""

    name: str
    since: int
    """Time at which the account was made, in Unix seconds."""
    games: tuple[GameTally, ...]
    opponents: tuple[OpponentTally, ...]
    """The most frequent opponents."""
    ratings: tuple[PersonRating, ...] = ()
    """Ratings by game, speed class and pool."""
    left_early: float = 0.0
    """Share of rated matches that the person called off, from 0 to 1."""
    mine: bool = False
    """Whether this is the reader's own account."""
    blocked: bool = False
    """Whether the reader blocks this account."""


class PlayedSeat(msgspec.Struct, frozen=True):
    """A player of a finished match."""

    name: str
    """Name of the account; empty for others."""
    agent: str
    """Name of the computer player; empty for persons."""
    result: str
    """`win`, `draw`, `loss` or `none`."""
    deleted: bool = False
    """The account was deleted."""


class PlayedMatch(msgspec.Struct, frozen=True):
    """A finished match in a profile."""

    match: str
    variant: str
    ended: int
    """Unix seconds."""
    result: str
    """Result of the profile's person."""
    rated: bool
    listed: bool
    """Whether everybody may see the match; others are shown only to their players."""
    seats: tuple[PlayedSeat, ...]


class PlayedMatches(msgspec.Struct, frozen=True):
    """`GET /api/people/{name}/matches`: finished matches, the newest first."""

    matches: tuple[PlayedMatch, ...]
    more: str = ""
    """Value of `before` for the next page; empty if this is the last one."""


class OwnSeat(msgspec.Struct, frozen=True):
    """A seat of the reader."""

    match: str
    side: str
