"""Sounds: they play unless one press, which the page remembers, has switched them off."""

from __future__ import annotations

from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.setting import sit_at
from web.table import wait_for

COUNT = """window.tones = 0
const start = OscillatorNode.prototype.start
OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at) }"""


def test_sound_is_on_until_it_is_pressed_away(browse: Browse, server: Server) -> None:
    page = browse()
    page.add_init_script(COUNT)
    match = server.match()
    table = sit_at(page, match, "red")
    table.do("sound").click()
    page.reload()
    expect(table.do("sound")).to_have_text("Sound")
    table.do("sound").click()
    table.do("resign").click()
    table.do("confirm-resign").click()
    wait_for(page, lambda: page.evaluate("() => window.tones") >= 3, "the sound of the end")
