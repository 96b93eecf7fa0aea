"""The log of a match: its header and its entries. The log is the truth; everything else is computed from it.

These structs are stored as JSON. A field may be added with a default; none is renamed or removed.
"""

from __future__ import annotations

import msgspec


class SeatHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the match was made. `secret`: SHA-256 (hex) of a person's secret; empty for an agent, and for a guest,
    whose page makes one when it opens the invitation.
    """

    name: str = ""
    agent: str = ""
    secret: str = ""
    maker: bool = False
    """Seat of the match's maker: taken from the start."""
    device: bool = False
    """Seat on the device of the match's maker: a person there is present for all of these seats."""
    invitation: str = ""
    """SHA-256 (hex) of a guest's invitation. Matches of earlier versions have none: their links are seats' secrets."""


class Header(msgspec.Struct, frozen=True):
    """The facts of a match that never change."""

    id: str
    variant: str
    changed: dict[str, bool | int]
    seats: tuple[SeatHeader, ...]
    created: int
    """Unix seconds."""
    claim_after: int


class Entry(msgspec.Struct, frozen=True, tag_field="k", tag=str.lower, omit_defaults=True):
    """Base of all entries; `k` is the class name in lower case."""


class Played(Entry, frozen=True):
    """One step: all actions of one decision of `by` (-1: chance). `n`: the number of the page's `Act`, 0: none."""

    by: int
    actions: tuple[int, ...]
    n: int = 0


class Resigned(Entry, frozen=True):
    by: int


class Claimed(Entry, frozen=True):
    """`by` claimed the win while the `absent` were away."""

    by: int
    absent: tuple[int, ...]


class Abandoned(Entry, frozen=True):
    """`by` ended a match whose computer player had failed."""

    by: int


class Offered(Entry, frozen=True):
    by: int


class Answered(Entry, frozen=True):
    """`by` accepted or refused the draw offers of the others."""

    by: int
    accept: bool


class TookBack(Entry, frozen=True):
    """`by`, the only person, has taken the last own decision back: the moves are cut before number `to`."""

    by: int
    to: int


class Hinted(Entry, frozen=True):
    """`by`, the only person, was given a hint."""

    by: int


class Taken(Entry, frozen=True):
    """Somebody came to this seat by its own secret for the first time."""

    by: int


class Opened(Entry, frozen=True):
    """A guest opened the invitation of this seat; `secret` is the hash of the guest's own."""

    by: int
    secret: str


class Invited(Entry, frozen=True):
    """`by` ended the invitation of `seat`, and the access it had opened, for another one; `invitation` is its hash."""

    by: int
    seat: int
    invitation: str


class Named(Entry, frozen=True):
    """`by` gave a name for the others to see."""

    by: int
    name: str


class RematchAsked(Entry, frozen=True):
    """`by` wants a rematch with the id `match`; `secret` is the hash of that player's secret there."""

    by: int
    match: str
    secret: str


class RematchMade(Entry, frozen=True):
    match: str


AnyEntry = (
    Played
    | Resigned
    | Claimed
    | Abandoned
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
    """Return a header or an entry as stored."""
    return _encoder.encode(thing)


def unpack_entry(body: bytes) -> AnyEntry:
    """Return the entry of a stored text. Raises `msgspec.ValidationError`."""
    entry: AnyEntry = _entry_decoder.decode(body)
    return entry


def unpack_header(body: bytes) -> Header:
    """Return the header of a stored text. Raises `msgspec.ValidationError`."""
    return _header_decoder.decode(body)
