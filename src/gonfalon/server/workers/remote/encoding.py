"""Questions and answers as bytes in the database. Nothing in them is code: a view is its bytes and its fields."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np

from gonfalon.engine.search import Option
from gonfalon.engine.view import View
from gonfalon.server.workers.requests import Job, Verb


class EncodingError(ValueError):
    """Bytes in the database are no question or no answer of this version."""


class _Field(msgspec.Struct, frozen=True, array_like=True):
    """A field of a record: `format` as NumPy writes it, `shape` of an array in it, `offset` in bytes."""

    name: str
    format: str
    shape: tuple[int, ...]
    offset: int


class _WrittenView(msgspec.Struct, frozen=True, array_like=True):
    content: bytes
    observer: int
    ruleset: str
    fields: tuple[_Field, ...]
    aligned: bool


Outcome = Literal["done", "history-missing", "unknown-agent", "not-loaded", "failed"]


class Reply(msgspec.Struct, frozen=True):
    """An answer. `text`: what went wrong; `value`: the encoded answer if nothing did."""

    outcome: Outcome
    text: str = ""
    value: bytes = b""


VALUES: dict[Verb, Any] = {"act": list[int], "consider": list[Option], "answer": list[bool], "suggest": dict[str, str]}
"""Types of the answers, by the kind of work."""


def encode_job(job: Job) -> bytes:
    return msgspec.msgpack.encode(job, enc_hook=_write)


def decode_job(body: bytes) -> Job:
    """Return a question. Raises `EncodingError`."""
    try:
        return msgspec.msgpack.decode(body, type=Job, dec_hook=_read)
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise EncodingError(f"no question of this version: {error}") from error


def encode_reply(reply: Reply) -> bytes:
    return msgspec.msgpack.encode(reply)


def decode_reply(body: bytes) -> Reply:
    """Return an answer. Raises `EncodingError`."""
    try:
        return msgspec.msgpack.decode(body, type=Reply)
    except msgspec.MsgspecError as error:
        raise EncodingError(f"no answer of this version: {error}") from error


def encode_value(value: object) -> bytes:
    return msgspec.msgpack.encode(value)


def decode_value(verb: Verb, body: bytes) -> Any:
    """Return the answer to a kind of question, in the type of `VALUES`. Raises `EncodingError`."""
    try:
        return msgspec.msgpack.decode(body, type=VALUES[verb])
    except msgspec.MsgspecError as error:
        raise EncodingError(f"no answer to {verb!r}: {error}") from error


def _write(value: object) -> object:
    if isinstance(value, View):
        dtype = value.record.dtype
        fields = tuple(_write_field(name, *place[:2]) for name, place in (dtype.fields or {}).items())
        return _WrittenView(value.tobytes(), value.observer, value.ruleset, fields, dtype.isalignedstruct)
    raise NotImplementedError(f"{type(value).__name__} cannot be sent to another machine")


def _write_field(name: str, dtype: np.dtype[Any], offset: int) -> _Field:
    if dtype.base.fields or dtype.base.hasobject:
        raise NotImplementedError(f"the field {name} of a view cannot be sent to another machine")
    return _Field(name, dtype.base.str, dtype.shape, offset)


def _read(kind: type, value: object) -> object:
    if kind is not View:
        raise NotImplementedError(kind.__name__)
    written = msgspec.convert(value, _WrittenView)
    layout = {
        "names": [field.name for field in written.fields],
        "formats": [(field.format, field.shape) for field in written.fields],
        "offsets": [field.offset for field in written.fields],
        "itemsize": len(written.content),
    }
    dtype = np.dtype(layout, align=written.aligned)  # type: ignore[call-overload]
    if dtype.hasobject:
        raise ValueError("a view holds numbers only")
    return View(np.ndarray((1,), dtype, bytearray(written.content)), written.observer, written.ruleset)
