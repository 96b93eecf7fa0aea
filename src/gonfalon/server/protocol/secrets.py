"""Secrets of seats: random, stored as hashes, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence

_ID = re.compile(r"[\w-]+", re.ASCII)


def new_secret() -> str:
    """Return 192 random bits, as text that is safe in a URL."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """Return the public id of a match: 96 random bits, so that nobody can guess the address for spectators.

    No id begins with a dash, which commands (`gonfalon matches delete ID`) would take for an option.
    """
    while (drawn := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return drawn


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id. No match has another one, and a database may not accept it."""
    return _ID.fullmatch(text) is not None


def hash_secret(secret: str) -> str:
    """Return the hash under which a secret is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def derive(secret: str, match: str) -> str:
    """Return the secret of the same person's seat in the rematch `match`. The old secret always gives the same new
    one.
    """
    digest = hmac.new(secret.encode(), match.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def find_seat(secret: str, hashes: Sequence[str]) -> int | None:
    """Return the seat that `secret` opens, or None. Compares with the hashes of all seats, so that the time reveals
    nothing.
    """
    mine = hash_secret(secret)
    found: int | None = None
    for seat, stored in enumerate(hashes):
        if hmac.compare_digest(mine, stored):
            found = seat
    return found
