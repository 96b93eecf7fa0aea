"""The page can be installed, and links to it carry a picture."""

from __future__ import annotations

import struct

from server.harness import Server
from web.conftest import Browse


def test_the_manifest_is_taken_and_all_its_pictures_are_there(browse: Browse, server: Server) -> None:
    page = browse("/")
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert (found["url"], found["errors"]) == (server.url("/manifest.webmanifest"), [])
    manifest = server.get("/manifest.webmanifest").json()
    assert (manifest["name"], manifest["display"]) == ("Gonfalon", "standalone")
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    for icon in manifest["icons"]:
        answer = server.get(icon["src"])
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, icon["type"])
        if icon["type"] == "image/png":
            assert size_of(answer.content) == icon["sizes"]
    picture = page.locator('meta[property="og:image"]').get_attribute("content") or ""
    assert picture == server.url("/preview.png")
    assert size_of(server.get("/preview.png").content) == "1200x630"
    for scheme in ("light", "dark"):
        assert page.locator(f'meta[name="theme-color"][media*="{scheme}"]').count() == 1


def test_the_first_document_speaks_the_browsers_language(browse: Browse, server: Server) -> None:
    page = browse("/rules/duel", locale="de-AT", java_script_enabled=False)
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.title() == "Duell auf Gonfalon"
    assert "JavaScript" in page.locator("body").inner_text()
    found = page.locator('link[rel="manifest"]').get_attribute("href") or ""
    manifest = server.get(found).json()
    english = server.get("/manifest.webmanifest").json()
    assert (manifest["lang"], manifest["id"]) == ("de", english["id"])
    assert manifest["description"] != english["description"]


def size_of(picture: bytes) -> str:
    """Return width and height of a PNG, in the form of a manifest."""
    width, height = struct.unpack(">II", picture[16:24])
    return f"{width}x{height}"
