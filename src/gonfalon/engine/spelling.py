"""Words for errors about unknown names: what exists, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def list_known(name: object, known: Iterable[str]) -> str:
    """Return the names that exist, as the rest of an error about the unknown `name`. A similar name comes first:
    `did you mean 'barrage'? There are classic, barrage, duel`.
    """
    names = tuple(known)
    if not names:
        return "there are none"
    meant = find_similar(name, names)
    question = f"did you mean {meant!r}? There are " if meant else "there are "
    return question + ", ".join(names)


def find_similar(name: object, known: Iterable[str]) -> str:
    """Return the known name that is spelt most like `name`, in capitals or not; empty if none is similar."""
    from difflib import get_close_matches  # imported here, because only mistakes need it

    close = get_close_matches(str(name).lower(), tuple(known), n=1)
    return close[0] if close else ""
