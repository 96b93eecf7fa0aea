"""Positions, turns and results as text, so that the tests of the rules read like the rules.

Lines are written as `7 2 B S 4` with `.` for a gap, hands and piles as letters. Cards that are in no line, hand or pile
have left the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import gonfalon
from diagram import Diagram
from gonfalon.engine.game import CHANCE, Game

RED, BLUE = 0, 1
SIDES = ("red", "blue")
FACES = {
    "S": "spy", "2": "scout", "3": "miner", "4": "sergeant", "5": "lieutenant", "6": "captain", "7": "major",
    "8": "colonel", "9": "general", "M": "marshal", "B": "bomb", "F": "flag",
}  # fmt: skip
LETTERS = {face: letter for letter, face in FACES.items()}
STANDARD = "FBBBM98766554433332222S"
SERGEANTS = "FBBBM98766554443332222S"
DECKS = {"cardgame": STANDARD, "cardgame-sergeants": SERGEANTS}


@cache
def make(variant: str = "cardgame", **switches: bool | int) -> Game:
    """Return the game; each set of switches is made only once."""
    return gonfalon.make(variant, **switches)


def letters(faces: Iterable[str]) -> str:
    """Return faces as letters: the Flag first, then Bombs, then by rank."""
    return "".join(sorted((LETTERS[face] for face in faces), key="FBM98765432S".index))


def without(deck: str, *others: str) -> str:
    """Return the cards of a deck that are in none of the other lists."""
    left = Counter(deck)
    left.subtract(Counter(letter for other in others for letter in other if letter in FACES))
    assert min(left.values()) >= 0, "more cards than the deck has"
    return "".join(left.elements())


class Position(Diagram):
    """A position of the Card Game with readable access to lines, hands and piles."""

    @property
    def status(self) -> str:
        """The status that the actor sees, such as `act`; `drawing red` while chance draws a card."""
        line = self.scene(max(self.actor, 0)).status
        return f"{line.code} {line.args['side']}" if self.actor == CHANCE and line.args else line.code

    # ---- what an observer sees

    def line(self, side: int, observer: int) -> str:
        """Return a line as `observer` sees it: `7 2 ? . 4`."""
        faces = {t.place: t.face for t in self.scene(observer).tokens}
        spaces = [f"{'rb'[side]}{k}" for k in range(1, 6)]
        return " ".join(LETTERS.get(faces[space], "?") if space in faces else "." for space in spaces)

    def marks(self, side: int, observer: int) -> str:
        """Return the marks of a line's cards: `!` seen, `~` one of a group, `-` none, `.` a gap."""
        marks = {t.place: t.marks for t in self.scene(observer).tokens}
        signs = {(): "-", ("seen",): "!", ("among",): "~"}
        spaces = [f"{'rb'[side]}{k}" for k in range(1, 6)]
        return " ".join(signs[marks[space]] if space in marks else "." for space in spaces)

    def tray(self, kind: str, side: int, observer: int) -> str:
        """Return a hand, a pile or the lost cards of a side as letters, `?` for each card not seen."""
        (tray,) = [t for t in self.scene(observer).trays if (t.kind, t.side) == (kind, SIDES[side])]
        known = letters(item.face for item in tray.items if item.face for _ in range(item.count))
        hidden: int = sum(item.count for item in tray.items if not item.face)
        return known + "?" * hidden

    def hand(self, side: int, observer: int) -> str:
        return self.tray("hand", side, observer)

    def groups(self, observer: int) -> list[str]:
        """Return each group of cards that the observer knows only together: `b1 b4 hand: 63 of 4`."""
        return [
            f"{' '.join(place.split('.')[0] for place in group.places)}: {letters(group.faces) or '-'} of {group.count}"
            for group in self.scene(observer).groups
        ]


def dealt(red: str = "7SB42635", blue: str = "M9B33225", variant: str = "cardgame", **switches: Any) -> Position:
    """Return the position after the deal of eight cards to each side."""
    game = make(variant, **switches)
    return Position(game, game.initial_state()).play(*(f"draw {letter}" for letter in red + blue))


def position(
    red: str,
    blue: str,
    *,
    red_hand: str = "-",
    blue_hand: str = "-",
    red_pile: str | None = None,
    blue_pile: str | None = None,
    phase: str = "act red",
    quiet: int | None = None,
    turn: int | None = None,
    lines: str = "",
    variant: str = "cardgame",
    **switches: Any,
) -> Position:
    """Return a position. A pile that is not given holds all other cards of the deck. `lines`: more lines of the text
    form.
    """
    game, deck = make(variant, **switches), DECKS[variant]
    odd = phase.split()[1] == "blue"
    lost = red_pile is not None or blue_pile is not None
    red_pile = without(deck, red, red_hand) if red_pile is None else red_pile
    blue_pile = without(deck, blue, blue_hand) if blue_pile is None else blue_pile
    turn = (60 if lost else 2) + odd if turn is None else turn
    quiet = (0 if lost else turn) if quiet is None else quiet
    text = f"""{variant}
        turn {turn} quiet {quiet}
        phase {phase}
        red line {red}
        red hand {red_hand}
        red pile {red_pile or "-"}
        blue line {blue}
        blue hand {blue_hand}
        blue pile {blue_pile or "-"}
        {lines}"""
    return Position(game, game.parse_state(text))
