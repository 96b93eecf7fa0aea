"""The command line. The code of a command is imported only when it runs, so help and listings stay fast."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

import gonfalon
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import find_extra, word_missing
from gonfalon.cli.language.helping import Helper, find_language
from gonfalon.cli.numbers import duration, natural, positive
from gonfalon.cli.operator_options import add_operating
from gonfalon.cli.places import add_places
from gonfalon.engine.commands import Commands
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.games import commands as family_commands


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Return 0, 1 (the command failed), 2 (a mistake in its arguments) or 130 (Ctrl-C)."""
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()
    except (CommandError, RulesetError) as error:
        _complain(str(error))
        return 2
    except ModuleNotFoundError as error:
        if not find_extra(error.name):
            raise
        _complain(word_missing("this command", str(error.name)))
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output has gone (`| head`)
        _drop_output()
        return 1
    except UnicodeEncodeError as error:
        sign = f"U+{ord(error.object[error.start]):04X}"
        _complain(f"the output's encoding, {sys.stdout.encoding}, has no {sign}; PYTHONIOENCODING=utf-8 gives it all")
        return 1
    except OSError as error:
        if error.filename is None:
            _drop_output()
        _complain(str(error) if error.filename else f"the output cannot be written: {error.strerror or error}")
        return 1


def _run(argv: Sequence[str] | None) -> int:
    arguments = _make_parser(Helper(find_language(argv))).parse_args(argv)
    module, function = arguments.run.split(":")
    code: int = getattr(importlib.import_module(module), function)(arguments)
    return code


def _complain(reason: str) -> None:
    print(f"gonfalon: {reason}", file=sys.stderr)


