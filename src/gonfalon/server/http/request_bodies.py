"""Bodies of requests: JSON that is declared as such, read strictly into one type, or refused by name."""

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
    """`dto=Body[Kind]` on a route whose parameter `data` is a `Kind`.

    Litestar's own reading would take `"7"` for 7 and reword msgspec's reasons.
    """

    def decode_bytes(self, value: bytes) -> _Kind:
        """Return the body as the route's type. Raises `Declined`: `bad-message`."""
        try:
            return msgspec.json.decode(value, type=self.model_type)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise Declined("bad-message", 400, detail=str(error)[:200]) from error

    @classmethod
    def create_for_field_definition(cls, *_args: Any, **_kwargs: Any) -> None:
        """Skip the model that Litestar would make to copy from; a body is used as it is."""

    @classmethod
    def create_openapi_schema(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,  # noqa: ARG003 - Litestar's interface
        schema_creator: Any,
    ) -> Reference | Schema:
        """Return the type's own schema."""
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
    """Guard against posts of other sites: any page may have a browser post `text/plain` here; only our own may post
    JSON.

    Raises `Declined`: `not-json`.
    """
    kind = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Declined("not-json", 415)
