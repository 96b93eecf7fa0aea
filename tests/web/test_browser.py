"""Tests whether a browser for these tests is installed."""

from __future__ import annotations

from playwright.sync_api import Browser


def test_there_is_a_browser(chromium: Browser) -> None:
    assert chromium.is_connected()
