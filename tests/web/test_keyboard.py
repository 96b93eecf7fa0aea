"""A whole match without mouse and screen: by keys and with the messages to a screen reader."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.conftest import Browse
from web.table import Table

FOCUS = """() => { const at = document.activeElement;
  const { do: tool, face, space } = at.dataset;
  return [tool ?? face ?? space ?? at.name ?? '', at.getAttribute('aria-label') ?? ''] }"""
MOST_TABS = 60
SPOKEN_MOVE = r"^(You (move|attack) from|Your Scout runs from)"


def focused(page: Page) -> list[str]:
    found: list[str] = page.evaluate(FOCUS)
    return found


def tab_to(page: Page, *names: str, back: bool = False) -> str:
    """Press Tab until an element with one of these names has the focus."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        here = focused(page)
        if here[0] in names or page.evaluate("(v) => document.activeElement.value === v", names[0]):
            return here[0]
    raise AssertionError(f"Tab does not lead to {names}")


def start_by_keys(page: Page) -> None:
    """Fill in the form of a new Barrage match against a random computer player, with at most 30 turns."""
    tab_to(page, "opponent")
    assert page.evaluate("() => document.activeElement.value") == "agent"
    tab_to(page, "agent")
    while page.evaluate("() => document.activeElement.value") != "random":
        page.keyboard.press("ArrowDown")
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.tagName") == "SUMMARY":
            break
    page.keyboard.press("Enter")
    tab_to(page, "max_turns")
    page.keyboard.press("Control+a")
    page.keyboard.type("30")
    tab_to(page, "start")
    page.keyboard.press("Enter")


def place_by_keys(page: Page, table: Table) -> None:
    """Place the first three pieces one by one and the rest at random; then move one piece to another square."""
    page.locator('[data-do="ready"]').wait_for()
    for square in ("a1", "c2", "j4"):
        tab_to(page, "flag" if square == "a1" else "bomb" if square == "c2" else "marshal")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="Holding")).to_be_visible()
        for _ in range(MOST_TABS):
            page.keyboard.press("Shift+Tab")
            if re.fullmatch(r"[a-j]\d+", focused(page)[0]):
                break
        table.walk(square)
        page.keyboard.press("Enter")
    assert table.squares()["a1"].startswith("a1, your Flag")
    assert table.squares()["j4"].startswith("j4, your Marshal")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Picked up Marshal on j4")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    assert table.squares()["j4"] == "j4, empty"
    tab_to(page, "random")
    page.keyboard.press("Space")
    expect(table.do("ready")).to_be_enabled()
    tab_to(page, "ready")
    page.keyboard.press("Enter")


def test_a_whole_match_by_keyboard_alone(browse: Browse) -> None:
    page = browse("/new/barrage")
    page.locator('[data-do="start"]').wait_for()
    start_by_keys(page)
    table = Table(page, keys=True)
    place_by_keys(page, table)
    table.hear(r"Both sides are ready\. You move first\.")
    table.hear("Your turn")
    table.ready()
    names = table.squares()
    assert sum(name.endswith("enemy") for name in names.values()) == 8
    assert sum("your" in name for name in names.values()) == 8
    assert names["c5"] == "c5, water"
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if re.fullmatch(r"[a-j]\d+", focused(page)[0]):
            break
    _escape_steps_back(table)
    while table.play_turn():
        table.hear(SPOKEN_MOVE)
        assert re.fullmatch(r"[a-j]\d+", focused(page)[0]), "the focus left the board"
    expect(page.locator(".status")).to_contain_text(re.compile("You win|You lose|Draw"))
    table.hear("wins|draw|over")
    page.locator('[data-do="replay"]').wait_for()
    tab_to(page, "replay")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/replay/"))


def _escape_steps_back(table: Table) -> None:
    begin = next(name for name, label in table.squares().items() if "can be chosen" in label)
    table.choose(begin)
    assert "chosen" in table.squares()[begin]
    targets = table.targets()
    assert targets
    said = table.page.locator("[data-chosen]")
    expect(said).to_contain_text(re.compile(rf"^{begin}, your .*, chosen\."))
    if len(targets) <= 12:
        told = re.search("Possible targets: (.*)\\.", said.inner_text())
        assert told
        assert set(re.findall(r"[a-j]\d+", told[1])) == set(targets)
    table.page.keyboard.press("Escape")
    assert not table.targets()
    expect(said).to_have_text("")
