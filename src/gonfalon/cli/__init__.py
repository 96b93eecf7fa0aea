"""The command line. A command's code is imported when the command is run, so help and listings stay quick."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TypeAlias

import gonfalon
from gonfalon.cli.errors import CommandError
from gonfalon.cli.places import add_places
from gonfalon.engine.ruleset import RulesetError
from gonfalon.games import commands as family_commands

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - no public name for it


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. Returns 0, 1 (the command's own bad news), 2 (a mistake in what was asked) or 130 (Ctrl-C)."""
    arguments = _make_parser().parse_args(argv)
    module, function = arguments.run.split(":")
    try:
        code: int = getattr(importlib.import_module(module), function)(arguments)
        sys.stdout.flush()
    except (CommandError, RulesetError) as error:
        print(f"gonfalon: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has gone (`| head`). Without this Python would complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gonfalon", description="The Stratego family of hidden-rank games, to play and to study."
    )
    parser.add_argument("--version", action="version", version=f"gonfalon {gonfalon.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_playing(commands)
    _add_keeping(commands)
    _add_studying(commands)
    _add_comparing(commands)
    _add_positions(commands)
    for family in family_commands():
        family.add(commands)
    return parser


def _add(commands: Commands, name: str, run: str, text: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.set_defaults(run=f"gonfalon.cli.{run}")
    return parser


def _add_playing(commands: Commands) -> None:
    serve = _add(commands, "serve", "serving:serve", "serve the page")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    serve.add_argument("--port", type=int, default=8000, help="port to listen on (default: %(default)s)")
    serve.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="a name under which the server is reached, as play.example.org (repeatable; addresses always work)",
    )
    serve.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy whose word on clients' addresses is believed, as 127.0.0.1 (repeatable; default: none)",
    )
    add_places(serve)
    serve.add_argument(
        "--log",
        choices=("error", "warning", "info"),
        default="warning",
        help="what is told on standard error, one line an event (default: %(default)s; info tells of every match)",
    )
    serve.add_argument(
        "--metrics",
        type=int,
        default=0,
        metavar="PORT",
        help="serve GET /metrics for Prometheus on a port of its own, on 127.0.0.1 (default: 0, nowhere)",
    )
    serve.add_argument(
        "--keep-days",
        type=int,
        default=0,
        metavar="N",
        help="delete matches that were made more than N days ago, once nobody is there (default: 0, never)",
    )

    games = _add(commands, "games", "listing:games", "list the games")
    games.add_argument("--json", action="store_true", help="as JSON, with all house rules")

    _add_language(games)

    rules = _add(commands, "rules", "listing:rules", "print the rules of a game")
    rules.add_argument("variant", metavar="VARIANT")
    _add_language(rules)

    play = _add(commands, "play", "play:play", "play a game in the terminal, against the computer")
    play.add_argument("variant", metavar="VARIANT")
    play.add_argument("--agent", default="greedy", help="computer player (default: %(default)s)")
    play.add_argument("--side", default="", help="the side you play (default: the one that moves first)")
    _add_switches(play)
    play.add_argument("--time", type=int, default=1000, metavar="MS", help="for a decision (default: %(default)s)")
    play.add_argument("--seed", type=int, default=None, help="number that fixes what the computer draws")
    play.add_argument("--record", default="", metavar="FILE", help="where to write the record when you stop")
    _add_language(play)

    replay = _add(commands, "replay", "study:replay", "replay a record and check it against the rules")
    replay.add_argument("record", metavar="RECORD", help="file, or - for standard input")
    replay.add_argument("--eyes", default="everything", help="a side, public, or everything (default: %(default)s)")


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", default="", metavar="CODE", help="such as de (default: the environment's, or en)")


def _add_keeping(commands: Commands) -> None:
    matches = _add(
        commands, "matches", "matches:matches", "list, show, end, delete or back up the matches that a server keeps"
    )
    acts = matches.add_subparsers(dest="act", metavar="ACT", required=True)
    for act, text in (
        ("list", "list all matches, the newest first"),
        ("show", "show what a spectator may know of a match"),
        ("end", "end a match without a result (no server may run on the database)"),
        ("delete", "delete matches for good (no server may run on the database)"),
        ("backup", "copy all matches into one file, beside a running server too"),
    ):
        parser = acts.add_parser(act, help=text, description=f"{text[0].upper()}{text[1:]}.")
        add_places(parser)
        if act == "backup":
            parser.add_argument("file", metavar="FILE")
        elif act != "list":
            parser.add_argument("ids", metavar="ID", nargs="*" if act == "delete" else "+")
        if act == "delete":
            parser.add_argument(
                "--older-than", type=int, metavar="DAYS", help="all that were made more than DAYS days ago, over or not"
            )


def _add_studying(commands: Commands) -> None:
    perft = _add(commands, "perft", "study:perft", "count the sequences of actions of a given length")
    perft.add_argument("variant", metavar="VARIANT")
    perft.add_argument("depth", metavar="DEPTH", type=int)
    perft.add_argument("--position", default="", metavar="TEXT", help="position to start from (default: the start)")
    _add_switches(perft)

    warm = _add(commands, "warm", "study:warm", "compile games and keep the result for later starts")
    warm.add_argument("variants", metavar="VARIANT", nargs="*", help="(default: all)")

    bench = _add(commands, "bench", "bench:bench", "measure the engine or the server, or put the server on trial")
    bench.add_argument(
        "part",
        choices=("engine", "server", "kills", "soak", "belief"),
        help="speed of the engine, of the server; decisions lost by kill -9; what the server holds after minutes; what "
        "computer players know of hidden things and of their chances",
    )
    bench.add_argument("--json", action="store_true", help="engine, server: as a list of rows (name, value, unit, ...)")
    bench.add_argument("--variant", default="", metavar="VARIANT", help="what is played")
    bench.add_argument("--attack", action="store_true", help="server: how a player fares while it is attacked")
    bench.add_argument(
        "--analysis", action="store_true", help="server: how long players wait while a match is analysed"
    )
    bench.add_argument("--kills", type=int, default=200, metavar="N", help="how many (default: %(default)s)")
    bench.add_argument(
        "--matches", type=int, default=300, metavar="N", help="soak, belief: how many (default: %(default)s)"
    )
    bench.add_argument("--minutes", type=float, default=5.0, metavar="M", help="soak: how long (default: %(default)s)")
    bench.add_argument("--database", default="", metavar="URL", help="kills, soak: another database than SQLite")


def _add_comparing(commands: Commands) -> None:
    arena = _add(commands, "arena", "arena:arena", "play agents and programs against each other")
    arena.add_argument("entrants", metavar="AGENT", nargs="+", help="an agent, or cmd:COMMAND for a program")
    _add_contest(arena)
    arena.add_argument("--json", action="store_true", help="the results as JSON")
    arena.add_argument(
        "--plot", default="", metavar="FILE", help="draw the shares (.png, .svg, .pdf; needs matplotlib)"
    )
    arena.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="stop when a sequential test tells these two shares of the first agent apart, in percent, as 50 55",
    )

    ladder = _add(
        commands, "ladder", "arena:ladder", "play the levels, each against the one below, and write down their strength"
    )
    ladder.add_argument("entrants", metavar="AGENT", nargs="*", help="others, each against each (default: the levels)")
    _add_contest(ladder)
    ladder.add_argument("--output", default="bench/strength.md", metavar="FILE", help="(default: %(default)s)")

    engine = _add(commands, "engine", "engine:engine", "play as a program of the line protocol, for other referees")
    engine.add_argument("--agent", default="level-8", metavar="NAME", help="computer player (default: %(default)s)")
    engine.add_argument("--game", required=True, metavar="VARIANT", help="what the referee plays")
    engine.add_argument("--time", type=int, default=1000, metavar="MS", help="for a decision (default: %(default)s)")
    engine.add_argument("--seed", type=int, default=None, help="number that fixes what the agent draws")
    _add_switches(engine)


