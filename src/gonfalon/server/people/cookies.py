"""The session cookie: HttpOnly, SameSite=Lax, and behind TLS Secure with the prefix `__Host-` (RFC 6265bis)."""

from __future__ import annotations

import re

NAME, SECURE_NAME = "gonfalon", "__Host-gonfalon"
MAX_AGE = 180 * 86_400
"""Seconds after which a session ends that nobody used; the browser drops the cookie then."""
_SECRET = re.compile(r"[A-Za-z0-9_-]{32}")


def read_cookie(header: str, secure: bool) -> str:
    """Return the secret of a session from a `Cookie` header; empty if it holds none. `secure`: whether the request came
    by TLS. Over TLS only the cookie with the prefix counts, because other hosts of the domain cannot set that one.
    """
    wanted = SECURE_NAME if secure else NAME
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and _SECRET.fullmatch(value):
            return value
    return ""


def write_cookie(secret: str, secure: bool) -> str:
    """Return the `Set-Cookie` header for a session; an empty secret removes the cookie."""
    name = SECURE_NAME if secure else NAME
    age = MAX_AGE if secret else 0
    return f"{name}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"
