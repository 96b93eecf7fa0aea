"""What an observer notes down of hidden pieces: pools of which he knows some types but not which is which, and types that a
piece cannot be. Shared by families whose pieces can be mixed; when that happens the families say.
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
    """Pieces that an observer cannot tell apart, and the types that he knows to be among them."""

    members: list[P]
    known: Counter[int] = field(default_factory=Counter)

    @property
    def is_closed(self) -> bool:
        return self.known.total() == len(self.members)

    @property
    def is_exact(self) -> bool:
        """Whether each piece's own type is known."""
        return self.is_closed and len(+self.known) == 1


class Book(Generic[P]):
    """What one observer knows of pieces that are not his own. A piece in no pool is unknown."""

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
        """The piece's type if the observer knows it, else 0."""
        pool = self._pools.get(piece)
        return piece.kind if pool is not None and pool.is_exact else 0

    def forget(self, piece: P) -> None:
        """The piece comes out of its pool; of what the pool is known to hold, its type if it is among it."""
        pool = self._pools.get(piece)
        if pool is not None:
            self._remove(pool)
            self._add(Pool([other for other in pool.members if other is not piece], pool.known - Counter([piece.kind])))
        self.excluded.pop(piece, None)

    def _remove(self, pool: Pool[P]) -> None:
        for piece in pool.members:
            del self._pools[piece]

    def _add(self, pool: Pool[P]) -> None:
        """A pool of which nothing is known is none; pieces of one type are known one by one."""
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
        """All of them, but not which is which."""
        for piece in pieces:
            self.forget(piece)
        if pieces:
            self._add(Pool(list(pieces), Counter(piece.kind for piece in pieces)))

    def exclude(self, piece: P, kinds: Iterable[int]) -> None:
        """The piece is of none of these types."""
        if not self.kind_of(piece):
            self.excluded[piece] = self.excluded.get(piece, frozenset()) | frozenset(kinds)

    def close(self, pieces: list[P]) -> list[Pool[P]]:
        """The pools of these pieces, taken out. Of one whose types were all known, no piece can be of another type."""
        pools = list({id(p): p for p in (self._pools.get(piece) for piece in pieces) if p is not None}.values())
        for pool in pools:
            self._remove(pool)
            for piece in pool.members if pool.is_closed else ():
                self.exclude(piece, self.types - set(pool.known))
        return pools

    def join(self, pools: list[Pool[P]], pieces: list[P]) -> None:
        """From now on these pieces, and those of the pools, cannot be told apart."""
        together = dict.fromkeys([*(piece for pool in pools for piece in pool.members), *pieces])
        self._add(Pool(list(together), sum((pool.known for pool in pools), Counter())))

    def mix(self, pieces: list[P]) -> None:
        """They may have changed places with one another: what was known of each is known of all of them together."""
        pools = self.close(pieces)
        common = frozenset.intersection(*(self.excluded.get(piece, frozenset()) for piece in pieces))
        for piece in pieces:
            self.excluded[piece] = common
        self.join(pools, pieces)
