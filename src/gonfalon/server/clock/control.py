"""Time controls: the settings of a match's clocks, as bodies, stored headers and messages carry them.

Settings are whole seconds, or whole days for correspondence. A stored header may leave a field out, so no default may
ever change.
"""

from __future__ import annotations

import msgspec

from gonfalon.server.protocol.refusals import Declined

Bounds = tuple[int, int]
"""Least and greatest value of a setting."""
BANK: Bounds = (1, 3 * 3600)
EXTRA: Bounds = (0, 180)
"""Bounds of increment and delay."""
LONGEST: Bounds = (5, 3 * 3600)
TURN: Bounds = (5, 600)
"""A match stays in memory while its clock runs, and nothing but this bound ends a match of many turns."""
DEPLOYMENT: Bounds = (10, 3 * 3600)
CLAIM_AFTER: Bounds = (120, 24 * 3600)
"""A shorter time would let the maker win against a guest who reads the rules."""
DAYS = (1, 2, 3, 7)


class _Control(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all time controls."""


class Untimed(_Control, frozen=True, tag="untimed"):
    """No clock. `claim_after`: seconds in which a player who is due did nothing, connected or not, until the others may
    claim the win; 0: never.
    """

    claim_after: int = 300


class Bank(_Control, frozen=True, tag="bank"):
    """A bank of time for the whole match, in seconds a player."""

    bank: int
    increment: int = 0
    """Added to the bank once a closed decision, in seconds."""
    delay: int = 0
    """Free time of each decision, in seconds. The unused part is not added to the bank."""
    longest: int = 0
    """Maximum time for one decision, the delay included, in seconds. A player who needs more has lost on time. 0: no
    maximum.
    """
    deployment: int = 300
    """Time for all decisions of a player before play, in seconds. They leave the bank as it is."""


class PerTurn(_Control, frozen=True, tag="turn"):
    """`turn`: seconds that each player has for all decisions of one turn, whoever is on turn."""

    turn: int
    deployment: int = 300
    """Time for all decisions of a player before play, in seconds."""


class Correspondence(_Control, frozen=True, tag="correspondence"):
    """`days` for each decision, those before play too: one of `DAYS`."""

    days: int


Control = Untimed | Bank | PerTurn | Correspondence


def word_control(control: Control | None) -> str:
    """Return a time control as a record names it, such as `turn turn=60 deployment=300`; empty for None."""
    if control is None:
        return ""
    settings = (f"{name}={value}" for name, value in msgspec.structs.asdict(control).items())
    return " ".join((str(control.__struct_config__.tag), *settings))


def read_control(text: str) -> Control | None:
    """Return the time control that a record names; None if this version knows no such control."""
    kind, *settings = text.split() or [""]
    pairs = (setting.partition("=") for setting in settings)
    try:
        control: Control = msgspec.convert({"kind": kind} | {name: int(value) for name, _, value in pairs}, Control)
        check(control)
    except (msgspec.ValidationError, ValueError, Declined):
        return None
    return control


def check(control: Control) -> None:
    """Check the settings of a time control. Raises `Declined`: `bad-clock`, with field and bounds in `detail`.

    msgspec has refused fractions, NaN and unknown fields of a body; a control made in Python is checked for them here.
    """
    match control:
        case Untimed():
            _check("claim_after", control.claim_after, CLAIM_AFTER, zero=True)
        case Bank():
            _check_bank(control)
        case PerTurn():
            _check("turn", control.turn, TURN)
            _check("deployment", control.deployment, DEPLOYMENT)
        case Correspondence():
            if type(control.days) is not int or control.days not in DAYS:
                raise _refuse(f"days: {', '.join(map(str, DAYS))}")


def _check_bank(control: Bank) -> None:
    # Without a bank, an increment would come too late for the first decision. A delay is a fixed time a decision.
    _check("increment", control.increment, EXTRA)
    _check("delay", control.delay, EXTRA)
    _check("bank", control.bank, BANK, zero=control.delay > 0)
    if control.increment and control.delay:
        raise _refuse("increment, delay: one of them must be 0")
    _check("longest", control.longest, LONGEST, zero=True)
    if 0 < control.longest <= control.delay:
        raise _refuse("longest: 0, or more than delay")
    _check("deployment", control.deployment, DEPLOYMENT)


def _check(field: str, value: int, bounds: Bounds, zero: bool = False) -> None:
    least, most = bounds
    if type(value) is int and (least <= value <= most or (zero and value == 0)):
        return
    raise _refuse(f"{field}: {'0, or ' if zero and least else ''}{least} to {most} s, whole")


def _refuse(detail: str) -> Declined:
    return Declined("bad-clock", 400, detail=detail)
