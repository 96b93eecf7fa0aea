"""Owners of matches: with one process, every match belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class ElsewhereError(RuntimeError):
    """Another node has the match. `node`: its name; empty if none may take it now."""

    def __init__(self, match: str, node: str = "") -> None:
        super().__init__(f"match {match} is on the node {node}" if node else f"no node may take match {match} now")
        self.node = node


class Owners(Protocol):
    """Makes this process the owner of matches."""

    shared: bool
    """Whether other processes may change matches that this one does not own."""

    async def take(self, match: str) -> bool:
        """Own a match until `release`. Return False if there is no such match.

        Raises `ElsewhereError`, `StoreError`.
        """

    async def take_free(self, matches: Sequence[str]) -> list[str]:
        """Own those matches that nobody else owns. Return them. Raises `StoreError`."""

    def release(self, match: str) -> None:
        """Give a match up, after all writes that wait."""


class OneOwner:
    """A process that owns all matches."""

    shared = False

    async def take(self, _match: str) -> bool:
        return True

    async def take_free(self, matches: Sequence[str]) -> list[str]:
        return list(matches)

    def release(self, _match: str) -> None:
        """Nothing is shared."""
