"""What opens the seats of a match, as its log tells it: hashes of secrets, and of invitations that are opened once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gonfalon.engine.game import PUBLIC
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import find_seat
from gonfalon.server.storage.entries import SeatHeader

LEAST_LETTERS = 20
"""A guest's own secret is at least this long: 120 bits of what `new_secret` is made of."""


class Place(msgspec.Struct, frozen=True):
    """Whose eyes somebody looks through; `opens`: by an invitation that nobody has opened yet."""

    observer: int
    opens: bool = False


class SeatKeys:
    """By seat. Whoever made the match knows its invitations, but not the secret that a guest made to open his."""

    def __init__(self, seats: Sequence[SeatHeader]) -> None:
        self.secrets = [seat.secret for seat in seats]
        """Empty for a computer player, and while nobody has opened the seat's invitation."""
        self.invitations = [seat.invitation for seat in seats]
        """Empty where the seat's own secret was given out when the match was made."""
        self._ended: list[str] = []

    def open(self, player: int, secret: str) -> None:
        """The invitation of a seat has been opened; `secret` is the hash of its guest's own."""
        self.secrets[player] = secret

    def invite(self, player: int, invitation: str) -> None:
        """Ends the invitation of a seat, with the secret that opened it, for another one."""
        self._ended += filter(None, (self.secrets[player], self.invitations[player]))
        self.secrets[player] = ""
        self.invitations[player] = invitation

    def find_place(self, secret: str, invitation: str = "") -> Place:
        """Where a secret leads, with the invitation that it opens or has opened; neither: among the spectators. Raises
        `Declined`: `no-seat`, `invitation-used`, `invitation-ended`, `bad-message`.
        """
        if not secret and not invitation:
            return Place(PUBLIC)
        seat, invited = find_seat(secret, self.secrets), find_seat(invitation, self.invitations)
        ended = (find_seat(secret, self._ended), find_seat(invitation, self._ended))
        if seat is not None and (not invitation or invited == seat):
            return Place(seat)
        if ended != (None, None):
            raise Declined("invitation-ended")
        if invited is None:
            raise Declined("no-seat")
        if self.secrets[invited]:
            raise Declined("invitation-used")
        if seat is not None or secret == invitation or len(secret) < LEAST_LETTERS:
            raise Declined("bad-message", detail="an invitation is opened with a new secret of one's own")
        return Place(invited, opens=True)
