"""A person at a match's page: sees squares by their accessible names, moves by mouse, touch or keyboard."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from playwright.sync_api import Locator, Page, expect

from server.harness import PATIENCE

SQUARES = """() => Object.fromEntries([...document.querySelectorAll('[data-space]')]
  .map((square) => [square.dataset.space, square.getAttribute('aria-label')]))"""
SPOKEN = "() => [...document.querySelectorAll('[data-live] p')].map((line) => line.textContent)"
LEAST_LOOKS = 100
"""Minimum number of looks at a page before a wait fails, however long each look takes, because the whole machine may
have stood still.
"""
NEXT, TARGET = "can be chosen", "possible target"
RANKS = {
    name: rank
    for rank, name in enumerate(
        ("Spy", "Scout", "Miner", "Sergeant", "Lieutenant", "Captain", "Major", "Colonel", "General", "Marshal"), 1
    )
}
FILES = "abcdefghij"
Found = TypeVar("Found")
KEYS = {(1, 0): "ArrowRight", (-1, 0): "ArrowLeft", (0, 1): "ArrowUp", (0, -1): "ArrowDown"}


class Table:
    """One page with a match on it."""

    def __init__(self, page: Page, keys: bool = False) -> None:
        self.page = page
        self.keys = keys
        self.moves = 0

    # ---- seeing --------------------------------------------------------------------------------------------------

    def squares(self) -> dict[str, str]:
        """Return the accessible names by square."""
        names: dict[str, str] = self.page.evaluate(SQUARES)
        return names

    def square(self, name: str) -> Locator:
        return self.page.locator(f'[data-space="{name}"]')

    def do(self, name: str) -> Locator:
        return self.page.locator(f'[data-do="{name}"]')

    def spoken(self) -> list[str]:
        """Return the lines of the live region."""
        lines: list[str] = self.page.evaluate(SPOKEN)
        return lines

    def hear(self, words: str) -> None:
        """Wait until the live region holds a line that matches `words` (a regular expression)."""
        wait_for(self.page, lambda: any(re.search(words, line) for line in self.spoken()), f"hearing {words}")

    def see_outlined(self, *squares: str) -> None:
        """Wait until exactly these squares are outlined as the last act."""
        outlined = self.page.locator("[data-space].from, [data-space].to")
        names = "all => all.map((each) => each.dataset.space).sort()"
        wait_for(self.page, lambda: outlined.evaluate_all(names) == sorted(squares), f"outlines of {squares}")

    def over(self) -> bool:
        return self.do("replay").count() > 0

    def ready(self) -> bool:
        """Wait until it is this seat's turn. Return False if the match is over."""
        return self.due() != "over"

    def due(self) -> str:
        """Wait for the next decision and return its kind; `over` if the match is over."""
        return wait_for(self.page, self._due, "anything to do")

    def _due(self) -> str:
        if self.over():
            return "over"
        able = any(NEXT in label for label in self.squares().values()) or self.page.locator("[data-button]").count()
        return "turn" if able else ""

    # ---- doing ---------------------------------------------------------------------------------------------------

    def suggest(self) -> None:
        """Let the page place all pieces, and wait for them."""
        self.do("random").click()
        expect(self.do("ready")).to_be_enabled()

    def copied(self, name: str) -> str:
        """Return the text that a button copies, once it says that it has."""
        self.do(name).click()
        expect(self.do(name)).to_have_text("Copied")
        text: str = self.page.evaluate("() => navigator.clipboard.readText()")
        return text

    def deploy(self, text: str = "") -> None:
        """Deploy by a text, or as the server suggests."""
        if text:
            self.do("shelf").click()
            self.page.fill('[name="deployment-text"]', text)
            self.do("use-text").click()
        else:
            self.suggest()
        self.do("ready").click()
        self.do("ready").wait_for(state="detached")

    def choose(self, name: str) -> None:
        """Chooses a square."""
        if not self.keys:
            self.square(name).click()
            return
        self.walk(name)
        self.page.keyboard.press("Enter")

    def walk(self, name: str) -> None:
        """Move the focus from the focused square to another one by arrow keys."""
        here = self.page.evaluate("() => document.activeElement?.dataset?.space ?? ''")
        assert here, "no square has the focus"
        turned = self.page.evaluate("() => document.querySelector('[data-space]').dataset.space.startsWith('j')")
        (x, y), (to_x, to_y) = place(here), place(name)
        sign = -1 if turned else 1
        steps = [("x", sign * (to_x - x)), ("y", sign * (to_y - y))]
        for axis, way in steps:
            for _ in range(abs(way)):
                direction = (1 if way > 0 else -1, 0) if axis == "x" else (0, 1 if way > 0 else -1)
                self.page.keyboard.press(KEYS[direction])
        assert self.page.evaluate("() => document.activeElement.dataset.space") == name

    def targets(self) -> set[str]:
        return {square for square, label in self.squares().items() if TARGET in label}

    def move(self, begin: str, end: str) -> None:
        """Makes a move and waits until the page shows it."""
        assert self.ready()
        self.choose(begin)
        assert end in self.targets(), f"{end} is no target of {begin}: {self.targets()}"
        self.choose(end)
        self.settle()

    def drag(self, begin: str, end: str) -> None:
        assert self.ready()
        self.square(begin).hover()
        self.page.mouse.down()
        self.square(end).hover()
        self.square(end).hover()
        self.page.mouse.up()
        self.settle()

    def settle(self) -> None:
        """Wait until the move is made and offers no further step; confirm if the page asks first."""

        def is_taken() -> bool:
            if self.do("confirm-move").count():
                self.do("confirm-move").click()
            return not self.targets()

        wait_for(self.page, is_taken, "the move being taken")
        self.moves += 1

    def play_turn(self, by_drag: bool = False) -> bool:
        """Play one turn by a simple plan: move towards the nearest enemy that is not known to be stronger. Return False
        if the match is over.
        """
        if not self.ready():
            return False
        squares = self.squares()
        for begin, wanted in plans(squares):
            self.choose(begin)
            offered = self.targets()
            end = wanted if wanted in offered else ""
            if end and by_drag:
                self.square(begin).click()
                self.drag(begin, end)
                return True
            if end:
                self.choose(end)
                self.settle()
                return True
        return self._any_turn(squares)

    def _any_turn(self, squares: dict[str, str]) -> bool:
        self.page.keyboard.press("Escape")
        for begin in [square for square, label in squares.items() if NEXT in label]:
            self.choose(begin)
            for end in sorted(self.targets()):
                self.choose(end)
                self.settle()
                return True
        raise AssertionError(f"no move is offered: {squares}")


