"""Token buckets: rate limits for one connection or one address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable


class TokenBucket:
    """Holds up to `burst` tokens; gains `rate` tokens a second."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate", "owed")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._clock = clock
        self._at = clock()
        self.owed = 0.0
        """Tokens spent beyond the content of the bucket, since it was last full."""

    def take(self) -> bool:
        """Use one token. Return False if there is none."""
        self._refill()
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def spend(self, cost: float) -> float:
        """Use `cost` tokens, even if there are fewer. Return the seconds until the bucket is no longer in debt."""
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
    """One token bucket per key (an address). Beyond `most` keys the least recently used bucket is dropped."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Take one token for `key`. Return whether there was one."""
        return self._find(key).take()

    def spend(self, key: str, cost: float) -> float:
        """Use `cost` tokens of `key`, even if there are fewer. Return the seconds until they are paid for."""
        return self._find(key).spend(cost)

    def _find(self, key: str) -> TokenBucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket
