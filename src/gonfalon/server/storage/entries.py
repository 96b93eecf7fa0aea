"""The log of a match: its header and its entries. Everything else about a match is computed from them.

These structs are stored as JSON. A field may be added with a default; no field may be renamed or removed.
"""

from __future__ import annotations

import msgspec

from gonfalon.engine.rulesets.ruleset import Written, find_source
from gonfalon.server.clock.control import Control


class SeatHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat at the time when the match was made. `secret`: SHA-256 (hex) of a person's secret. It is empty for an
    agent, and for a guest, whose page makes a secret when it opens the invitation.
    """

    name: str = ""
    agent: str = ""
    secret: str = ""
    maker: bool = False
    """This seat belongs to the match's maker and counts as taken from the start."""
    device: bool = False
    """Seat on the device of the match's maker. A person on that device is present for all such seats."""
    invitation: str = ""
    """SHA-256 (hex) of a guest's invitation. Matches of earlier versions have none; their links hold the secrets of
    seats.
    """
    person: str = ""
    """Id of the account or guest that the seat belonged to when the match was made; empty if it belonged to none."""


class Header(msgspec.Struct, frozen=True):
    """The facts of a match that never change."""

    id: str
    variant: str
    changed: dict[str, bool | int]
    seats: tuple[SeatHeader, ...]
    created: int
    """Unix seconds."""
    claim_after: int
    """Seconds of absence after which the other players may claim the win, in a match without a time control."""
    clock: Control | None = None
    """The time control; None in a match of earlier versions, or if its maker wished none."""
    listed: bool = False
    """Strangers met in the lobby, or a level was played for a rating: everybody may find the match and watch it."""
    rated: bool = False
    """The result changes ratings. Only listed matches with a clock are rated."""
    ruleset: str = ""
    """The whole ruleset of a variant of the operator's own (`Written.text`), so that an edited file changes no stored
    match; empty for a shipped variant.
    """

    @property
    def rules(self) -> str | Written:
        """The variant, for `games.make`."""
        return find_source(self.variant, self.ruleset)


class Entry(msgspec.Struct, frozen=True, tag_field="k", tag=str.lower, omit_defaults=True):
    """Base of all entries; `k` is the class name in lower case."""


class Played(Entry, frozen=True):
    """One step: all actions of one decision of `by` (-1: chance). `n`: number of the page's `Act`; 0: none. `took`:
    milliseconds that a person needed for the decision, in which this server ran.
    """

    by: int
    actions: tuple[int, ...]
    n: int = 0
    took: int = 0


class Resigned(Entry, frozen=True):
    by: int


class OutOfTime(Entry, frozen=True):
    """The server found that `by` needed more time than the clock allowed. `took`: as in `Played`."""

    by: int
    took: int = 0


class Claimed(Entry, frozen=True):
    """`by` claimed the win while the players `absent` were away."""

    by: int
    absent: tuple[int, ...]


class Abandoned(Entry, frozen=True):
    """`by` ended the match because a computer player had failed."""

    by: int


class CalledOff(Entry, frozen=True):
    """`by` called the match off before each player had decided twice."""

    by: int


class Offered(Entry, frozen=True):
    by: int


class Answered(Entry, frozen=True):
    """`by` accepted or refused the draw offers of the other players."""

    by: int
    accept: bool


class TookBack(Entry, frozen=True):
    """`by`, the only person, took back their last decision: the moves from number `to` on were removed."""

    by: int
    to: int


class Hinted(Entry, frozen=True):
    """`by`, the only person, got a hint."""

    by: int


class Taken(Entry, frozen=True):
    """A client came to the seat `by` for the first time, with the seat's own secret. `person`: as in `SeatHeader`."""

    by: int
    person: str = ""


class Opened(Entry, frozen=True):
    """A guest opened the invitation of the seat `by`. `secret`: hash of the guest's own secret; `person`: as in
    `SeatHeader`.
    """

    by: int
    secret: str
    person: str = ""


class Invited(Entry, frozen=True):
    """`by` made a new invitation for `seat`; `invitation` is its hash. The earlier invitation became invalid, and its
    guest lost the seat.
    """

    by: int
    seat: int
    invitation: str


class Named(Entry, frozen=True):
    """`by` chose a name that the other players see."""

    by: int
    name: str


class RematchAsked(Entry, frozen=True):
    """`by` wants a rematch with the id `match`. `secret`: hash of that player's secret in the rematch."""

    by: int
    match: str
    secret: str


class RematchMade(Entry, frozen=True):
    match: str


AnyEntry = (
    Played
    | Resigned
    | OutOfTime
    | Claimed
    | Abandoned
    | CalledOff
    | Offered
    | Answered
    | TookBack
    | Hinted
    | Taken
    | Opened
    | Invited
    | Named
    | RematchAsked
    | RematchMade
)

_encoder = msgspec.json.Encoder()
_entry_decoder = msgspec.json.Decoder(AnyEntry)
_header_decoder = msgspec.json.Decoder(Header)


def pack(thing: Header | AnyEntry) -> bytes:
    """Return a header or an entry as it is stored."""
    return _encoder.encode(thing)


def unpack_entry(body: bytes) -> AnyEntry:
    """Return the entry of a stored text. Raises `msgspec.ValidationError`."""
    entry: AnyEntry = _entry_decoder.decode(body)
    return entry


def unpack_header(body: bytes) -> Header:
    """Return the header of a stored text. Raises `msgspec.ValidationError`."""
    return _header_decoder.decode(body)
