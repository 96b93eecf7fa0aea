"""Answers that are the same for everybody: compressed for who takes that, and not sent again to who has them."""

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
"""May be kept, and is asked for again each time: a changed one is there at once, another costs a line."""
SMALL = 1_000
"""Bytes that are not worth compressing."""


def takes(accepted: str, encoding: str) -> bool:
    """Whether an `Accept-Encoding` header takes an encoding. One that is not named is not taken: `*` is for who knows
    all there are.
    """
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
    """The first of the `forms` (by encoding; empty: as it is) that the client takes, or 304 if he has just that.
    `vary`: the headers of a request on which the answer hangs.
    """
    accepted = request.headers.get("accept-encoding", "")
    encoding = next((each for each in forms if not each or takes(accepted, each)), "")
    body = forms[encoding]
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"cache-control": cache, "etag": tag, "vary": vary}
    # A proxy that has changed an answer's form weakens its tag; what is in it is the same.
    known = {each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")}
    if tag in known:
        return Response(b"", media_type=kind, status_code=304, headers=headers)
    if encoding:
        headers["content-encoding"] = encoding
    return Response(body, media_type=kind, headers=headers)


def answer_public(request: Request[Any, Any, Any], value: object) -> Response[bytes]:
    """Something that anybody may know, as JSON. What holds a secret must not come here: sizes of compressed answers
    tell.
    """
    return answer_text(request, msgspec.json.encode(value), MediaType.JSON)


def answer_text(
    request: Request[Any, Any, Any], plain: bytes, kind: str, vary: str = "accept-encoding"
) -> Response[bytes]:
    """The same of a text that is made here."""
    forms = {"": plain} if len(plain) < SMALL else {"gzip": _compress(plain), "": plain}
    return answer_form(request, forms, kind, vary=vary)


@lru_cache(maxsize=64)
def _compress(plain: bytes) -> bytes:
    return gzip.compress(plain, mtime=0)
