"""A browser's translator, which replaces every text node by elements: texts that change stay right."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployed, due, scripted, sit_at

TRANSLATOR = """(() => {
  const able = (text) => {
    const within = text.parentElement?.closest('[translate], font, svg, script, style, textarea')
    return within ? within.getAttribute('translate') === 'yes' : text.parentElement !== null
  }
  const wrap = (root) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = root.nodeType === Node.TEXT_NODE ? [root] : []
    while (walk.nextNode()) texts.push(walk.currentNode)
    for (const text of texts) {
      if (text.data.trim() === '' || !able(text)) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  addEventListener('DOMContentLoaded', () => {
    wrap(document.body)
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(wrap)))
      .observe(document.body, { childList: true, subtree: true })
  })
})()"""
"""Script that does the same as Chrome's translator: each text node becomes a text in two `font` elements."""


def test_texts_that_change_are_right_in_a_translated_page(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "blue", {"j10": "flag", "i7": "general"})
    page = browse("/about")
    page.context.add_init_script(TRANSLATOR)
    table, blue = sit_at(page, match, "red"), match.sit("blue")
    placing = page.locator(".status .last, .say").first
    table.do("random").wait_for()
    before = placing.inner_text()
    table.deploy()
    status = page.locator(".status .turn")
    expect(status).to_have_text("Your turn")
    assert before != placing.inner_text()
    assert table.play_turn()
    expect(status).to_have_text("Blue to move")
    due(blue)
    scripted(blue, "i7", "i6")
    expect(status).to_have_text("Your turn")
    expect(page.locator("section.log li").last).to_contain_text("i7 to i6")
    table.do("ranks").click()
    expect(page.locator(".aid th font").first).to_be_visible()
    table.do("resign").click()
    table.do("confirm-resign").click()
    expect(status).to_contain_text("You lose")
    table.do("replay").first.click()
    step = page.locator(".say .turn")
    table.do("last").click()
    expect(step).to_contain_text("Blue wins")
    table.do("prev").click()
    expect(step).to_have_text(re.compile(r"^\s*Step (\d+) of \d+\s*$"))
    shown = step.inner_text()
    table.do("prev").click()
    expect(step).to_have_text(re.compile(r"^\s*Step (\d+) of \d+\s*$"))
    assert step.inner_text() != shown


def test_the_rest_of_the_page_is_translated(browse: Browse) -> None:
    page = browse("/about")
    page.context.add_init_script(TRANSLATOR)
    for path in ("/rules/duel", "/settings"):
        page.goto(path)
        expect(page.locator("main h1 font").first).to_be_visible()
    page.goto("/")
    # The answer never comes, so the page stays as it is.
    page.route("**/api/matches", lambda _: None)
    page.locator('[data-do="play-now"]').click()
    expect(page.locator('[data-do="play-now"]')).to_have_text("Setting up")
