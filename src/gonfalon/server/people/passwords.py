"""Passwords: what is refused, and their hashes (argon2id, 19 MiB, two passes, one lane).

One thread computes the hashes, and few may wait for it. So a flood of log-ins costs one core at most and little memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import new_secret

LEAST_LETTERS = 10
MOST_WAITING = 20
"""Maximum number of passwords that wait for the thread, the one in work included."""
_Result = TypeVar("_Result")


def check_password(password: str, name: str) -> None:
    """Refuse a new password that is too short, common, or the name. Raises `Declined`: `password-short`,
    `password-common`, `password-name`.
    """
    if len(password) < LEAST_LETTERS:
        raise Declined("password-short", 400, least=LEAST_LETTERS)
    plain = password.casefold()
    if plain == name.casefold():
        raise Declined("password-name", 400)
    if plain in _list_common() or len(set(plain)) == 1:
        raise Declined("password-common", 400)


@cache
def _list_common() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(each for each in FREQUENCY_LISTS["passwords"] if len(each) >= LEAST_LETTERS)


class Passwords:
    """Hashes and checks passwords, one after the other."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._thread = ThreadPoolExecutor(1, "passwords")
        self._dummy = ""
        self.waiting = 0
        """Number of passwords that wait for the thread or are in work."""

    async def hash(self, password: str) -> str:
        """Return the hash of a password. Raises `Declined`: `passwords-busy`."""
        return await self._run(lambda: self._hasher.hash(password))

    async def verify(self, stored: str | None, password: str) -> bool:
        """Return whether a password is the one with the hash `stored`. Without a hash the answer takes as long, so that
        nobody learns from the time which accounts exist.

        Raises `Declined`: `passwords-busy`.
        """
        return await self._run(lambda: self._verify(stored, password))

    def close(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _verify(self, stored: str | None, password: str) -> bool:
        if not stored:
            self._dummy = self._dummy or self._hasher.hash(new_secret())
        try:
            return self._hasher.verify(stored or self._dummy, password) and bool(stored)
        except VerifyMismatchError:
            return False

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        if self.waiting >= MOST_WAITING:
            raise Declined("passwords-busy", 503)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self.waiting -= 1
