"""Subjects of pages, for previews of links: the facts that everybody with the link may know."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from gonfalon.engine.rulesets.ruleset import Texts
from gonfalon.engine.rulesets.titles import find_texts
from gonfalon.server.clock.control import Control
from gonfalon.server.storage.entries import AnyEntry, Header, Invited, Named, Opened


class Subject(msgspec.Struct, frozen=True):
    """Subject of a page. `kind`: `game`, `match`, or for a match in which a seat still waits for its guest
    `invited`, or `invited-by` if its maker has a name.
    """

    kind: str
    variant: str
    """Empty: not known, and the preview is the general one."""
    host: str = ""
    """Name of the match's maker, who invites; empty if there is none."""
    clock: Control | None = None
    """The time control to which a guest is invited."""
    title: Texts = {}
    """Title of a variant of the operator's own, which the page's build does not know."""
    description: Texts = {}
    """Its description."""


def subject_of(header: Header, entries: Sequence[AnyEntry]) -> Subject:
    """Return the subject of a match from its log, without making its game."""
    waiting = {player for player, seat in enumerate(header.seats) if seat.invitation}
    names = [seat.name for seat in header.seats]
    for entry in entries:
        match entry:
            case Named(by=player, name=name):
                names[player] = name
            case Opened(by=player):
                waiting.discard(player)
            case Invited(seat=player):
                waiting.add(player)
    return describe_match(header, names, waiting)


def describe_match(header: Header, names: Sequence[str], waiting: Collection[int]) -> Subject:
    """Return the subject of a match. `names`: of all players now; `waiting`: players whose invitation nobody has
    opened.
    """
    makers = (name for seat, name in zip(header.seats, names, strict=True) if seat.maker)
    host = next(filter(None, makers), "")
    title, description = find_texts(header.ruleset)
    if not waiting:
        return Subject("match", header.variant, title=title, description=description)
    kind = "invited-by" if host else "invited"
    return Subject(kind, header.variant, host, header.clock, title, description)
