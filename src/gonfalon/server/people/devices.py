"""Short names of devices, such as `Firefox, Linux`, for the list of one's own sessions."""

from __future__ import annotations

_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
"""Marks of browsers in a `User-Agent`. The order matters: most browsers name others as well."""
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def name_device(agent: str) -> str:
    """Return browser and system from a `User-Agent` header, as far as it names known ones."""
    found = (next((name for mark, name in marks if mark in agent), "") for marks in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, found))
