"""Recovery codes: shown once, they open an account whose password or passkey is lost. There is no e-mail."""

from __future__ import annotations

import secrets

from gonfalon.server.protocol.secrets import hash_secret

COUNT = 8
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Letters of codes: none looks like another one."""
_GROUPS, _LENGTH = 4, 4
"""A code of 16 letters has 80 random bits, so that its plain hash is safe."""
_ALIKE = str.maketrans("oil", "011")


def make_codes() -> list[str]:
    """Return new codes, such as `7k2m-x0qd-19ab-f3tz`."""
    return ["-".join(_draw() for _ in range(_GROUPS)) for _ in range(COUNT)]


def hash_code(code: str) -> str:
    """Return the hash of a code as somebody typed it: case, spaces, dashes and letters that look alike do not count."""
    return hash_secret("".join(sign for sign in code.lower().translate(_ALIKE) if sign.isalnum()))


def _draw() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
