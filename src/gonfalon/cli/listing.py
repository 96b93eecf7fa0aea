"""`gonfalon games` and `gonfalon rules`."""

from __future__ import annotations

import argparse
import itertools
import json
import re
import shutil
import textwrap
from importlib.util import find_spec
from typing import Any

import gonfalon
from gonfalon.cli.choosing import check_variant, read_variants
from gonfalon.cli.choosing import find_rules as find_variant
from gonfalon.cli.errors import CommandError
from gonfalon.cli.language.words import Words, choose_language
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError
from gonfalon.engine.rulesets.titles import choose_text, name_variant
from gonfalon.games import ruleset as find
from gonfalon.games.words import find_rules

_HEADING = re.compile(r"(#{1,6}) ")
_ONLY = re.compile(r"<!-- *variants: *([a-z0-9 -]+?) *-->")


def games(arguments: argparse.Namespace) -> int:
    """Print all games, by family, and then variants of one's own; with files only these. Raises `CommandError`."""
    language = choose_language(arguments.language)
    shown = [_read_rules(file) for file in arguments.files] or [find(variant) for variant in gonfalon.variants()]
    shown += read_variants(arguments.variants)
    if arguments.json:
        print(json.dumps([_card(rules, language) for rules in shown], indent=2, ensure_ascii=False))
        return 0
    say = Words(language).say
    width = max((len(rules.variant) for rules in shown), default=0)
    room = min(shutil.get_terminal_size().columns, 120) - width - 4
    for heading, group in itertools.groupby(
        shown, lambda rules: "games.own" if rules.own else f"family.{rules.family}"
    ):
        print(f"{say(heading)}\n")
        for rules in group:
            card = _card(rules, language)
            text = f"{card['title']}. {card['text']}".rstrip()
            boxes = [say("games.boxes", {"boxes": ", ".join(card["boxes"])})] if card["boxes"] else []
            for i, line in enumerate(line for part in (text, *boxes) for line in textwrap.wrap(part, max(room, 30))):
                print(f"  {rules.variant if i == 0 else '':{width}}  {line}")
        print()
    print(say("games.more"))
    return 0


def _read_rules(file: str) -> Ruleset:
    """Return the ruleset of a variant file, or of a variant by name. Raises `CommandError`."""
    try:
        return find(find_variant(file))
    except RulesetError as error:
        raise CommandError(str(error)) from error


def _card(rules: Ruleset, language: str) -> dict[str, Any]:
    say = Words(language, rules.family).say
    key = f"game.{rules.variant}"
    return {
        "variant": rules.variant,
        "family": rules.family,
        "title": name_variant(rules.variant, rules.title, language) if rules.own else say(f"{key}.title"),
        "text": choose_text(rules.description, language) if rules.own else say(f"{key}.text"),
        "players": len(rules.facts.sides),
        "boxes": list(rules.data.get("boxes", ())),
        "switches": [
            {
                "name": switch.name,
                "title": say(f"switch.{switch.name}.title"),
                "default": switch.default,
                "low": switch.low,
                "high": switch.high,
                "options": list(switch.options),
            }
            for switch in rules.switches
        ],
    }


def rules(arguments: argparse.Namespace) -> int:
    """Print the rules of one game."""
    variant = check_variant(arguments.variant)
    language = choose_language(arguments.language)
    path = find_rules(gonfalon.variants(unlisted=True)[variant], language)
    if not path.is_file():
        raise CommandError(f"the rules page {path} is missing")
    text = select_sections(path.read_text(encoding="utf-8"), variant)
    title = Words(language).say(f"game.{variant}.title")
    if find_spec("rich") is None:  # an extra; without it, the page is shown as it was written
        print(f"{title}\n\n{text}", end="")
    else:
        _print_page(title, text)
    return 0


def _print_page(title: str, text: str) -> None:
    """Print a rules page with its headings, tables and diagrams laid out for the terminal."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(f"[bold]{title}[/]\n")
    for is_board, part in split_diagrams(text):
        if is_board:
            console.print("\n" + textwrap.indent(part, "    "), markup=False, highlight=False, soft_wrap=True)
        elif part.strip():
            console.print(Markdown(part))


def select_sections(text: str, variant: str) -> str:
    """Return the sections of a rules page that apply to `variant`.

    A comment `<!-- variants: a b -->` below a heading says that its section applies only to these variants. The section
    ends at the next heading of the same or a higher level.
    """
    kept: list[str] = []
    hidden = 0
    fenced = False
    lines = text.splitlines()
    for i, line in enumerate(lines):
        heading = None if fenced else _HEADING.match(line)
        fenced ^= line.startswith("```")
        if heading and (not hidden or len(heading[1]) <= hidden):
            only = _ONLY.match(_below(lines, i))
            hidden = len(heading[1]) if only and variant not in only[1].split() else 0
        if not hidden and (fenced or not line.startswith("<!--")):
            kept.append(line)
    return "\n".join(kept) + "\n"


def _below(lines: list[str], heading: int) -> str:
    """Return the first line with text below a heading."""
    return next((line for line in lines[heading + 1 :] if line.strip()), "")


def split_diagrams(text: str) -> list[tuple[bool, str]]:
    """Split a page at its diagrams. Return pairs (whether it is a diagram, text). The first line of a diagram is its
    caption.
    """
    cut = re.split(r"^```(?:board|cards)([^\n]*)\n(.*?)^```[ \t]*$", text, flags=re.MULTILINE | re.DOTALL)
    found = [(False, cut[0])]
    for caption, diagram, rest in zip(cut[1::3], cut[2::3], cut[3::3], strict=True):
        found += [(True, f"{caption.strip()}\n{diagram}".lstrip("\n")), (False, rest)]
    return found
