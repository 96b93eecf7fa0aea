"""Draw offers (GR-21), possible once play has started. An offer stays open until another player refuses it, or
completes a turn without accepting it. A player has at most one open offer. With more than two players, all others who
are not out must accept. Values are immutable: every method returns a new one.
"""

from __future__ import annotations

import msgspec

from gonfalon.engine.events import Refusal


class OfferError(ValueError):
    """An offer or an answer is not possible now; `refusal` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.refusal = Refusal(code)


class Offer(msgspec.Struct, frozen=True):
    """One open offer: the player who made it, and the players who have accepted it so far."""

    by: int
    accepted: frozenset[int] = frozenset()


class DrawOffers(msgspec.Struct, frozen=True):
    """The open offers of one match with `players` players, the oldest first."""

    players: int
    offers: tuple[Offer, ...] = ()
    out: frozenset[int] = frozenset()
    """Players who have left while the match goes on. They neither offer nor answer, and their answers are not
    needed.
    """

    @property
    def open(self) -> tuple[int, ...]:
        """Players with an open offer, the oldest offer first."""
        return tuple(offer.by for offer in self.offers)

    @property
    def is_agreed(self) -> bool:
        """Whether one of the offers is accepted by all other players who are not out."""
        return any(len(offer.accepted | self.out) == self.players - 1 for offer in self.offers)

    def awaits(self, player: int) -> bool:
        """Return whether `player` still has to answer an offer of another player."""
        return player not in self.out and any(player not in (offer.by, *offer.accepted) for offer in self.offers)

    def offer(self, player: int, started: bool) -> DrawOffers:
        """Add an offer of `player`. Raises `OfferError`: `out`, `not-started`, `offer-stands`."""
        self._check_in(player)
        if not started:
            raise OfferError("not-started")
        if player in self.open:
            raise OfferError("offer-stands")
        return msgspec.structs.replace(self, offers=(*self.offers, Offer(player)))

    def answer(self, player: int, accept: bool) -> DrawOffers:
        """Accept or refuse all offers of other players for `player`. Raises `OfferError`: `out`, `no-offer`."""
        self._check_in(player)
        if all(offer.by == player for offer in self.offers):
            raise OfferError("no-offer")
        if not accept:
            return self._drop_others(player)
        accepted = tuple(o if o.by == player else Offer(o.by, o.accepted | {player}) for o in self.offers)
        return msgspec.structs.replace(self, offers=accepted)

    def complete_turn(self, player: int) -> DrawOffers:
        """End the offers of other players that `player` has not accepted before completing a turn."""
        kept = tuple(o for o in self.offers if o.by == player or player in o.accepted)
        return self if len(kept) == len(self.offers) else msgspec.structs.replace(self, offers=kept)

    def drop_players(self, out: frozenset[int]) -> DrawOffers:
        """Remove the players in `out`. Their offers end, and they need not accept any more, so another offer may now be
        agreed.
        """
        kept = tuple(offer for offer in self.offers if offer.by not in out)
        return msgspec.structs.replace(self, offers=kept, out=out)

    def _check_in(self, player: int) -> None:
        if player in self.out:
            raise OfferError("out")

    def _drop_others(self, player: int) -> DrawOffers:
        return msgspec.structs.replace(self, offers=tuple(o for o in self.offers if o.by == player))
