"""The text record of a match. People can read it, and every later version can replay it.

    Gonfalon record 1
    rules: 1
    variant: classic
    switches: rescue=true max_turns=500
    player red: Ada
    player blue: greedy
    date: 2026-11-21
    aids: take-backs=2 hints=1
    clock: turn turn=60 deployment=300
    times: 41250 38000 7250 0 12000 900
    result: red wins (flag)

    red: deploy <deployment text>
    blue: deploy <deployment text>
    red: d3-d4
    chance: <action text>
    red: deploy <text of another arrangement>
    blue: resigns

A variant of one's own has one more line, `ruleset:`, after the name that its owner gave it: the whole ruleset as JSON
(`engine.rulesets.ruleset.Written`).

Each line is one step. Other endings are `draw agreed`, `red: claims` (the other players stayed away), `red: out of
time` and `no result` (the match was broken off). With more than two players a match may go on after `blue: resigns` or
`blue: out of time`. Empty lines and lines that start with `#` are skipped. Simultaneous deployments may stand in any
order. Each completed arrangement takes one `deploy` line, also in the middle of a match. `aids` counts the help that a
player used; moves that were taken back are not among the steps. `clock` is the time control, `times` the milliseconds
that each step took. This module uses no game: `replay.py` makes records and replays them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gonfalon.engine.game import TextError
from gonfalon.engine.records.lines import fit_line
from gonfalon.engine.screens.scene import Line

FORMAT = "Gonfalon record 1"
RULES = 1
"""Version of all rules together. It must grow when a changed rule gives older records another meaning. The reader must
then still support the older meaning.
"""
MOST_CHARACTERS = 1_000_000
"""Maximum number of characters of a record. A longer text is refused before it is parsed."""
RESIGNS, CLAIMS, TIME_OVER = "resigns", "claims", "out of time"
"""Texts of steps by which one side leaves a match or ends it."""
AGREED, NO_RESULT = "draw agreed", "no result"
"""Texts of steps of all sides that end a match."""
TAKE_BACKS, HINTS = "take-backs", "hints"
"""Kinds of help that a player may have had."""
DEPLOY = "deploy "
"""Beginning of a step that holds a whole arrangement, such as a deployment."""

_SWITCH = re.compile(r"([a-z][a-z0-9_]*)=(true|false|-?[0-9]{1,9})")
_OTHER_SPACE = re.compile(r"[^\S ]")
"""White space other than a space, such as the no-break space of word processors."""
_RESULT = re.compile(
    r"(?:draw|draw of [a-z0-9-]+(?:, [a-z0-9-]+)*|[a-z0-9-]+ wins) \([a-z0-9-]+\)|no result|unfinished"
)
_AID = re.compile(f"({TAKE_BACKS}|{HINTS})=([1-9][0-9]{{0,8}})")
_CLOCK = re.compile(r"[a-z]+(?: [a-z_]+=[0-9]{1,9})*")
_TIMES = re.compile(r"[0-9]{1,12}(?: [0-9]{1,12})*")
_WORD = re.compile(r"[a-z0-9][a-z0-9-]*")
_STEP = re.compile(f"({_WORD.pattern}): *(.+)")
_RULESET = re.compile(r"\{.*\}")

_WHOLE = {
    "variant": ("a variant's name", _WORD),
    "ruleset": ("a ruleset", _RULESET),
    "clock": ("a time control", _CLOCK),
    "result": ("a result", _RESULT),
}
"""Header keys whose values are kept as they are: name of the value for an error, and its form."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line: its side (side name, `chance`, or empty for all) and its text (an action, `deploy ...`, or an
    ending).
    """

    by: str
    text: str
    line: int = field(default=0, compare=False)
    """Line number in the parsed text, from 1; 0 if there was no text."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match as text fields. `replay.py` checks them against a game; this class does not."""

    variant: str
    switches: Mapping[str, bool | int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of the players by side."""
    date: str = ""
    aids: Mapping[str, int] = field(default_factory=dict)
    """Number of times that a player had help, by kind: `TAKE_BACKS`, `HINTS`."""
    result: str = ""
    """`red wins (flag)`, `draw (quiet)`, `draw of red, blue (quiet)`, `no result`, `unfinished`; empty if not given."""
    steps: tuple[Step, ...] = ()
    rules: int = RULES
    clock: str = ""
    """The time control: its kind and its settings, such as `turn turn=60 deployment=300`; empty if not given."""
    times: tuple[int, ...] = ()
    """Milliseconds that each step took; empty if not given."""
    ruleset: str = ""
    """The whole ruleset of a variant of one's own (`Written.text`); empty for a shipped variant."""
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Line numbers of the header keys in the parsed text."""

    def write(self) -> str:
        """Return the record as text. `read_record` returns an equal record for this text."""
        head = [FORMAT, f"rules: {self.rules}", f"variant: {self.variant}"]
        if self.ruleset:
            head.append(f"ruleset: {self.ruleset}")
        if self.switches:
            head.append(
                "switches: " + " ".join(f"{name}={_write_value(v)}" for name, v in sorted(self.switches.items()))
            )
        head += [f"player {side}: {fit_line(name)}" for side, name in self.names.items()]
        aids = " ".join(f"{name}={count}" for name, count in self.aids.items())
        times = " ".join(map(str, self.times))
        rest = (
            ("date", fit_line(self.date)),
            ("aids", aids),
            ("clock", self.clock),
            ("times", times),
            ("result", self.result),
        )
        head += [f"{key}: {text}" for key, text in rest if text]
        steps = [f"{step.by}: {step.text}" if step.by else step.text for step in self.steps]
        return "\n".join([*head, "", *steps, ""])


def _write_value(value: bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def error_at(line: int, reason: str, code: str, **args: object) -> TextError:
    """Return an error that names a line of the record. `code`, `args`: the message `text.<code>` of a catalogue, which
    also gets the line.
    """
    return TextError(f"line {line}: {reason}", Line(f"text.{code}", {"line": line, **args}))


# ---- reading -----------------------------------------------------------------------------------------------------


def read_record(text: str) -> Record:
    """Return the record of a text; the text may come from anybody. Raises `TextError` with the line and the reason."""
    if len(text) > MOST_CHARACTERS:
        raise error_at(1, f"the record is longer than {MOST_CHARACTERS} characters", "too-long", most=MOST_CHARACTERS)
    lines = [_OTHER_SPACE.sub(" ", line).strip() for line in text.removeprefix("\ufeff").split("\n")]
    if lines[0] != FORMAT:
        raise error_at(1, f"a record starts with {FORMAT!r}, not {lines[0][:40]!r}", "start", text=FORMAT)
    end = next((i for i, line in enumerate(lines) if not line), len(lines))
    head = _Header()
    for number, line in enumerate(lines[1:end], start=2):
        if not line.startswith("#"):
            head.read(number, line)
    if not head.variant:
        raise error_at(end, "the header names no variant", "no-variant")
    steps = tuple(
        _read_step(number, line)
        for number, line in enumerate(lines[end:], start=end + 1)
        if line and not line.startswith("#")
    )
    if head.times and len(head.times) != len(steps):
        reason = f"there are {len(head.times)} times for {len(steps)} steps"
        raise error_at(head.lines["times"], reason, "times", times=len(head.times), steps=len(steps))
    return Record(
        head.variant,
        head.switches,
        head.names,
        head.date,
        head.aids,
        head.result,
        steps,
        head.rules,
        head.clock,
        head.times,
        head.ruleset,
        head.lines,
    )


class _Header:
    """The header lines read so far."""

    def __init__(self) -> None:
        self.rules = RULES
        self.variant = ""
        self.switches: dict[str, bool | int] = {}
        self.names: dict[str, str] = {}
        self.date = ""
        self.aids: dict[str, int] = {}
        self.clock = ""
        self.times: tuple[int, ...] = ()
        self.result = ""
        self.ruleset = ""
        self.lines: dict[str, int] = {}

    def read(self, number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon:
            reason = f"not a header line: {line[:40]!r}; an empty line ends the header"
            raise error_at(number, reason, "header", text=line[:40])
        if key in self.lines:
            raise error_at(number, f"{key!r} stands twice; first in line {self.lines[key]}", "twice", name=key[:40])
        self.lines[key] = number
        kind, _, side = key.partition(" ")
        match kind:
            case "rules":
                self.rules = _read_rules(number, value)
            case "variant" | "ruleset" | "clock" | "result":
                setattr(self, key, _read_whole(number, *_WHOLE[key], value))
            case "switches":
                self.switches = _read_switches(number, value)
            case "player" if _WORD.fullmatch(side):
                self.names[side] = fit_line(value)
            case "date":
                self.date = fit_line(value)
            case "aids":
                self.aids = _read_aids(number, value)
            case "times":
                self.times = tuple(map(int, _read_whole(number, "times", _TIMES, value).split()))
            case _:
                raise error_at(number, f"unknown header {key[:40]!r}", "value", text=key[:40])


def _read_rules(number: int, value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", value):
        raise error_at(number, f"the rules version is a number, not {value[:40]!r}", "value", text=value[:40])
    if not 1 <= int(value) <= RULES:
        reason = f"rules version {int(value)} is unknown here; known is up to {RULES}"
        raise error_at(number, reason, "version", version=int(value), most=RULES)
    return int(value)


def _read_whole(number: int, what: str, pattern: re.Pattern[str], value: str) -> str:
    """Return a value that the whole pattern matches; `what`: for the error."""
    if not pattern.fullmatch(value):
        raise error_at(number, f"not {what}: {value[:40]!r}", "value", text=value[:40])
    return value


def _read_switches(number: int, value: str) -> dict[str, bool | int]:
    found: dict[str, bool | int] = {}
    for part in value.split():
        match = _SWITCH.fullmatch(part)
        if not match:
            reason = f"not a switch: {part[:40]!r}; write name=true, name=false or name=number"
            raise error_at(number, reason, "value", text=part[:40])
        name, text = match.groups()
        if name in found:
            raise error_at(number, f"switch {name!r} stands twice", "twice", name=name)
        found[name] = text == "true" if text in ("true", "false") else int(text)
    return found


def check_aids(aids: Mapping[str, int]) -> None:
    """Check the names of aids and their counts. Raises ValueError if they cannot stand in a record."""
    for name, count in aids.items():
        if not _AID.fullmatch(f"{name}={count}"):
            raise ValueError(f"not an aid: {name}={count}; there are {TAKE_BACKS} and {HINTS}, each a number from 1")


def _read_aids(number: int, value: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in value.split():
        match = _AID.fullmatch(part)
        if not match:
            reason = f"not an aid: {part[:40]!r}; write {TAKE_BACKS}=number or {HINTS}=number"
            raise error_at(number, reason, "value", text=part[:40])
        name, count = match.groups()
        if name in found:
            raise error_at(number, f"aid {name!r} stands twice", "twice", name=name)
        found[name] = int(count)
    return found


def _read_step(number: int, line: str) -> Step:
    if line in (AGREED, NO_RESULT):
        return Step("", line, number)
    found = _STEP.fullmatch(line)
    if not found:
        raise error_at(number, f"not a step: {line[:40]!r}; write 'side: action'", "step", text=line[:40])
    return Step(found[1], found[2], number)
