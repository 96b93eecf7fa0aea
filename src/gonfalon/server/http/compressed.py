"""Answers that are equal for all clients, served compressed with ETags."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from litestar import MediaType, Request
from litestar.response import Response

CHECKED = "no-cache"
"""The browser caches the answer and revalidates it each time: a change shows at once, an unchanged answer costs a 304.
"""
SMALL = 1_000
"""Minimum number of bytes worth compressing."""


def takes(accepted: str, encoding: str) -> bool:
    """Return whether an `Accept-Encoding` header names an encoding. `*` does not count."""
    for each in accepted.lower().split(","):
        name, _, weight = each.partition(";")
        if name.strip() == encoding:
            return weight.strip().replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def answer_form(
    request: Request[Any, Any, Any],
    forms: Mapping[str, bytes],
    kind: str,
    cache: str = CHECKED,
    vary: str = "accept-encoding",
) -> Response[bytes]:
    """Answer with the first of `forms` (body by encoding; empty name: uncompressed) that the client accepts. Answer 304
    if the client has this body already. `vary`: request headers that the answer depends on.
    """
    accepted = request.headers.get("accept-encoding", "")
    encoding = next((each for each in forms if not each or takes(accepted, each)), "")
    body = forms[encoding]
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"cache-control": cache, "etag": tag, "vary": vary}
    # A proxy that changes the encoding makes the tag weak (`W/`); the content is unchanged.
    known = {each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")}
    if tag in known:
        return Response(b"", media_type=kind, status_code=304, headers=headers)
    if encoding:
        headers["content-encoding"] = encoding
    return Response(body, media_type=kind, headers=headers)


def answer_public(request: Request[Any, Any, Any], value: object) -> Response[bytes]:
    """Answer with public facts as JSON. Never use it for secrets: the size of a compressed answer reveals content."""
    return answer_text(request, msgspec.json.encode(value), MediaType.JSON)


def answer_text(
    request: Request[Any, Any, Any], plain: bytes, kind: str, vary: str = "accept-encoding"
) -> Response[bytes]:
    """Answer with a text of this server, compressed if it is long enough."""
    forms = {"": plain} if len(plain) < SMALL else {"gzip": _compress(plain), "": plain}
    return answer_form(request, forms, kind, vary=vary)


@lru_cache(maxsize=64)
def _compress(plain: bytes) -> bytes:
    return gzip.compress(plain, mtime=0)