def _drop_output() -> None:
    """Send the rest of the output nowhere. Otherwise Python would try to write it again when it exits, and print an
    error.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _make_parser(helper: Helper) -> argparse.ArgumentParser:
    """Return the parser. Commands for players have help in the player's language; commands for study have it in
    English.
    """
    parser = helper.make_parser("gonfalon")
    version = f"gonfalon {gonfalon.__version__}"
    parser.add_argument("--version", action="version", version=version, help=helper.say("version"))
    commands = helper.list_commands(parser)
    _add_serving(commands, helper)
    _add_playing(commands, helper)
    add_operating(commands, helper)
    _add_studying(commands, helper)
    _add_bench(commands, helper)
    _add_comparing(commands, helper)
    _add_positions(commands, helper)
    for family in family_commands():
        family.add(commands)
    return parser


def _add_serving(commands: Commands, helper: Helper) -> None:
    say = helper.say
    serve = helper.add(commands, "serve", "serving:serve")
    serve.add_argument("--host", default="127.0.0.1", help=say("serve.host"))
    serve.add_argument("--port", type=int, default=8000, help=say("serve.port"))
    serve.add_argument("--name", action="append", default=[], metavar="NAME", help=say("serve.name"))
    serve.add_argument(
        "--trusted-proxy", action="append", default=[], metavar="ADDRESS", help=say("serve.trusted-proxy")
    )
    add_places(serve, say)
    serve.add_argument("--log", choices=("error", "warning", "info"), default="warning", help=say("serve.log"))
    serve.add_argument("--metrics", type=int, default=0, metavar="PORT", help=say("serve.metrics"))
    serve.add_argument("--source", default="", metavar="URL", help=say("serve.source"))
    serve.add_argument("--contact", default="", metavar="URL", help=say("serve.contact"))
    serve.add_argument("--variants", action="append", default=[], metavar="FOLDER", help=say("serve.variants"))
    serve.add_argument("--agent", action="append", default=[], metavar="NAME=py:FILE:NAME", help=say("serve.agent"))
    serve.add_argument("--agent-processes", type=natural, default=1, metavar="N", help=say("serve.agent-processes"))
    serve.add_argument("--keep-days", type=int, default=0, metavar="N", help=say("serve.keep-days"))
    serve.add_argument("--no-accounts", action="store_true", help=say("serve.no-accounts"))
    serve.add_argument("--accounts-an-hour", type=natural, default=200, metavar="N", help=say("serve.accounts-an-hour"))
    serve.add_argument("--node", default="", metavar="NAME", help=say("serve.node"))
    serve.add_argument("--advertise", default="", metavar="URL", help=say("serve.advertise"))


def _add_playing(commands: Commands, helper: Helper) -> None:
    say = helper.say
    games = helper.add(commands, "games", "listing:games")
    games.add_argument("files", nargs="*", metavar="FILE", help=say("games.files"))
    games.add_argument("--variants", action="append", default=[], metavar="FOLDER", help=say("games.variants"))
    games.add_argument("--json", action="store_true", help=say("games.json"))
    helper.add_language(games)

    rules = helper.add(commands, "rules", "listing:rules")
    rules.add_argument("variant", metavar="VARIANT")
    helper.add_language(rules)

    play = helper.add(commands, "play", "terminal.play:play")
    play.add_argument("variant", metavar="VARIANT")
    play.add_argument("--agent", default="greedy", help=say("play.agent"))
    play.add_argument("--side", default="", help=say("play.side"))
    _add_switches(play, say("play.set"))
    play.add_argument("--time", type=positive, default=1000, metavar="MS", help=say("play.time"))
    play.add_argument("--seed", type=natural, default=None, help=say("play.seed"))
    play.add_argument("--record", default="", metavar="FILE", help=say("play.record"))
    helper.add_language(play)

    replay = helper.add(commands, "replay", "terminal.study:replay")
    replay.add_argument("record", metavar="RECORD", help=say("replay.record"))
    replay.add_argument("--eyes", default="everything", help=say("replay.eyes"))


def _add_studying(commands: Commands, helper: Helper) -> None:
    perft = helper.add(commands, "perft", "terminal.study:perft")
    perft.add_argument("variant", metavar="VARIANT")
    perft.add_argument("depth", metavar="DEPTH", type=natural)
    perft.add_argument("--position", metavar="TEXT", help="position to start from (default: the start)")
    _add_switches(perft, helper.say("play.set"))

    _add_records(commands, helper)

    draw = helper.add(commands, "draw", "terminal.picture:draw")
    draw.add_argument("position", metavar="POSITION", help="file with the text of a position, or - for standard input")
    draw.add_argument("-o", "--output", default="", metavar="FILE", help="(default: the position's name, .svg)")
    draw.add_argument("--eyes", default="everything", help=helper.say("replay.eyes"))
    draw.add_argument("--turned", action="store_true", help="from the far side")
    _add_switches(draw, helper.say("play.set"))

    warm = helper.add(commands, "warm", "terminal.study:warm")
    warm.add_argument("variants", metavar="VARIANT", nargs="*", help="(default: all)")


def _add_records(commands: Commands, helper: Helper) -> None:
    records = helper.add(commands, "records", "exporting:export_records")
    acts = records.add_subparsers(dest="act", metavar="ACT", required=True)
    text = "write the actions of all records in a folder into one file, a row for each"
    export = acts.add_parser("export", help=text, description=f"{text[0].upper()}{text[1:]}.")
    export.add_argument("folder", metavar="FOLDER", help="with records (*.txt), such as the folder of an arena")
    _add_export(export)


def _add_export(parser: argparse.ArgumentParser) -> None:
    """Add the options of a file of rows."""
    parser.add_argument(
        "--to", choices=("parquet", "npz"), default="parquet", help="format (default: %(default)s, extra `data`)"
    )
    parser.add_argument(
        "--observations", choices=("none", "planes"), default="none", help="in each row (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", default="", metavar="FILE", help="(default: the folder's name)")


def _add_bench(commands: Commands, helper: Helper) -> None:
    bench = helper.add(commands, "bench", "measure.bench:bench")
    bench.add_argument(
        "part",
        choices=("engine", "library", "server", "lobby", "kills", "soak", "cluster", "belief"),
        help="speed of the engine, of the library beside others, of the server; the lobby with many pages; decisions "
        "lost by kill -9; what the server holds after minutes; what is lost when nodes die, pause and drain; what "
        "computer players know of hidden things and of their chances",
    )
    bench.add_argument("--json", action="store_true", help="engine, library, server, lobby: as a list of rows")
    bench.add_argument("--variant", default="", metavar="VARIANT", help="what is played")
    bench.add_argument(
        "--plot", default="", metavar="FILE", help="library: draw the rates (.png, .svg, .pdf; needs matplotlib)"
    )
    bench.add_argument("--attack", action="store_true", help="server: how a player fares while it is attacked")
    bench.add_argument(
        "--analysis", action="store_true", help="server: how long players wait while a match is analysed"
    )
    bench.add_argument(
        "--computer",
        default="",
        metavar="AGENT",
        help="server: how long people wait who play this computer player, as level-4",
    )
    bench.add_argument("--short", action="store_true", help="cluster: each event only once or twice")
    bench.add_argument("--kills", type=positive, default=200, metavar="N", help="how many (default: %(default)s)")
    bench.add_argument(
        "--matches",
        type=positive,
        metavar="N",
        help="soak, belief, --computer: how many (default: 300; --computer: 128)",
    )
    bench.add_argument(
        "--minutes", type=duration, default=5.0, metavar="M", help="soak: how long (default: %(default)s)"
    )
    bench.add_argument("--pages", type=positive, metavar="N", help="lobby: how many watch (default: 2000)")
    bench.add_argument("--database", default="", metavar="URL", help="kills, soak: another database than SQLite")


def _add_comparing(commands: Commands, helper: Helper) -> None:
    _add_arena(commands, helper)

    ladder = helper.add(commands, "ladder", "contests.arena:ladder")
    ladder.add_argument("entrants", metavar="AGENT", nargs="*", help="others, each against each (default: the levels)")
    _add_contest(ladder, helper)
    ladder.add_argument("--output", default="bench/strength.md", metavar="FILE", help="(default: %(default)s)")

    _add_ablate(commands, helper)

    selfplay = helper.add(commands, "selfplay", "contests.selfplay:selfplay")
    selfplay.add_argument("--agent", required=True, metavar="AGENT", help="that plays all seats")
    _add_contest(selfplay, helper)
    selfplay.set_defaults(games=1000)
    _add_export(selfplay)

    train = helper.add(commands, "train", "contests.train:train")
    _add_contest(train, helper)
    train.set_defaults(games=100, time=30)
    train.add_argument("--keep", action="store_true", help="write what was learned into the game's data")

    engine = helper.add(commands, "engine", "contests.engine:engine")
    engine.add_argument("--agent", default="level-8", metavar="NAME", help="computer player (default: %(default)s)")
    engine.add_argument("--game", required=True, metavar="VARIANT", help="what the referee plays")
    engine.add_argument(
        "--time", type=positive, default=1000, metavar="MS", help="for a decision (default: %(default)s)"
    )
    engine.add_argument("--cores", type=positive, default=1, metavar="N", help="to think on (default: %(default)s)")
    engine.add_argument("--seed", type=natural, default=None, help="number that fixes what the agent draws")
    _add_switches(engine, helper.say("play.set"))


def _add_arena(commands: Commands, helper: Helper) -> None:
    arena = helper.add(commands, "arena", "contests.arena:arena")
    arena.add_argument(
        "entrants",
        metavar="AGENT",
        nargs="+",
        help="an agent, cmd:COMMAND for a program, py:FILE:NAME for an agent of your own in Python, or open_spiel:NAME "
        "for a bot of OpenSpiel",
    )
    _add_contest(arena, helper)
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


def _add_ablate(commands: Commands, helper: Helper) -> None:
    ablate = helper.add(commands, "ablate", "contests.ablate:ablate")
    ablate.add_argument("names", metavar="NAME", nargs="*", help="adjustments (default: all of the game, in turn)")
    ablate.add_argument("--agent", default="level-8", metavar="LEVEL", help="(default: %(default)s)")
    ablate.add_argument("--list", action="store_true", help="only list the game's adjustments")
    _add_contest(ablate, helper)
    ablate.set_defaults(time=50)


def _add_positions(commands: Commands, helper: Helper) -> None:
    positions = helper.add(commands, "positions", "contests.positions:positions")
    positions.add_argument(
        "agents", metavar="AGENT", nargs="+", help="computer players, or py:FILE:NAME for one of your own"
    )
    positions.add_argument("--folder", default="bench/positions", metavar="FOLDER", help="(default: %(default)s)")
    positions.add_argument(
        "--time", type=positive, default=100, metavar="MS", help="for a decision (default: %(default)s)"
    )
    positions.add_argument("--tries", type=positive, default=3, metavar="N", help="of each one (default: %(default)s)")
    positions.add_argument("--json", action="store_true", help="every position as JSON")


def _add_contest(parser: argparse.ArgumentParser, helper: Helper) -> None:
    """Add the options that arena, ladder, ablate and train share. Options that only some of them have get defaults
    here.
    """
    parser.set_defaults(pairs=(), sprt=None, json=False, plot="")
    parser.add_argument("--game", required=True, metavar="VARIANT", help="what they play")
    parser.add_argument(
        "--games",
        type=positive,
        default=100,
        metavar="N",
        help="matches of each pair, in whole rounds (default: %(default)s)",
    )
    parser.add_argument(
        "--time", type=positive, default=100, metavar="MS", help="for a decision (default: %(default)s)"
    )
    parser.add_argument(
        "--deal",
        choices=("own", "sensible", "random"),
        default="own",
        help="deployments: the agents' own, or dealt, each one twice with sides swapped (default: %(default)s)",
    )
    parser.add_argument(
        "--processes", type=positive, metavar="N", help="matches at a time (default: 1; one a processor on a cluster)"
    )
    parser.add_argument("--ray", default="", metavar="ADDRESS", help="play on a cluster of Ray, as HOST:PORT or auto")
    parser.add_argument(
        "--seed", type=natural, default=0, help="number that fixes deals and draws (default: %(default)s)"
    )
    parser.add_argument(
        "--patience", type=duration, metavar="S", help="after which an agent has lost (default: 30 or more)"
    )
    _add_thinking(parser)
    parser.add_argument("--folder", default="", metavar="FOLDER", help="(default: one of its own in gonfalon-arena)")
    _add_switches(parser, helper.say("play.set"))


def _add_thinking(parser: argparse.ArgumentParser) -> None:
    """Add the options for how our agents think."""
    parser.add_argument(
        "--cores",
        type=positive,
        default=1,
        metavar="N",
        help="for each of our agents to think on (default: %(default)s)",
    )
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="count the processor time of our agents' decisions, so that other work on this machine takes nothing away",
    )


def _add_switches(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=text)
