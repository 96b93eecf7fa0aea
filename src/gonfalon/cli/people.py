"""`gonfalon people`: lists and changes the accounts of a server, running or not."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gonfalon.cli.extras import EXTRAS, require
from gonfalon.cli.operating import perform

if TYPE_CHECKING:
    from gonfalon.server.operator.requests import AnyRequest


def people(arguments: argparse.Namespace) -> int:
    """Perform one of the acts. Raises `CommandError`."""
    require("people", *EXTRAS["play"])
    from gonfalon.server.operator import requests

    acts: dict[str, AnyRequest] = {
        "list": requests.ListPeople(),
        "show": requests.ShowPerson(arguments.name),
        "rename": requests.RenamePerson(arguments.name, arguments.new),
        "ban": requests.BanPerson(arguments.name),
        "unban": requests.UnbanPerson(arguments.name),
        "reset-code": requests.ResetCode(arguments.name),
    }
    perform(arguments, acts[arguments.act])
    return 0
