"""Making matches: the only way to a new match, whoever wants it, so that one limit counts them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from gonfalon.games import variants
from gonfalon.server.clock.control import Untimed
from gonfalon.server.journal import note
from gonfalon.server.match.public import Listeners, describe_new, prepare_all, publish_all
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import AnyEntry, Header
from gonfalon.server.storage.store import Statements, Store

LEVEL = "level-"
"""Beginning of the names of the computer players that have a rating."""


OWN = "own"
"""Label of the operator's own variants in metrics, whose names have no bound."""


class Maker(Protocol):
    """The parts of the registry that making a match uses."""

    store: Store
    listeners: Listeners
    costly: RateLimiter
    """Costly requests by address, new matches among them."""
    made: Counter[str]
    """Matches made since the start, by `find_label`."""


def find_label(variant: str) -> str:
    """Return the label of a variant in metrics: its name, or `own` for all that are the operator's own."""
    return variant if variant in variants(unlisted=True) else OWN


def allow_match(host: Maker, address: str) -> None:
    """Count one new match of an address (`net.addresses.network_of`). Raises `Declined`: `too-many`, `disk-full`."""
    host.store.require_room()
    if not host.costly.take(address):
        raise Declined("too-many", 429)


def require_rateable(header: Header) -> None:
    """Check that a match of one account against levels may be rated. Raises `Declined`: `rated-needs-clock`,
    `rated-needs-levels`.
    """
    persons = [seat for seat in header.seats if not seat.agent]
    if header.clock is None or isinstance(header.clock, Untimed):
        raise Declined("rated-needs-clock", 400)
    if len(persons) != 1 or not all(seat.agent.startswith(LEVEL) for seat in header.seats if seat.agent):
        raise Declined("rated-needs-levels", 400)


async def make_match(
    host: Maker,
    header: Header,
    log: tuple[str, int, Sequence[AnyEntry]] | None = None,
    statements: Statements = (),
) -> None:
    """Store a new match and publish it. `log`: see `Store.create`; `statements` are stored in the same transaction.
    Raises `StoreError`.
    """
    facts = (describe_new(header),)
    await host.store.create(header, log, (*statements, *prepare_all(host.listeners, facts)))
    publish_all(host.listeners, facts)
    host.made[find_label(header.variant)] += 1
    note("match-made", match=header.id, variant=header.variant, agents=sum(bool(s.agent) for s in header.seats))
