"""All worlds of one side's cards that are possible for an observer who has seen certain events.

A world is a line, a hand and a pile. Each event removes worlds and makes new ones. With `counts_cards` only cards of
the deck that are left are possible; without it any card may be of any type of the deck, so that only seen cards allow
conclusions. The module imports nothing of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from gonfalon.engine.events import Event
from gonfalon.games.cardgame.tests.diagrams import LETTERS, SIDES

World = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Line (with "" for a gap), hand and pile; hand and pile are sorted."""
EMPTY = ("",) * 5


def minus(cards: tuple[str, ...], gone: Iterable[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def put(line: tuple[str, ...], places: Iterable[int], cards: Iterable[str]) -> tuple[str, ...]:
    new = list(line)
    for place, card in zip(places, cards, strict=True):
        new[place] = card
    return tuple(new)


class Worlds:
    def __init__(self, deck: str, side: int, *, counts_cards: bool) -> None:
        self.side, self.counts_cards = side, counts_cards
        self.types = tuple(sorted(set(deck)))
        pile = tuple(sorted(deck)) if counts_cards else ()
        self.all: set[World] = {(EMPTY, (), pile)}

    # ---- being told

    def hear(self, events: tuple[Event, ...]) -> None:
        """Update the worlds by the events of one step, as the observer sees them."""
        for event in events:
            args = event.args
            own = args.get("side") == SIDES[self.side]
            if event.code.startswith("battle-"):
                self._battle(event.code, args, own)
            elif event.code == "start":
                self._lay(range(5))
            elif own and event.code in ("drew-hidden", "laid", "revealed", "saw", "trick"):
                self._hear(event.code, args)
        seen = [event for event in events if event.code == "saw-hand" and event.args["side"] == SIDES[self.side]]
        if seen:
            hand = tuple(sorted(LETTERS[event.args["face"]] for event in seen))
            self.all = {world for world in self.all if world[1] == hand}
        assert self.all, "the true world is always among them"

    def _hear(self, code: str, args: dict[str, object]) -> None:
        match code:
            case "drew-hidden":
                self.all = set(self._drawn())
            case "laid":
                spaces = args["spaces"]
                assert isinstance(spaces, list)
                self._lay([place_of(space) for space in spaces])
            case "trick":
                self._is(str(args["space"]), "flag")
                self.all = {
                    (EMPTY, (), tuple(sorted((*filter(None, line), *hand, *pile)))) for line, hand, pile in self.all
                }
                if not self.counts_cards:
                    self.all = {(EMPTY, (), ())}
            case _:
                self._is(str(args["space"]), str(args["face"]))

    def _drawn(self) -> Iterator[World]:
        for line, hand, pile in self.all:
            for card in set(pile) if self.counts_cards else self.types:
                yield line, tuple(sorted((*hand, card))), minus(pile, card if self.counts_cards else "")

    def _lay(self, places: Iterable[int]) -> None:
        """Lay any cards of the hand on these places, in any order."""
        places = list(places)
        self.all = {
            (put(line, places, cards), minus(hand, cards), pile)
            for line, hand, pile in self.all
            for cards in set(permutations(hand, len(places)))
        }

    def _is(self, space: str, face: str) -> None:
        self.all = {world for world in self.all if world[0][place_of(space)] == LETTERS[face]}

    def _battle(self, code: str, args: dict[str, str], own: bool) -> None:
        space, face = (args["from"], args["attacker_face"]) if own else (args["space"], args["defender_face"])
        self._is(space, face)
        if code in ("battle-both", "battle-lost" if own else "battle-won"):
            self.all = {(put(line, [place_of(space)], [""]), hand, pile) for line, hand, pile in self.all}

    # ---- being asked

    def types_at(self, place: int) -> set[str]:
        """Return the possible types of the card on a place of the line."""
        return {line[place] for line, _, _ in self.all}

    def hands(self) -> set[tuple[str, ...]]:
        return {hand for _, hand, _ in self.all}

    def among(self, places: list[int], with_hand: bool) -> Iterator[list[str]]:
        """Yield for each world the cards on these places of the line, with those of the hand if asked."""
        for line, hand, _ in self.all:
            yield [*(line[place] for place in places), *(hand if with_hand else ())]


def place_of(space: str) -> int:
    return int(space[1]) - 1
