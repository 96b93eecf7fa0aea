"""What a page costs: bytes and requests on the wire, how far it jumps, how long it holds the browser up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

WATCH = """() => {
  window.cost = { shift: 0, longest: 0 }
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.cost.shift += each.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.cost.longest = Math.max(window.cost.longest, each.duration)
  }).observe({ type: 'longtask', buffered: true })
}"""
"""A script for every page before its own. A shift within half a second after a press is expected there: it does not
count.
"""


@dataclass
class Wire:
    """What went over the wire, heads of answers included. What came from the browser's own cache did not."""

    requests: int = 0
    size: int = 0


def watch_wire(page: Page) -> Wire:
    """Counts from now on all that a page loads."""
    wire = Wire()
    devtools = page.context.new_cdp_session(page)

    def finished(event: dict[str, Any]) -> None:
        if event["encodedDataLength"] > 0:
            wire.requests += 1
            wire.size += int(event["encodedDataLength"])

    devtools.on("Network.loadingFinished", finished)
    devtools.send("Network.enable")
    return wire


def visit(page: Page, path: str = "/") -> Wire:
    """What one visit of a page costs until nothing more is loaded."""
    wire = watch_wire(page)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return wire
