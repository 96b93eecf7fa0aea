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

OPENED = """window.opened = []
const note = (what) => window.opened.push([what, window.event?.isTrusted ? window.event.type : 'outside'])
const resume = AudioContext.prototype.resume
AudioContext.prototype.resume = function () { note('resume'); return resume.call(this) }
window.AudioContext = class extends AudioContext { constructor() { note('make'); super() } }"""
"""Script that notes in which event the page makes and resumes its sound."""


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


def test_sound_opens_inside_a_press(browse: Browse, server: Server) -> None:
    """Browsers of iOS open the sound only inside the event of a press, and not later."""
    match = server.match()
    page = browse()
    page.add_init_script(OPENED)
    page.add_init_script("Object.defineProperty(AudioContext.prototype, 'state', { get: () => window.silent })")
    table = sit_at(page, match, "red")
    table.suggest()
    assert page.evaluate("() => window.opened")[:2] == [["make", "pointerup"], ["resume", "pointerup"]]
    table.do("sound").click()
    page.reload()
    table.do("ready").click()
    assert page.evaluate("() => window.opened") == []
    table.do("sound").click()
    assert page.evaluate("() => window.opened") == [["make", "click"], ["resume", "click"]]
    page.evaluate("() => { window.silent = 'running' }")
    page.keyboard.press("Tab")
    assert len(page.evaluate("() => window.opened")) == 2
    page.evaluate("() => { window.silent = 'interrupted' }")
    page.keyboard.press("Tab")
    assert page.evaluate("() => window.opened")[2:] == [["resume", "keydown"]]
    assert not [event for _, event in page.evaluate("() => window.opened") if event == "outside"]
