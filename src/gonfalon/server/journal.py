"""The server's log for its operator: one line per event, by the standard library's logging (logger `gonfalon`).

A line holds ids of matches, names of variants and of computer players, and counts. It never holds a seat's secret, an
address, a person's name, or anything about a position: a reader of the log knows no more of a match than a spectator.
"""

from __future__ import annotations

import logging
import time

LEVELS = ("error", "warning", "info")
"""Log levels: failures; also unexpected behaviour; also every event."""
log = logging.getLogger("gonfalon.events")


def note(event: str, **facts: str | int) -> None:
    """Write one event, such as `match-made match=qk3... variant=barrage`."""
    if log.isEnabledFor(logging.INFO):
        log.info("%s", " ".join((event, *(f"{name}={fact}" for name, fact in facts.items()))))


def write_to_stderr(level: str) -> None:
    """Log everything from a level of `LEVELS` up to stderr. Only a process that runs nothing but the server may call
    this.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("gonfalon").setLevel(level.upper())


class OneLine(logging.Formatter):
    """Formats times in UTC and joins a traceback to the line of its event."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        """Return the whole record as one line."""
        return " | ".join(super().format(record).splitlines())
