"""Numbers as the user types them on the command line. For a wrong number, argparse adds the name of the option."""

from __future__ import annotations

import argparse
import math


def whole_from(least: int, text: str) -> int:
    """Return a whole number of at least `least`. Raises `argparse.ArgumentTypeError`."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"takes a whole number from {least}, not {text!r}")
    return number


def natural(text: str) -> int:
    """Return a whole number of at least 0."""
    return whole_from(0, text)


def positive(text: str) -> int:
    """Return a whole number of at least 1."""
    return whole_from(1, text)


def duration(text: str) -> float:
    """Return a number above 0. Raises `argparse.ArgumentTypeError`."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"takes a number above 0, not {text!r}")
    return number
