"""Costs of a page: bytes and requests on the wire, layout shifts, long tasks of the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

WATCH = """() => {
  window.cost = { shift: 0, longest: 0, moved: {}, frames: 0, slow: 0, usable: 0 }
  const name = ({ node }) => (node?.nodeType === 1 ? `${node.localName}.${node.classList[0] ?? ''}` : 'text')
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) {
      if (each.hadRecentInput) continue
      window.cost.shift += each.value
      const moved = each.sources.map(name).join(' ')
      window.cost.moved[moved] = (window.cost.moved[moved] ?? 0) + each.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
  let before = 0
  const count = (now) => {
    if (before > 0) window.cost.frames += 1
    if (now - before >= 34 && before > 0) window.cost.slow += 1
    before = now
    if (!window.cost.usable && document.querySelector('main :is(a, button:enabled)'))
      window.cost.usable = performance.now()
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.cost.longest = Math.max(window.cost.longest, each.duration)
  }).observe({ type: 'longtask', buffered: true })
}"""
"""A script that runs on every page before the page's own. Shifts within half a second after a press are expected and
not counted. `moved`: shifted elements and by how much. `slow`: number of frames that came 34 ms or more after the
previous one. `usable`: milliseconds from the request for the page until something could be pressed.
"""


@dataclass
class Wire:
    """Bytes on the wire, including heads of answers, without the browser's own cache."""

    requests: int = 0
    size: int = 0


def watch_wire(page: Page) -> Wire:
    """Count from now on everything that a page loads."""
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
    """Return the costs of one visit of a page, until it loads nothing more."""
    wire = watch_wire(page)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return wire
