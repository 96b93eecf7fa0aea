"""A person at a table of cards: lays cards from the hand, attacks, looks, does the trick."""

from __future__ import annotations

import json
import re
from pathlib import Path

import gonfalon.games.cardgame
from server.harness import Client, Match, Server
from web.setting import deploy, scripted
from web.table import NEXT, RANKS, Table

WORDS: dict[str, str] = json.loads(
    (Path(gonfalon.games.cardgame.__file__).parent / "screen" / "messages" / "en.json").read_text(encoding="utf-8")
)
RANK = {name.lower(): rank for name, rank in RANKS.items()}
MOST_DEALS = 400


def said(code: str, **args: str) -> str:
    """Return a sentence of the family's catalogue as a pattern. Arguments that are not given match anything."""
    parts = re.split(r"\{(\w+)(?::\w+)?\}", WORDS[code])
    return "".join(re.escape(part) if k % 2 == 0 else args.get(part, ".*") for k, part in enumerate(parts))


class CardTable(Table):
    """One page with a table of cards on it."""

    def _due(self) -> str:
        """Return the due decision: `act`, `lay` or `over`; empty while no decision is due."""
        if self.over():
            return "over"
        if self.do("ready").count():
            return "lay"
        return "act" if any(NEXT in label for label in self.squares().values()) else ""

    def faces(self) -> list[str]:
        """Return the faces of the hand that are left to lay."""
        shown = self.page.locator('[data-face]:not([aria-disabled="true"])').all()
        return [button.get_attribute("data-face") or "" for button in shown]

    def gaps(self) -> list[str]:
        return [name for name, label in self.squares().items() if "gap" in label]

    def lay(self, wanted: dict[str, str] | None = None, by_drag: bool = False) -> None:
        """Lay the `wanted` faces by place, then the remaining ones, and press Ready."""
        for place, face in (wanted or {}).items():
            self.put(face, place, by_drag)
        places = [name for name in self.gaps() if name[0] == self.side()]
        while not self.do("ready").is_enabled():
            self.put(self.faces()[0], places.pop(0), by_drag)
        self.do("ready").click()
        self.do("ready").wait_for(state="detached")

    def put(self, face: str, place: str, by_drag: bool = False) -> None:
        card = self.page.locator(f'[data-face="{face}"]')
        if by_drag:
            card.drag_to(self.square(place))
        else:
            card.click()
            # With a single gap, the player need not choose it.
            if "gap" in self.squares()[place]:
                self.choose(place)
        assert "your" in self.squares()[place]

    def side(self) -> str:
        """Return the first letter of the own places. The near line comes last in the page's order."""
        return list(self.squares())[-1][0]

    def button(self, name: str) -> None:
        self.page.locator(f'[data-button="{name}"]').click()

    def hint(self) -> str:
        return self.page.locator(".next .hints").inner_text()

    def hand(self, side: str) -> str:
        """Return the words for screen readers of a hand and a pile."""
        return self.page.locator(f'[data-hand="{side}"] .hidden-text').first.inner_text()

    def attack_somewhere(self, by_drag: bool = False) -> None:
        """Attack with the strongest card of the line the first enemy card that is not known to be stronger."""
        squares = self.squares()
        own = [name for name, label in squares.items() if NEXT in label]
        begin = max(own, key=lambda name: next((r for n, r in RANKS.items() if n in squares[name]), 0))
        if by_drag:
            self.drag(begin, next(name for name, label in squares.items() if "enemy" in label))
            return
        self.choose(begin)
        targets = sorted(self.targets(), key=lambda name: any(n in squares[name] for n in (*RANKS, "Bomb")))
        if targets:
            self.choose(targets[0])
        else:
            self.button("do.trick")
        self.settle()


# ---- a deal in which everything can be tried ---------------------------------------------------------------------


def dealt(server: Server) -> tuple[Match, Client, str, str]:
    """Return a match in which Red has Spy, Scout, Flag and a card that beats one of Blue's: (match, Blue, both)."""
    for _ in range(MOST_DEALS):
        match = server.match(variant="cardgame")
        red, blue = match.both()
        own, enemy = held(red), held(blue)
        strong = next((face for face in own if RANK.get(face, 0) >= RANK["captain"]), "")
        weak = next((face for face in enemy if face in ("miner", "scout", "sergeant")), "")
        left(server, red)
        # Blue keeps its lowest cards. A hand of three equal cards would be completely known.
        kept = {face for face in enemy[-3:] if face != weak}
        if {"spy", "scout", "flag"} <= set(own) and strong and weak and len(kept) > 1:
            return match, blue, strong, weak
        left(server, blue)
    raise AssertionError("no such cards in all these deals")


def held(client: Client) -> list[str]:
    """Return the faces to lay, the strongest first."""
    return [piece["face"] for piece in client.scene["arrange"]["pieces"] for _ in range(piece["count"])]


def left(server: Server, client: Client) -> None:
    client.close()
    server.clients.remove(client)


def answer(client: Client, *path: str) -> None:
    """Make a decision of the scripted side: the choice with this path, and the cards for its gaps."""
    scripted(client, *path)
    client.quiet()
    if client.scene["arrange"]:
        deploy(client, {})