def _add_positions(commands: Commands) -> None:
    positions = _add(
        commands, "positions", "positions:positions", "print the share of given positions that agents solve"
    )
    positions.add_argument("agents", metavar="AGENT", nargs="+", help="computer players")
    positions.add_argument("--folder", default="bench/positions", metavar="FOLDER", help="(default: %(default)s)")
    positions.add_argument("--time", type=int, default=100, metavar="MS", help="for a decision (default: %(default)s)")
    positions.add_argument("--tries", type=int, default=3, metavar="N", help="of each one (default: %(default)s)")
    positions.add_argument("--json", action="store_true", help="every position as JSON")


def _add_contest(parser: argparse.ArgumentParser) -> None:
    """What arena and ladder have in common."""
    parser.add_argument("--game", required=True, metavar="VARIANT", help="what they play")
    parser.add_argument(
        "--games",
        type=int,
        default=100,
        metavar="N",
        help="matches of each pair, in whole rounds (default: %(default)s)",
    )
    parser.add_argument("--time", type=int, default=100, metavar="MS", help="for a decision (default: %(default)s)")
    parser.add_argument(
        "--deal",
        choices=("own", "sensible", "random"),
        default="own",
        help="deployments: the agents' own, or dealt, each one twice with sides swapped (default: %(default)s)",
    )
    parser.add_argument(
        "--processes", type=int, metavar="N", help="matches at a time (default: 1; one a processor on a cluster)"
    )
    parser.add_argument("--ray", default="", metavar="ADDRESS", help="play on a cluster of Ray, as HOST:PORT or auto")
    parser.add_argument("--seed", type=int, default=0, help="number that fixes deals and draws (default: %(default)s)")
    parser.add_argument(
        "--patience", type=float, default=0, metavar="S", help="after which an agent has lost (default: 30 or more)"
    )
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="count the processor time of decisions, so that other work on this machine takes nothing away",
    )
    parser.add_argument("--folder", default="", metavar="FOLDER", help="(default: one of its own in gonfalon-arena)")
    _add_switches(parser)


def _add_switches(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="set a house rule, as rescue=true (repeatable)"
    )
