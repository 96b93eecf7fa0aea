"""The browser and the server of the page's tests."""

from __future__ import annotations

from web.conftest import browse, chromium, guard, server

__all__ = ["browse", "chromium", "guard", "server"]
