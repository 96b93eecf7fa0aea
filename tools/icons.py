"""Makes the pictures of web/public: the icons of the installed page, and the preview picture of links.

    python tools/icons.py

All are drawn from the file icon.svg there. Needs Chromium and the packages of the tests.
"""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from web.conftest import ARGS, CHROMIUM  # noqa: E402

PUBLIC = ROOT / "web" / "public"
ICON = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
FONT = base64.b64encode((ROOT / "web" / "src" / "fonts" / "grenze-700.woff2").read_bytes()).decode()
PAPER, INK = "#F4EFE4", "#1F2328"
MASKED = 0.6
"""Width of the drawing as a share of a maskable icon's width. A mask keeps at least the circle in the middle, with 0.8
of the width.
"""


def shoot(page: Page, name: str, width: int, height: int, body: str, ground: str = PAPER) -> None:
    """Write a picture of some HTML."""
    page.set_viewport_size({"width": width, "height": height})
    style = f"margin:0;height:100vh;display:flex;align-items:center;justify-content:center;background:{ground}"
    page.set_content(f'<body style="{style}">{body}</body>')
    page.evaluate("() => document.fonts.ready")
    page.screenshot(path=str(PUBLIC / name), omit_background=True)


def drawn(size: float) -> str:
    """Return the icon as HTML, `size` pixels wide."""
    return re.sub("<svg ", f'<svg width="{size}" height="{size}" ', ICON, count=1)


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        page = browser.new_page()
        for size in (192, 512):
            shoot(page, f"icon-{size}.png", size, size, drawn(size), "transparent")
        shoot(page, "icon-maskable-512.png", 512, 512, drawn(512 * MASKED))
        name = (
            f"<style>@font-face{{font-family:Grenze;src:url(data:font/woff2;base64,{FONT})}}</style>"
            f'<span style="font:700 190px/1 Grenze,serif;color:{INK};margin-left:48px">Gonfalon</span>'
        )
        shoot(page, "preview.png", 1200, 630, drawn(300) + name)
        browser.close()


if __name__ == "__main__":
    main()
