"""Parsing of socket messages into a closed set."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from gonfalon.server.protocol.refusals import Declined

_Kind = TypeVar("_Kind")


def parse(decoder: msgspec.json.Decoder[_Kind], data: bytes, most: int) -> _Kind:
    """Return a message of at most `most` bytes. Raises `Declined`: `too-large`, `bad-message`."""
    if len(data) > most:
        raise Declined("too-large")
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Declined("bad-message", detail=str(error)[:200]) from error
