"""The public facts of a match: the same values in messages of sockets and in HTTP bodies."""

from __future__ import annotations

import msgspec

from gonfalon.server.clock.control import Control


class Seat(msgspec.Struct, frozen=True):
    """The player of a side. `kind`: `person`, `agent`; `name`: of the computer player, or the name a person gave (empty
    if none); `taken`: somebody has opened the link; `here`: connected now.
    """

    side: str
    kind: str
    name: str
    taken: bool
    here: bool
    claim_in: int | None = None
    """Seconds until other players may claim the win, while this person is due to act and away; with a time control
    (`MatchInfo.clock`) also while the person is here. Else None.
    """
    failed: bool = False
    """The computer player has failed and could not be restarted."""
    missing: bool = False
    """This server does not have the computer player, for example since it was started again without it."""
    maker: bool = False
    """This seat belongs to the match's maker, who may ask for new invitations."""
    may_invite: bool = False
    """The guest of this seat has not acted yet, so the maker may ask for a new invitation."""
    account: str = ""
    """Name of the account that the seat belongs to; empty for guests and for seats that belong to nobody."""
    deleted: bool = False
    """The account or guest that the seat belonged to was deleted."""
    late: bool = False
    """The player ran out of time and is out of the match (`Scene.out`)."""


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
    """Seconds of absence after which other players may claim the win."""
    next: str = ""
    """Id of the rematch; empty until all have agreed."""
    alone: bool = False
    """Whether only one player of the match is a person."""
    returnable: bool = False
    """The only person may take back their last decision now."""
    took_back: int = 0
    """Number of take-backs so far."""
    hints: int = 0
    """Number of hints given."""
    clock: Control | None = None
    """The time control; None: the others may claim the win only against a player who is away."""
    listed: bool = False
    """Whether everybody may find the match and watch it."""
    rated: bool = False
    """Whether the result changes ratings."""
    may_call_off: bool = False
    """Any player may call the match off now."""
    called_off: str = ""
    """Side that called the match off; empty if none did."""
    title: dict[str, str] = {}
    """Title of a variant of the operator's own, as `VariantCard.title`, when the match was made."""


class Ending(msgspec.Struct, frozen=True):
    """The ending of a match. The page words `reason` as `end.<reason>`; `returns` are by seat."""

    reason: str
    returns: tuple[float, ...]
    winner: str = ""
    """Side of the winner; empty for a draw (several players share the highest return) or if there is no result."""
