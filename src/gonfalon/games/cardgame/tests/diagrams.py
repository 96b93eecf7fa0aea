"""Positions, turns and results as text, so that the tests of the rules read like the rules.

Lines are written as `7 2 B S 4` with `.` for a gap, hands and piles as letters. Cards that are nowhere have left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import gonfalon
from gonfalon.engine.game import CHANCE, Game, IllegalActionError, State

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
    """The game; each set of switches is made once."""
    return gonfalon.make(variant, **switches)


def letters(faces: Iterable[str]) -> str:
    """Faces as letters, the Flag first, then Bombs, then by rank."""
    return "".join(sorted((LETTERS[face] for face in faces), key="FBM98765432S".index))


def without(deck: str, *others: str) -> str:
    """The cards of a deck that are in none of the others."""
    left = Counter(deck)
    left.subtract(Counter(letter for other in others for letter in other if letter in FACES))
    assert min(left.values()) >= 0, "more cards than the deck has"
    return "".join(left.elements())


@dataclass(frozen=True)
class Position:
    """A state of a game and the step that led to it."""

    game: Game
    state: State
    step: tuple[State, int, int] | None = None

    @property
    def actor(self) -> int:
        """The one who acts: a player or CHANCE; while both lay, red before blue."""
        return self.game.to_act(self.state)[0]

    @property
    def row(self) -> Any:
        """The fields of the state."""
        return self.state[0]

    @property
    def status(self) -> str:
        """What the actor is told of what is due; `drawing red` while a card is drawn."""
        line = self.game.scene(self.game.view(self.state, max(self.actor, 0))).status
        return f"{line.code} {line.args['side']}" if self.actor == CHANCE and line.args else line.code

    def play(self, *texts: str, player: int | None = None) -> Position:
        """The position after these actions, each by `player` or whoever is to act."""
        at = self
        for text in texts:
            who = at.actor if player is None else player
            view = at.game.view(at.state, max(who, 0))
            action = at.game.parse_action(view, text)
            # The text is what the engine calls the action.
            assert at.game.action_text(view, action) == text
            at = Position(at.game, at.game.apply(at.state, who, action), (at.state, who, action))
        return at

    def legal(self, begin: str = "", player: int | None = None) -> set[str]:
        """Texts of the legal actions that begin with `begin`, of the actor or of `player`."""
        who = self.actor if player is None else player
        view = self.game.view(self.state, who)
        texts = (self.game.action_text(view, int(a)) for a in self.game.legal_actions(self.state, who))
        return {text for text in texts if text.startswith(begin)}

    def draws(self) -> dict[str, float]:
        """The cards that may be drawn now, each with its probability."""
        actions, odds = self.game.chance_outcomes(self.state)
        view = self.game.view(self.state, RED)
        texts = (self.game.action_text(view, int(action)).removeprefix("draw ") for action in actions)
        return dict(zip(texts, odds.tolist(), strict=True))

    def refusal(self, text: str, player: int | None = None) -> str:
        """The code of the reason why the actor or `player` may not do this."""
        who = self.actor if player is None else player
        with pytest.raises(IllegalActionError) as caught:
            self.game.apply(self.state, who, self.game.parse_action(self.game.view(self.state, who), text))
        return caught.value.refusal.code

    def told(self, observer: int) -> list[str]:
        """The events of the last step, as `observer` is told them: code, then the values of the arguments."""
        assert self.step is not None
        before, player, action = self.step
        events = self.game.events(before, player, action, self.state, observer)
        return [" ".join((e.code, *(str(value) for value in e.args.values()))) for e in events]

    # ---- what an observer sees

    def line(self, side: int, observer: int) -> str:
        """A line as `observer` sees it: `7 2 ? . 4`."""
        faces = {t.place: t.face for t in self.scene(observer).tokens}
        spaces = [f"{'rb'[side]}{k}" for k in range(1, 6)]
        return " ".join(LETTERS.get(faces[space], "?") if space in faces else "." for space in spaces)

    def marks(self, side: int, observer: int) -> str:
        """The marks of a line's cards: `!` seen, `~` one of a group, `-` none, `.` a gap."""
        marks = {t.place: t.marks for t in self.scene(observer).tokens}
        signs = {(): "-", ("seen",): "!", ("among",): "~"}
        spaces = [f"{'rb'[side]}{k}" for k in range(1, 6)]
        return " ".join(signs[marks[space]] if space in marks else "." for space in spaces)

    def tray(self, kind: str, side: int, observer: int) -> str:
        """A hand, a pile or the lost cards of a side as letters, `?` for each card not seen."""
        (tray,) = [t for t in self.scene(observer).trays if (t.kind, t.side) == (kind, SIDES[side])]
        known = letters(item.face for item in tray.items if item.face for _ in range(item.count))
        hidden: int = sum(item.count for item in tray.items if not item.face)
        return known + "?" * hidden

    def hand(self, side: int, observer: int) -> str:
        return self.tray("hand", side, observer)

    def groups(self, observer: int) -> list[str]:
        """What the observer knows of several cards together: `b1 b4 hand: 63 of 4`."""
        return [
            f"{' '.join(place.split('.')[0] for place in group.places)}: {letters(group.faces) or '-'} of {group.count}"
            for group in self.scene(observer).groups
        ]

    def scene(self, observer: int) -> Any:
        return self.game.scene(self.game.view(self.state, observer))

    @property
    def ended(self) -> str:
        """How the match ended: "red flag", "blue no-attackers", "draw quiet"; "" while it goes on."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return ""
        red, blue = outcome.returns
        assert red == -blue
        return f"{'red' if red > 0 else 'blue' if blue > 0 else 'draw'} {outcome.reason}"


def dealt(red: str = "7SB42635", blue: str = "M9B33225", variant: str = "cardgame", **switches: Any) -> Position:
    """The position after the deal: eight cards each."""
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
    """A position. A pile that is not given holds all other cards of the deck. `lines`: more lines of the text form."""
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
