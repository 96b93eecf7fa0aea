"""Limits on guessing: tries to log in, by address and by account.

The limit of an account counts passwords only. Recovery codes and passkeys cannot be guessed, so they work while
somebody else tries passwords, and no attacker can lock the owner out.
"""

from __future__ import annotations

from gonfalon.server.config import Config
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.protocol.refusals import Declined


class Guessing:
    """Counts tries."""

    def __init__(self, config: Config) -> None:
        self._addresses = RateLimiter(config.login_rate, config.login_burst)
        self._accounts = RateLimiter(config.password_rate, config.password_burst)

    def count_try(self, address: str) -> None:
        """Count one try of an address (`net.addresses.network_of`). Raises `Declined`: `login-often`."""
        if not self._addresses.take(address):
            raise Declined("login-often", 429)

    def count_password(self, account: str) -> None:
        """Count one password for an account, or for a name that none has. Raises `Declined`: `passwords-tried`."""
        if not self._accounts.take(account):
            raise Declined("passwords-tried", 429)
