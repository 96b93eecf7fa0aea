"""Prints the costs of the page: requests and bytes over the wire, and the time until the page can be used. For whole
matches: the layout shift and the elements that moved, the longest task, and the share of frames in time.

    python tools/page_speed.py

The longest task is given by the clock and in processor time: other work on the machine makes the first much longer, the
second only a little.

Needs the built page, Chromium and the packages of the tests. Starts its own server.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from gonfalon.server.config import STATIC  # noqa: E402
from server.harness import Server, running  # noqa: E402
from web.conftest import ARGS, CHROMIUM  # noqa: E402
from web.maptable import MapTable  # noqa: E402
from web.setting import new_match  # noqa: E402
from web.speed import WATCH, visit  # noqa: E402
from web.table import Table  # noqa: E402

SIZES = ((360, 640), (390, 844), (1280, 800))
TURNS = 12
"""Number of turns after which the match is resigned."""
IN_TIME = 34
"""Milliseconds after the previous frame; a frame later than this is visible as a delay."""
MOVED = 0.002
"""Minimum layout shift that is reported."""
SETTLED_MS = 500
"""Milliseconds after which nothing of the previous screen is still being drawn."""
TASK = "ThreadControllerImpl::RunTask"
"""Name of a task in the browser's trace."""
OWN_MS = 200
"""Ignored milliseconds at the beginning of a trace: their tasks belong to the tracing itself."""
SLOWER = 4
"""Factor by which the processor is slowed down, to the speed of a cheap phone."""


def open_page(browser: Browser, server: Server, width: int = 1280, height: int = 800) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=server.url(""))
    context.add_init_script(f"({WATCH})()")
    return context.new_page()


def print_visits(browser: Browser, server: Server) -> None:
    page = open_page(browser, server)
    first = visit(page)
    page.close()
    second = visit(page.context.new_page())
    for name, wire in (("first", first), ("second", second)):
        print(f"start page, {name + ' visit:':<14} {wire.requests:3} requests {wire.size / 1000:7.1f} kB")
    page.context.close()


def print_usable(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, 360, 640)
    slow_down(page)
    page.goto("/")
    page.wait_for_function("() => window.cost.usable > 0")
    print(
        f"start page, usable after {page.evaluate('() => window.cost.usable'):.0f} ms (processor {SLOWER} times slower)"
    )
    page.context.close()


def slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def play_duel(page: Page) -> None:
    """Play a match of Duel against the computer, until one side has lost."""
    table = new_match(page, "duel", "agent:greedy")
    table.deploy()
    begin(table)
    for _ in range(TURNS):
        if not table.play_turn():
            break
    finish(table)


def play_conquest(page: Page) -> None:
    """Play a match of Conquest for two against the computer: territories, units, a few turns."""
    page.goto("/new/conquest-two")
    page.click('[data-do="start"]')
    table = MapTable(page)
    table.pick_territories()
    table.place_units()
    begin(table)
    for _ in range(TURNS):
        if not table.decide():
            break
    finish(table)


def begin(table: Table) -> None:
    """Begin the measurement of play. Showing the board for the first time counts separately."""
    table.due()
    table.page.wait_for_timeout(SETTLED_MS)
    opening = stop_counting(table.page)
    table.page.evaluate(
        "(work) => Object.assign(window.cost, { opening: window.cost.longest, openingWork: work, longest: 0 })", opening
    )
    start_counting(table.page)


def finish(table: Table) -> None:
    if table.due() != "over":
        resign(table)
    table.page.wait_for_load_state("networkidle")
    table.page.evaluate("(work) => { window.cost.work = work }", stop_counting(table.page))


def browser_of(page: Page) -> Browser:
    browser = page.context.browser
    assert browser
    return browser


def start_counting(page: Page) -> None:
    browser_of(page).start_tracing(page=page, categories=["toplevel", "devtools.timeline"])


def stop_counting(page: Page) -> float:
    """Return the processor time, in milliseconds, of the page's longest task since `start_counting`."""
    events = json.loads(browser_of(page).stop_tracing())["traceEvents"]
    scripted = Counter((each["pid"], each["tid"]) for each in events if each["name"] == "FunctionCall")
    (own, _), *_ = scripted.most_common(1)
    tasks = [each for each in events if each["name"] == TASK and (each["pid"], each["tid"]) == own]
    # The first tasks belong to the tracing itself.
    settled = min(each["ts"] for each in tasks) + OWN_MS * 1000
    longest: float = max(each.get("tdur", 0) for each in tasks if each["ts"] > settled)
    return longest / 1000


def resign(table: Table) -> None:
    page = table.page
    if not table.do("resign").is_visible():
        page.locator("button.drawer").click()
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("replay").first.wait_for()


def print_match(browser: Browser, server: Server, play: Callable[[Page], None], width: int, height: int) -> None:
    page = open_page(browser, server, width, height)
    slow_down(page)
    start_counting(page)
    play(page)
    cost = page.evaluate("() => window.cost")
    name = play.__name__.removeprefix("play_").capitalize()
    in_time = 1 - cost["slow"] / max(1, cost["frames"])
    print(
        f"a match of {name + ',':<9} {width:4} px: layout shift {cost['shift']:.3f}, "
        f"longest task {cost['longest']:4.0f} ms in play, {cost['opening']:.0f} ms before "
        f"(of the processor {cost['work']:.0f} ms, {cost['openingWork']:.0f} ms), "
        f"{in_time:.1%} of frames within {IN_TIME} ms "
        f"(processor {SLOWER} times slower)"
    )
    for moved, by in sorted(cost["moved"].items(), key=lambda each: -each[1]):
        if by >= MOVED:
            print(f"    {by:.3f} {moved}")
    page.context.close()


def main() -> None:
    if not CHROMIUM:
        sys.exit("no chromium on this machine")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), static=str(STATIC)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        print_visits(browser, server)
        print_usable(browser, server)
        for play in (play_duel, play_conquest):
            for width, height in SIZES:
                print_match(browser, server, play, width, height)
        browser.close()


if __name__ == "__main__":
    main()
