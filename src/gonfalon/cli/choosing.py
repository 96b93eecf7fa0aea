"""Variants and house rules, as the user types them on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import gonfalon
from gonfalon import games
from gonfalon.cli.errors import CommandError
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError
from gonfalon.engine.spelling import list_known

if TYPE_CHECKING:
    from gonfalon.ai import Agent
    from gonfalon.engine.game import Game


def check_variant(variant: str) -> str:
    """Return `variant` if it is the id of a game. Raises `CommandError` otherwise."""
    if variant not in gonfalon.variants(unlisted=True):
        raise CommandError(f"no game {variant!r}; {list_known(variant, gonfalon.variants())}")
    return variant


def find_rules(variant: str) -> str:
    """Return `variant` if it is the id of a game or the path of a variant file, which ends in `.toml`. Raises
    `CommandError` otherwise.
    """
    return variant if variant.endswith(".toml") else check_variant(variant)


def read_variants(places: Sequence[str]) -> tuple[Ruleset, ...]:
    """Return the variants that a server adds to the listed ones: those in folders, and shipped ones by name. Raises
    `CommandError`.
    """
    found: dict[str, Ruleset] = {}
    for place in places:
        if place in games.variants():
            raise CommandError(
                f"--variants: {place} is offered in any case; name a folder, or a game that is not listed"
            )
        try:
            shipped = place in games.variants(unlisted=True)
            read = (games.ruleset(place),) if shipped else games.read_variants(Path(place))
        except RulesetError as error:
            raise CommandError(f"--variants: {error}") from error
        for rules in read:
            if rules.variant in found:
                raise CommandError(f"--variants: {place}: {rules.variant} is given twice")
            found[rules.variant] = rules
    return tuple(found.values())


def find_agent(name: str) -> Callable[[], Agent]:
    """Return the callable that makes the computer player of a name. Raises `CommandError`."""
    from gonfalon.ai import UnknownAgentError, agents  # imported here, so that listings stay fast

    try:
        return agents()[name]
    except UnknownAgentError as error:
        raise CommandError(str(error)) from error


def parse_switches(settings: Iterable[str]) -> dict[str, bool | int]:
    """Return house rules from texts such as `rescue=true` and `max_turns=500`. Raises `CommandError`."""
    chosen: dict[str, bool | int] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise CommandError(f"--set takes NAME=VALUE, not {setting!r}")
        if value in ("true", "false"):
            chosen[name] = value == "true"
        elif value.removeprefix("-").isdecimal() and len(value) < 10:
            chosen[name] = int(value)
        else:
            raise CommandError(f"--set {name}: {value!r} is neither true, false nor a whole number")
    return chosen


def make_game(variant: str, settings: Iterable[str] = ()) -> Game:
    """Return the game of a variant or of the file of one, with house rules set. Raises `CommandError`."""
    chosen = parse_switches(settings)
    try:
        return gonfalon.make(find_rules(variant), **chosen)
    except RulesetError as error:
        raise CommandError(str(error)) from error


def make_protocol_game(variant: str, settings: Iterable[str] = ()) -> Game:
    """Return the game with the house rules that referees of the line protocol use, except those set here. Raises
    `CommandError`.
    """
    from gonfalon.ai.protocol import (
        EVALUATOR,
        ProtocolError,
        check_playable,
    )  # imported here, so that listings stay fast

    chosen = parse_switches(settings)
    try:
        check_playable(gonfalon.games.ruleset(find_rules(variant), **chosen))
        return gonfalon.make(variant, **{**EVALUATOR, **chosen})
    except (ProtocolError, RulesetError) as error:
        raise CommandError(str(error)) from error
