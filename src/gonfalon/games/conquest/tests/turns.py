"""Steps that several tests of the rules take."""

from __future__ import annotations

from collections.abc import Iterable

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import CHANCE
from gonfalon.games.conquest.state import SIDES
from gonfalon.games.conquest.tests.diagrams import ARMY, Position


def without_cards(at: Position) -> Position:
    """The position after the due cards are drawn and none is played."""
    while not at.ended and at.actor == CHANCE and at.phase.startswith("draw"):
        at = at.play("draw regroup" if "regroup" in at.draws() else f"draw {min(at.draws())}")
    return at.play("+none") if at.phase.startswith("card") else at


def moved(at: Position, *texts: str) -> Position:
    """The position after these moves, one after the other, by the player on turn. No cards are played."""
    for text in texts:
        at = without_cards(at).play(text)
    return at


def resigned(at: Position, player: int) -> Position:
    """The position after the player has resigned; `list_events` returns the events of it."""
    return Position(at.game, at.game.withdraw(at.state, player), (at.state, player, WITHDRAW))


def agreed(at: Position) -> Position:
    """The position after all have agreed on a draw."""
    return Position(at.game, at.game.agree_draw(at.state), (at.state, -1, AGREE))


def holders(at: Position) -> str:
    """Return the holder of each player's Flag: `red red green` for red, blue, green; `-` for nobody."""
    return " ".join(SIDES[h] if h < len(SIDES) else "-" for h in at.row["holder"].tolist()[: at.game.info.players])


def fallen(cells: str, away: Iterable[str] = "") -> str:
    """An army: these units on the map, all others in the reserve, where all saw them fall; `away` are no part of it."""
    rest = list(ARMY)
    for letter in [*_letters(cells), *away]:
        rest.remove(letter)
    return " ".join([cells, *(f"({letter})!" for letter in rest)])


def _letters(cells: str) -> list[str]:
    return [cell.strip("()[]<>!'")[-1] for cell in cells.split()]