def wait_for(page: Page, condition: Callable[[], Found], what: str = "what a test waits for") -> Found:
    """Let the page run until `condition` returns a true value, and return this value."""
    end, looks = time.monotonic() + PATIENCE, 0
    while not (found := condition()):
        looks += 1
        if time.monotonic() > end and looks > LEAST_LOOKS:
            said = " | ".join(page.locator("main").inner_text().split("\n"))
            raise AssertionError(f"{what}: does not come in {looks} looks, {page.url}: {said}")
        page.wait_for_timeout(30)
    return found


def place(name: str) -> tuple[int, int]:
    return FILES.index(name[0]), int(name[1:])


def near(name: str) -> list[str]:
    x, y = place(name)
    around = ((x, y + 1), (x - 1, y), (x + 1, y), (x, y - 1))
    return [f"{FILES[i]}{j}" for i, j in around if 0 <= i < len(FILES)]


def plans(squares: dict[str, str]) -> list[tuple[str, str]]:
    """Return moves that a simple player would make, the best first: (from, next square on the way)."""
    found = []
    for begin, label in squares.items():
        if NEXT in label:
            rank = next((value for name, value in RANKS.items() if name in label), 0)
            way = nearest(squares, begin, rank)
            # Weak pieces scout, the strongest ones follow, and the Spy stays at home.
            if way:
                found.append((len(way) + (5 if rank == 1 else 0), begin, way[0]))
    return [(begin, end) for _, begin, end in sorted(found)]


def nearest(squares: dict[str, str], begin: str, rank: int) -> list[str]:
    """Return the shortest way to an enemy worth attacking."""
    seen = {begin}
    queue: deque[tuple[str, list[str]]] = deque([(begin, [])])
    while queue:
        here, way = queue.popleft()
        for name in near(here):
            label = squares.get(name)
            if label is None or name in seen:
                continue
            seen.add(name)
            if "enemy" in label:
                if worth(label, rank):
                    return [*way, name]
            elif "empty" in label:
                queue.append((name, [*way, name]))
    return []


def worth(label: str, rank: int) -> bool:
    if "Bomb" in label:
        return rank == 3
    known = next((value for name, value in RANKS.items() if name in label), None)
    return known is None or known < rank


# ---- deployments -------------------------------------------------------------------------------------------------


def arranged(arrange: dict[str, Any], wanted: dict[str, str]) -> dict[str, str]:
    """Return a whole deployment: `wanted` faces on their squares, the rest in the army's order, empty ones last."""
    left = {piece["face"]: piece["count"] for piece in arrange["pieces"]}
    for face in wanted.values():
        left[face] -= 1
    assert min(left.values()) >= 0, f"too many of {[face for face, count in left.items() if count < 0]}"
    rest = [face for face, count in left.items() for _ in range(count)]
    rest.sort(key=lambda face: face == "")
    return {place: wanted.get(place) or (rest.pop(0) if place not in wanted else "") for place in arrange["places"]}


def text_of(variant: str, arrange: dict[str, Any], at: dict[str, str]) -> str:
    """Return the text of a deployment that the page accepts."""
    letters = {piece["face"]: piece["letter"] for piece in arrange["pieces"]}
    return f"{variant}:" + "".join(letters[at[place]] for place in arrange["places"])


def actions_of(arrange: dict[str, Any], at: dict[str, str]) -> list[int]:
    actions = {piece["face"]: piece["action"] for piece in arrange["pieces"]}
    return [actions[at[place]] for place in arrange["places"]]
