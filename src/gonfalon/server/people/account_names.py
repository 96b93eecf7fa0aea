"""Names of accounts: 3 to 20 ASCII letters, digits, `-` and `_`, unique without case."""

from __future__ import annotations

import re

from gonfalon.server.protocol.names import NameRules
from gonfalon.server.protocol.refusals import Declined

LEAST_LETTERS, MOST_LETTERS = 3, 20
_FORM = re.compile(rf"[A-Za-z0-9_-]{{{LEAST_LETTERS},{MOST_LETTERS}}}")
_RESERVED = frozenset({"admin", "administrator", "gonfalon", "guest", "moderator", "operator", "server", "system"})
"""Names under which somebody could pass for the server, by key."""


def read_account_name(text: str, rules: NameRules) -> str:
    """Return the name of a new account. Raises `Declined`: `account-name`, `name-of-agent`, `name-taken`."""
    if not is_account_name(text) or text.strip("-_") == "":
        raise Declined("account-name", 400, least=LEAST_LETTERS, most=MOST_LETTERS)
    rules.require_person(text)
    if find_key(text) in _RESERVED:
        raise Declined("name-taken", 409, name=text)
    return text


def is_account_name(text: str) -> bool:
    """Return whether a text has the form of an account's name."""
    return _FORM.fullmatch(text) is not None


def find_key(name: str) -> str:
    """Return the form of a name by which accounts are found: lower case."""
    return name.lower()
