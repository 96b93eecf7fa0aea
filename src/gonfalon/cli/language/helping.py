"""Help in the user's language, before a command runs. Names of commands and options are not translated; error texts of
argparse stay in English.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from gonfalon.cli.language.words import choose_language, read_own
from gonfalon.engine.commands import Commands
from gonfalon.games.words import languages


class Helper:
    """Adds commands with help in one language."""

    def __init__(self, language: str) -> None:
        self._messages = read_own(language)
        self._make = _parser_class(self.say)

    def say(self, what: str) -> str:
        return self._messages[f"help.{what}"]

    def make_parser(self, program: str) -> argparse.ArgumentParser:
        return self._make(prog=program, description=self.say("about"))

    def list_commands(self, parser: argparse.ArgumentParser) -> Commands:
        return parser.add_subparsers(title=self.say("commands"), metavar="COMMAND", required=True)

    def add(self, commands: Commands, name: str, run: str) -> argparse.ArgumentParser:
        """Add a command. `run`: `module:function`, imported only when the command runs."""
        text = self.say(name)
        parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        parser.set_defaults(run=f"gonfalon.cli.{run}")
        return parser

    def add_language(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--language", default="", metavar="CODE", help=self.say("language"))


def find_language(argv: Sequence[str] | None) -> str:
    """Return the language of the help, which is needed before the arguments are parsed: that of `--language` if it
    exists, else the environment's. The parser checks the option itself later.
    """
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--language", nargs="?", default="")
    wish = parser.parse_known_args(argv)[0].language
    return choose_language(wish if wish in languages() else "")


def _parser_class(say: Callable[[str], str]) -> type[argparse.ArgumentParser]:
    """Return a class, because argparse makes the parsers of commands from the class of their parent."""
    headings = {"positional arguments": say("arguments"), "options": say("options")}

    class Formatter(argparse.HelpFormatter):
        def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
            super().add_usage(usage, actions, groups, f"{say('usage')} " if prefix is None else prefix)

        def start_section(self, heading: str | None) -> None:
            super().start_section(headings.get(heading or "", heading))

    class Parser(argparse.ArgumentParser):
        def __init__(self, **options: Any) -> None:
            super().__init__(formatter_class=Formatter, add_help=False, **options)
            self.add_argument("-h", "--help", action="help", help=say("help"))

        def error(self, message: str) -> NoReturn:
            """Print a mistake as one line, like every other error: the usage of some commands would fill a page."""
            self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")

    return Parser
