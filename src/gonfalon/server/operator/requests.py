"""Requests of the operator and their answers, one JSON line each."""

from __future__ import annotations

from pathlib import Path

import msgspec

SOCKET = "operator.sock"
"""Name of the Unix socket in the data folder."""


class Request(msgspec.Struct, frozen=True, tag_field="act", forbid_unknown_fields=True):
    """Base of all requests; `act` is the class name."""


class ListPeople(Request, frozen=True):
    """List the accounts, those seen last first."""


class ShowPerson(Request, frozen=True):
    name: str


class RenamePerson(Request, frozen=True):
    name: str
    new: str


class BanPerson(Request, frozen=True):
    """Close an account: its sessions end, and nobody can log in."""

    name: str


class UnbanPerson(Request, frozen=True):
    name: str


class ResetCode(Request, frozen=True):
    """Replace the recovery codes of an account by a single new one, for an owner who has lost everything."""

    name: str


class EndMatches(Request, frozen=True):
    """End matches without a result. If one of them is already over, end none."""

    ids: tuple[str, ...]


class DeleteMatches(Request, frozen=True):
    """Delete the named matches, or all made more than `older_than` days ago."""

    ids: tuple[str, ...] = ()
    older_than: int | None = None


AnyRequest = ListPeople | ShowPerson | RenamePerson | BanPerson | UnbanPerson | ResetCode | EndMatches | DeleteMatches


class Answer(msgspec.Struct, frozen=True):
    """Lines to print, or the reason why nothing was done."""

    lines: tuple[str, ...] = ()
    problem: str = ""


def find_socket(data: Path) -> Path:
    """Return the place of the socket of a server with this data folder."""
    return data / SOCKET
