from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from gonfalon.server.config import STATIC
from server.harness import Server, running
from web.guard import Guard

ARGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
CLAIM_AFTER = 3
"""Seconds of absence after which these tests may claim a win."""
PATIENCE_MS = 90_000
"""Milliseconds to wait for an element. The machine may be busy with other tests, and a late element is not missing."""

Browse = Callable[..., Page]
AT_ONCE = """try {
  localStorage['gonfalon.settings'] ??= '{"pace": "at-once", "hints": "off"}'
} catch { /* no storage, no setting */ }"""
"""Settings of most browsers in these tests: no pauses and no tips. Tests of pauses or tips browse with `patient`."""
INTRODUCED = """try {
  localStorage['gonfalon.hints'] ??= '["grid.pictures", "cardgame.pictures", "conquest.pictures"]'
} catch { /* no storage, nothing known */ }"""
"""Memory of a patient browser: it has shown the pictures that introduce the games. A `newcomer` has not seen them."""


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Names of browsers; the first installed one is used. The shell is the same engine without windows and needs two thirds
of the time.
"""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), "")
if not CHROMIUM and not os.environ.get("CI"):
    # Without a browser only one test is collected, so only one line says why the others are missing.
    collect_ignore_glob = ["test_[!b]*.py"]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM and os.environ.get("CI"):
        pytest.fail("no chromium on this machine: the browser tests cannot run", pytrace=False)
    if not CHROMIUM:
        pytest.skip("no chromium on this machine: all tests of tests/web are skipped")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all these tests. It serves a copy of the page, because a build may run at the same time."""
    if not (STATIC / "index.html").is_file():
        pytest.fail(f"the page is not built ({STATIC} has no index.html); run `make page`", pytrace=False)
    folder = tmp_path_factory.mktemp("web")
    page = Path(shutil.copytree(STATIC, folder / "page"))
    with running(folder, static=str(page), claim_after=CLAIM_AFTER) as started:
        started.match(("me", "greedy"))
        yield started


@pytest.fixture
def guard(server: Server) -> Iterator[Guard]:
    """Fails a test in which the page wrote to the console or sent a request to another host."""
    guard = Guard(server.url(""))
    yield guard
    assert not guard.problems()


@pytest.fixture
def browse(chromium: Browser, server: Server, guard: Guard) -> Iterator[Browse]:
    """Opens a page in a browser context of its own, for one person. All contexts are closed when the test ends."""
    contexts = []

    def browse(path: str = "/", *, patient: bool = False, newcomer: bool = False, **options: Any) -> Page:
        size = {"width": 1280, "height": 800}
        wanted = {"viewport": size, "reduced_motion": "reduce", "base_url": server.url(""), **options}
        context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"], **wanted)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        guard.watch(context)
        if not newcomer:
            context.add_init_script(INTRODUCED if patient else AT_ONCE)
        page = context.new_page()
        page.goto(path)
        return page

    yield browse
    for context in contexts:
        context.close()
    server.let_go()
