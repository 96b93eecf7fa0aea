"""Whose connection it is: the address that limits are counted for, also behind a reverse proxy."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable

HOME_BITS = 64
"""Of an IPv6 address: what one household gets. All the addresses in it are counted as one."""


def network_of(address: str) -> str:
    """What an address is counted as: an IPv4 address itself, an IPv6 address by its /64. Of an address that is none
    (a path of a local socket), the text itself.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, HOME_BITS), strict=False))


def find_client(peer: str, forwarded: Iterable[str], trusted: Collection[str]) -> str:
    """The client's address: the peer's own, or, if the peer is a trusted proxy, the last address in its
    `X-Forwarded-For` headers that is no trusted proxy itself. What stands before that one, anybody may have written.
    """
    found = peer
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while found in trusted and hops:
        found = hops.pop() or found
    return found
