"""Token buckets: how much one connection or one address may do."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable


class TokenBucket:
    """Holds up to `burst` tokens, refilled with `rate` a second."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate", "owed")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._clock = clock
        self._at = clock()
        self.owed = 0.0
        """Tokens that were spent without being there, since the bucket was last full."""

    def take(self) -> bool:
        """Uses one token, if there is one."""
        self._refill()
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def spend(self, cost: float) -> float:
        """Uses `cost` tokens, there or not. Returns the seconds to wait until nothing is owed."""
        self._refill()
        self._left -= cost
        if self._left >= 0.0:
            return 0.0
        self.owed += min(cost, -self._left)
        return -self._left / self._rate

    def _refill(self) -> None:
        now = self._clock()
        self._left += (now - self._at) * self._rate
        self._at = now
        if self._left >= self._burst:
            self._left = self._burst
            self.owed = 0.0


class RateLimiter:
    """A bucket for every key (an address), the least recently used forgotten beyond `most`."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Whether `key` may do one more now."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take()
