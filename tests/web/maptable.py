"""A person at a map: chooses territories, places units, plays cards, moves from zone to zone."""

from __future__ import annotations

from collections import deque
from typing import Any

from playwright.sync_api import Page

from web.table import NEXT, Table

WAYS = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}
ENEMY = "'s "
"""Part of the name of a zone with an enemy unit: "Fenn 1, Blue's unit"."""
Spaces = dict[str, dict[str, Any]]


class MapTable(Table):
    """One page with a map on it."""

    def __init__(self, page: Page, keys: bool = False) -> None:
        super().__init__(page, keys)
        self.spaces: Spaces = {}

    def _due(self) -> str:
        """Return the due decision: `over`, `place`, `card`, `guess`, `zone` or `move`; empty if none is due."""
        if self.over():
            return "over"
        if self.do("ready").count():
            return "place"
        if self.button("do.no-card").count():
            return "card"
        if self.button("guess.king").count():
            return "guess"
        if not any(NEXT in label for label in self.squares().values()):
            return ""
        return "move" if self.status() == "move" else "zone"

    def status(self) -> str:
        """Return the code of the present status."""
        code: str = self.page.evaluate("() => document.querySelector('[data-status]')?.dataset.status ?? ''")
        return code

    def button(self, name: str) -> Any:
        return self.page.locator(f'[data-button="{name}"]')

    def cards(self, able: bool = True) -> list[str]:
        """Return the cards that can be played now; if not `able`, those that cannot be played."""
        found = self.page.locator(f'[data-card][aria-disabled="{"false" if able else "true"}"]')
        return [card.get_attribute("data-card") or "" for card in found.all()]

    def open_zones(self) -> list[str]:
        return [zone for zone, label in self.squares().items() if NEXT in label]

    def walk(self, name: str) -> None:
        """Move the focus from the focused zone to another one by arrow keys."""
        here = self.page.evaluate("() => document.activeElement?.dataset?.space ?? ''")
        assert here, "no zone has the focus"
        for key in way(self.spaces, here, name):
            self.page.keyboard.press(key)
        assert self.page.evaluate("() => document.activeElement.dataset.space") == name

    def place_units(self) -> None:
        """Place all units at random."""
        self.do("random").click()
        self.do("ready").click()
        self.do("ready").wait_for(state="detached")

    def pick_territories(self) -> None:
        """Choose territories until the units must be placed."""
        while self.due() == "zone":
            zones = self.open_zones()
            self.choose(zones[len(zones) // 2])
            self.page.wait_for_timeout(30)

    def make_move(self) -> None:
        """Make one move, an attack if possible."""
        squares = self.squares()
        for begin in self.open_zones():
            self.choose(begin)
            ends = sorted(self.targets(), key=lambda zone: ENEMY not in squares[zone])
            if ends:
                self.choose(ends[0])
                self.confirm()
                self.settle()
                return
        raise AssertionError(f"no move is offered: {squares}")

    def carry_out(self) -> None:
        """Answer the questions of a card until moves are due."""
        while (wanted := self.due()) not in ("move", "over"):
            if wanted == "guess":
                self.button("guess.king").click()
            elif wanted == "place":
                self.place_units()
            else:
                self.choose(self.open_zones()[0])
            self.confirm()

    def decide(self, plays: bool = True) -> bool:
        """Make one due decision. Return False if the match is over."""
        match self.due():
            case "over":
                return False
            case "card" if plays and self.cards():
                self.page.locator(f'[data-card="{self.cards()[0]}"]').click()
            case "card":
                self.button("do.no-card").click()
            case "move":
                self.make_move()
            case "place":
                self.place_units()
            case "guess":
                self.button("guess.king").click()
            case _:
                self.choose(self.open_zones()[0])
        self.confirm()
        return True

    def confirm(self) -> None:
        """Confirm the choice: on a small screen the page asks first."""
        if self.do("confirm-move").count():
            self.do("confirm-move").click()
        self.page.wait_for_timeout(40)


def way(spaces: Spaces, begin: str, end: str) -> list[str]:
    """Return the arrow keys that lead from one zone to another."""
    seen: dict[str, list[str]] = {begin: []}
    queue = deque([begin])
    while end not in seen:
        here = queue.popleft()
        for key in WAYS:
            there = towards(spaces, here, key)
            if there and there not in seen:
                seen[there] = [*seen[here], key]
                queue.append(there)
    return seen[end]


def towards(spaces: Spaces, here: str, key: str) -> str:
    """Return the target of an arrow key: the nearest zone within 45 degrees of it, preferably a neighbour."""
    x, y = spaces[here]["place"]
    best = (float("inf"), "")
    for name, space in spaces.items():
        dx, dy = space["place"][0] - x, space["place"][1] - y
        along = dx * WAYS[key][0] + dy * WAYS[key][1]
        across = abs(dx * WAYS[key][1]) + abs(dy * WAYS[key][0])
        if along > 0 and across <= along:
            strange = 1.0 if name in spaces[here].get("near", ()) else 1.5
            best = min(best, ((along + 1.2 * across) * strange, name))
    return best[1]


def new_map_match(page: Page, variant: str, seats: dict[str, str], **switches: int) -> MapTable:
    """Make a new match by the form; `seats` by side."""
    page.goto(f"/new/{variant}")
    for side, kind in seats.items():
        page.select_option(f"#seat-{side}", kind)
    if "link" in seats.values():
        page.select_option('[name="time"]', "live")
    if switches:
        page.locator("details summary").click()
    for name, value in switches.items():
        page.locator(f"#switch-{name}").fill(str(value))
        page.locator(f"#switch-{name}").blur()
    page.click('[data-do="start"]')
    return MapTable(page)
