"""Request bodies: must be declared as JSON, and are decoded strictly into one type. Anything else is refused with a
code.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

import msgspec
from litestar.connection import ASGIConnection
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.handlers.base import BaseRouteHandler
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition

from gonfalon.server.protocol.refusals import Declined

_Kind = TypeVar("_Kind")


class Body(AbstractDTO[_Kind]):
    """Use as `dto=Body[Kind]` on a route whose parameter `data` is a `Kind`.

    Litestar's own decoding would accept `"7"` for 7 and replace msgspec's error texts.
    """

    def decode_bytes(self, value: bytes) -> _Kind:
        """Return the body as the type of the route. Raises `Declined`: `bad-message`."""
        try:
            return msgspec.json.decode(value, type=self.model_type)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise Declined("bad-message", 400, detail=str(error)[:200]) from error

    @classmethod
    def create_for_field_definition(cls, *_args: Any, **_kwargs: Any) -> None:
        """Make no transfer model, which Litestar would copy from; the decoded body is used directly."""

    @classmethod
    def create_openapi_schema(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,  # noqa: ARG003 - Litestar's interface
        schema_creator: Any,
    ) -> Reference | Schema:
        """Return the schema of the type itself."""
        schema: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return schema

    @classmethod
    def generate_field_definitions(
        cls,
        model_type: type[Any],  # noqa: ARG003 - Litestar's interface
    ) -> Generator[DTOFieldDefinition, None, None]:
        """Copy nothing field by field."""
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:  # noqa: ARG003 - same
        """Copy nothing field by field."""
        return False


def need_json(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """Guard against requests from other sites. Any page can make a browser post `text/plain` here, but only our own
    page can post JSON.

    Raises `Declined`: `not-json`.
    """
    kind = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Declined("not-json", 415)
