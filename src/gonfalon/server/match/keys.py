"""Keys of the seats of a match, computed from its log: hashes of secrets, and of invitations that can be opened
once.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gonfalon.engine.game import PUBLIC
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import find_seat, hash_secret
from gonfalon.server.storage.entries import AnyEntry, Invited, Opened, SeatHeader

LEAST_LETTERS = 20
"""Minimum length of a guest's own secret: 120 bits in the alphabet of `new_secret`."""


class Place(msgspec.Struct, frozen=True):
    """The observer that a secret belongs to. `opens`: the secret comes with an invitation that nobody has opened
    yet.
    """

    observer: int
    opens: bool = False


class SeatKeys:
    """Keys by seat. The match's maker knows the invitations, but not the secret with which a guest opened one."""

    def __init__(self, seats: Sequence[SeatHeader]) -> None:
        self.secrets = [seat.secret for seat in seats]
        """Hashes of secrets; empty for a computer player, and while nobody has opened the seat's invitation."""
        self.invitations = [seat.invitation for seat in seats]
        """Hashes of invitations; empty for a computer player, and if the seat's secret was given out when the match was
        made.
        """
        self._ended: set[str] = set()
        """Hashes of all secrets and invitations that have ended."""

    def apply(self, entry: AnyEntry) -> None:
        """Apply an entry of the match's log."""
        match entry:
            case Opened():
                self.open(entry.by, entry.secret)
            case Invited():
                self.invite(entry.seat, entry.invitation)

    def open(self, player: int, secret: str) -> None:
        """Note that a seat's invitation was opened. `secret`: hash of the guest's own secret."""
        self.secrets[player] = secret

    def invite(self, player: int, invitation: str) -> None:
        """Replace the invitation of a seat; the old one ends, together with the secret that opened it."""
        self._ended.update(filter(None, (self.secrets[player], self.invitations[player])))
        self.secrets[player] = ""
        self.invitations[player] = invitation

    def find_place(self, secret: str, invitation: str = "") -> Place:
        """Return the place of a secret, alone or with the invitation that it opens or has opened. Without either, it is
        the place of a spectator.

        Raises `Declined`: `no-seat`, `invitation-used`, `invitation-ended`, `bad-message`.
        """
        if not secret and not invitation:
            return Place(PUBLIC)
        seat, invited = find_seat(secret, self.secrets), find_seat(invitation, self.invitations)
        if seat is not None and (not invitation or invited == seat):
            return Place(seat)
        if not self._ended.isdisjoint((hash_secret(secret), hash_secret(invitation))):
            raise Declined("invitation-ended")
        if invited is None:
            raise Declined("no-seat")
        if self.secrets[invited]:
            raise Declined("invitation-used")
        if seat is not None or secret == invitation or len(secret) < LEAST_LETTERS:
            raise Declined("bad-message", detail="an invitation is opened with a new secret of one's own")
        return Place(invited, opens=True)
