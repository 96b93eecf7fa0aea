"""Prints what the page costs: requests and bytes over the wire, layout shift in a whole match, the longest task.

    python tools/page_speed.py

Needs the built page, Chromium and the tests' packages; starts a server of its own.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from gonfalon.server.config import STATIC  # noqa: E402
from server.harness import Server, running  # noqa: E402
from web.conftest import ARGS, CHROMIUM  # noqa: E402
from web.setting import new_match  # noqa: E402
from web.speed import WATCH, visit  # noqa: E402
from web.table import Table  # noqa: E402

SIZES = ((360, 740), (390, 844), (1280, 800))
TURNS = 12
"""After them the match is resigned."""
SLOWER = 4
"""How many times slower than this machine's the processor is made, as a cheap phone's is."""


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


def play_match(page: Page) -> None:
    """A match of Duel against the computer, until somebody has lost."""
    table = new_match(page, "duel", "agent:greedy")
    table.deploy()
    for _ in range(TURNS):
        if not table.play_turn():
            break
    if not table.over():
        resign(table)
    page.wait_for_load_state("networkidle")


def resign(table: Table) -> None:
    page = table.page
    if not table.do("resign").is_visible():
        page.locator("button.drawer").click()
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("replay").first.wait_for()


def print_match(browser: Browser, server: Server, width: int, height: int) -> None:
    page = open_page(browser, server, width, height)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    play_match(page)
    cost = page.evaluate("() => window.cost")
    print(
        f"a match of Duel at {width:4} px:   layout shift {cost['shift']:.3f}, longest task {cost['longest']:.0f} ms "
        f"(processor {SLOWER} times slower)"
    )
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
        for width, height in SIZES:
            print_match(browser, server, width, height)
        browser.close()


if __name__ == "__main__":
    main()
