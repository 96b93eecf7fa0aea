"""Steps that several tests of the rules take."""

from __future__ import annotations

from collections.abc import Iterable

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import CHANCE
from gonfalon.games.conquest.state import SIDES
from gonfalon.games.conquest.tests.diagrams import ARMY, Position


def without_cards(at: Position) -> Position:
    """Draw all cards that are due and play none; return the position."""
    while not at.ended and at.actor == CHANCE and at.phase.startswith("draw"):
        at = at.play("draw regroup" if "regroup" in at.draws() else f"draw {min(at.draws())}")
    return at.play("+none") if at.phase.startswith("card") else at


def moved(at: Position, *texts: str) -> Position:
    """Make these moves one after the other, each by the player on turn, without playing cards; return the position."""
    for text in texts:
        at = without_cards(at).play(text)
    return at


def resigned(at: Position, player: int) -> Position:
    """Return the position after the player has resigned; its `list_events` returns the events of the resignation."""
    return Position(at.game, at.game.withdraw(at.state, player), (at.state, player, WITHDRAW))


def agreed(at: Position) -> Position:
    """Return the position after all players have agreed on a draw."""
    return Position(at.game, at.game.agree_draw(at.state), (at.state, -1, AGREE))


def holders(at: Position) -> str:
    """Return the holder of each player's Flag: `red red green` for red, blue, green; `-` for no holder."""
    return " ".join(SIDES[h] if h < len(SIDES) else "-" for h in at.row["holder"].tolist()[: at.game.info.players])


def fallen(cells: str, away: Iterable[str] = "") -> str:
    """Return the cells of an army: these units on the map, and all others in the reserve, where all observers saw them
    fall. Units of `away` are left out.
    """
    rest = list(ARMY)
    for letter in [*_letters(cells), *away]:
        rest.remove(letter)
    return " ".join([cells, *(f"({letter})!" for letter in rest)])


def _letters(cells: str) -> list[str]:
    return [cell.strip("()[]<>!'")[-1] for cell in cells.split()]
