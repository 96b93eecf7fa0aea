"""What the server tells whoever runs it: one line an event, by the standard library's logging (logger `gonfalon`).

A line holds ids of matches, names of variants and of computer players, and counts. It never holds a seat's secret, an
address, a person's name, or anything of a position: who reads the log knows no more of a match than a spectator.
"""

from __future__ import annotations

import logging
import time

LEVELS = ("error", "warning", "info")
"""What can be asked for: failures; and what works in another way than it should; and every event."""
log = logging.getLogger("gonfalon.events")


def note(event: str, **facts: str | int) -> None:
    """Writes one event, as `match-made match=qk3... variant=barrage`."""
    if log.isEnabledFor(logging.INFO):
        log.info("%s", " ".join((event, *(f"{name}={fact}" for name, fact in facts.items()))))


def write_to_stderr(level: str) -> None:
    """For a process that is only the server: everything of a level, one of `LEVELS`, and above."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("gonfalon").setLevel(level.upper())


class OneLine(logging.Formatter):
    """Times in UTC; a traceback goes into the line of its event."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        """The whole record as one line."""
        return " | ".join(super().format(record).splitlines())
