"""An observer's notes on hidden pieces: groups of pieces of which some types are known, but not which piece has which,
and types that a piece cannot have. Families whose pieces can be mixed share this module; they decide when pieces are
mixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


class Piece(Protocol):
    kind: int


P = TypeVar("P", bound=Piece)


@dataclass(eq=False)
class Pool(Generic[P]):
    """Pieces that an observer cannot tell apart, and the types known to be among them."""

    members: list[P]
    known: Counter[int] = field(default_factory=Counter)

    @property
    def is_closed(self) -> bool:
        return self.known.total() == len(self.members)

    @property
    def is_exact(self) -> bool:
        """Whether the type of each piece is known."""
        return self.is_closed and len(+self.known) == 1


class Book(Generic[P]):
    """Knowledge of one observer about the pieces of other players. Nothing is known of the type of a piece in no
    pool.
    """

    def __init__(self, types: int) -> None:
        self.types = frozenset(range(1, types))
        self._pools: dict[P, Pool[P]] = {}
        self.excluded: dict[P, frozenset[int]] = {}

    @property
    def pools(self) -> list[Pool[P]]:
        return list({id(pool): pool for pool in self._pools.values()}.values())

    def pool_of(self, piece: P) -> Pool[P] | None:
        return self._pools.get(piece)

    def kind_of(self, piece: P) -> int:
        """Return the piece's type if the observer knows it, else 0."""
        pool = self._pools.get(piece)
        return piece.kind if pool is not None and pool.is_exact else 0

    def forget(self, piece: P) -> None:
        """Take the piece out of its pool; remove its type from the known types if it is one of them."""
        pool = self._pools.get(piece)
        if pool is not None:
            self._remove(pool)
            self._add(Pool([other for other in pool.members if other is not piece], pool.known - Counter([piece.kind])))
        self.excluded.pop(piece, None)

    def _remove(self, pool: Pool[P]) -> None:
        for piece in pool.members:
            del self._pools[piece]

    def _add(self, pool: Pool[P]) -> None:
        """Add a pool, unless nothing is known of it. If all its pieces have one known type, note each piece
        separately.
        """
        if pool.is_exact:
            for piece in pool.members:
                self._pools[piece] = Pool([piece], Counter([piece.kind]))
                self.excluded.pop(piece, None)
        elif pool.known:
            self._pools.update(dict.fromkeys(pool.members, pool))

    def see(self, piece: P) -> None:
        self.forget(piece)
        self._add(Pool([piece], Counter([piece.kind])))

    def see_set(self, pieces: list[P]) -> None:
        """Let the observer see all these pieces, but not which is which."""
        for piece in pieces:
            self.forget(piece)
        if pieces:
            self._add(Pool(list(pieces), Counter(piece.kind for piece in pieces)))

    def exclude(self, piece: P, kinds: Iterable[int]) -> None:
        """Note that the piece has none of these types."""
        if not self.kind_of(piece):
            self.excluded[piece] = self.excluded.get(piece, frozenset()) | frozenset(kinds)

    def close(self, pieces: list[P]) -> list[Pool[P]]:
        """Remove and return the pools of these pieces. If all types of a pool were known, note that its pieces have no
        other types.
        """
        pools = list({id(p): p for p in (self._pools.get(piece) for piece in pieces) if p is not None}.values())
        for pool in pools:
            self._remove(pool)
            for piece in pool.members if pool.is_closed else ():
                self.exclude(piece, self.types - set(pool.known))
        return pools

    def join(self, pools: list[Pool[P]], pieces: list[P]) -> None:
        """Note that these pieces and those of the pools can no longer be told apart."""
        together = dict.fromkeys([*(piece for pool in pools for piece in pool.members), *pieces])
        self._add(Pool(list(together), sum((pool.known for pool in pools), Counter())))

    def mix(self, pieces: list[P]) -> None:
        """Note that these pieces may have changed places. What was known of single pieces is now known of all
        together.
        """
        pools = self.close(pieces)
        common = frozenset.intersection(*(self.excluded.get(piece, frozenset()) for piece in pieces))
        for piece in pieces:
            self.excluded[piece] = common
        self.join(pools, pieces)
