"""Options of the commands for the operator of a server. Their help is in English."""

from __future__ import annotations

import argparse

from gonfalon.cli.language.helping import Helper
from gonfalon.cli.numbers import positive
from gonfalon.cli.places import add_places
from gonfalon.engine.commands import Commands


def add_operating(commands: Commands, helper: Helper) -> None:
    """Add the commands for the operator of a server."""
    _add_keeping(commands, helper)
    _add_sharing(commands, helper)
    _add_worker(commands, helper)


def _add_keeping(commands: Commands, helper: Helper) -> None:
    matches = helper.add(commands, "matches", "matches:matches")
    acts = matches.add_subparsers(dest="act", metavar="ACT", required=True)
    for act, text in (
        ("list", "list all matches, the newest first"),
        ("show", "show what a spectator may know of a match"),
        ("end", "end a match without a result"),
        ("delete", "delete matches for good"),
        ("backup", "copy all matches into one file, beside a running server too"),
    ):
        parser = _add_act(acts, act, text, helper)
        if act == "backup":
            parser.add_argument("file", metavar="FILE")
        elif act != "list":
            parser.add_argument("ids", metavar="ID", nargs="*" if act == "delete" else "+")
        if act == "delete":
            parser.add_argument(
                "--older-than", type=int, metavar="DAYS", help="all that were made more than DAYS days ago, over or not"
            )

    people = helper.add(commands, "people", "people:people")
    acts = people.add_subparsers(dest="act", metavar="ACT", required=True)
    for act, text in (
        ("list", "list the accounts, those seen last first"),
        ("show", "show an account"),
        ("rename", "give an account another name"),
        ("ban", "close an account: its sessions end, and nobody can log in"),
        ("unban", "open a closed account again"),
        ("reset-code", "replace the recovery codes of an account by a new one, and print it"),
    ):
        parser = _add_act(acts, act, text, helper)
        parser.set_defaults(name="", new="")
        if act != "list":
            parser.add_argument("name", metavar="NAME")
        if act == "rename":
            parser.add_argument("new", metavar="NEW")

    ratings = helper.add(commands, "ratings", "ratings:ratings")
    acts = ratings.add_subparsers(dest="act", metavar="ACT", required=True)
    text = "compute all ratings anew from the rated matches (no server may run on the database)"
    _add_act(acts, "rebuild", text, helper)


def _add_sharing(commands: Commands, helper: Helper) -> None:
    database = helper.add(commands, "database", "sharing:database")
    acts = database.add_subparsers(dest="act", metavar="ACT", required=True)
    text = "make missing tables and columns, also beside running nodes; nothing is taken away"
    _add_act(acts, "upgrade", text, helper)

    nodes = helper.add(commands, "nodes", "sharing:nodes")
    acts = nodes.add_subparsers(dest="act", metavar="ACT", required=True)
    for act, text in (
        ("list", "list the processes that share the database, and say which are reached from here"),
        ("drain", "let a process hand over its matches and end"),
    ):
        parser = _add_act(acts, act, text, helper)
        if act == "drain":
            parser.add_argument("name", metavar="NAME")


def _add_worker(commands: Commands, helper: Helper) -> None:
    worker = helper.add(commands, "worker", "working:worker")
    add_places(worker, helper.say)
    worker.add_argument("--processes", type=positive, metavar="N", help="(default: one a processor)")
    worker.add_argument("--log", choices=("error", "warning", "info"), default="warning", help=helper.say("serve.log"))


def _add_act(acts: Commands, act: str, text: str, helper: Helper) -> argparse.ArgumentParser:
    """Add an act of a command, on the data of a server. `text`: its help."""
    parser = acts.add_parser(act, help=text, description=f"{text[0].upper()}{text[1:]}.")
    add_places(parser, helper.say)
    return parser
