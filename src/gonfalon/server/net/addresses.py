"""Client addresses for rate limits, also behind a reverse proxy."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable

HOME_BITS = 64
"""Prefix length of the IPv6 range that one household gets. Limits count this range as one address."""


def network_of(address: str) -> str:
    """Return the key under which limits count an address: an IPv4 address itself, an IPv6 address by its /64.

    Any other text, such as the path of a local socket, is its own key.
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
    """Return the client's address. This is `peer`; but if the peer is a trusted proxy, it is the last address in
    `X-Forwarded-For` that is not a trusted proxy. Anybody may have written the addresses before that one.
    """
    found = peer
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while found in trusted and hops:
        found = hops.pop() or found
    return found
