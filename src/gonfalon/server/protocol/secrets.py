"""Seat secrets: made here, stored hashed, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence


def new_secret() -> str:
    """Return 192 random bits, safe in a URL."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """Return the public id of a match: 96 random bits, so that spectators' links cannot be guessed.

    No id begins with a dash: commands (`gonfalon matches delete ID`) would take it for an option.
    """
    while (drawn := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return drawn


def hash_secret(secret: str) -> str:
    """Return the hash under which a secret is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def derive(secret: str, match: str) -> str:
    """Return the secret of the same person's seat in the rematch `match`; the old secret always leads to it again."""
    digest = hmac.new(secret.encode(), match.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def find_seat(secret: str, hashes: Sequence[str]) -> int | None:
    """Return the seat that `secret` opens, None for none. Compares with every seat, so that time tells nothing."""
    mine = hash_secret(secret)
    found: int | None = None
    for seat, stored in enumerate(hashes):
        if hmac.compare_digest(mine, stored):
            found = seat
    return found
