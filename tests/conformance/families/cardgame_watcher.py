"""Follows the observers' knowledge of the cards, by CG-3, CG-6, CG-9 and CG-10, only from the steps of the match."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass

from conformance.cases import Step
from conformance.families.books import Book, Pool
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import Game, State
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES

PUBLIC_BOOK = 2
SPACES = tuple(f"{letter}{k + 1}" for letter in "rb" for k in range(5))


@dataclass(eq=False)
class Card:
    """One card outside the piles."""

    side: int
    kind: int


class CardBook(Book[Card]):
    """Knowledge of one observer about the cards of another side."""

    def __init__(self) -> None:
        super().__init__(g.TYPES)

    def draw(self, hand: list[Card], drawn: Card) -> None:
        """Add an unknown card to the hand. What was known of the hand as a set stays known of the set."""
        if any(self.pool_of(card) is not None for card in hand):
            pools = self.close(hand)
            for card in hand:
                self.excluded.pop(card, None)
            self.join(pools, [*hand, drawn])


class CardWatcher:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.lines: list[list[Card | None]] = [[None] * g.LINE, [None] * g.LINE]
        self.hands: list[list[Card]] = [[], []]
        self.books = [CardBook(), CardBook(), CardBook()]
        self.started = False
        self._public: set[int] = set()
        self._private: list[set[int]] = [set(), set()]

    def copy(self) -> CardWatcher:
        return copy.deepcopy(self)

    def book(self, observer: int) -> CardBook:
        return self.books[observer if observer in (0, 1) else PUBLIC_BOOK]

    def others(self, side: int) -> tuple[CardBook, CardBook]:
        """Return the books about the side's cards."""
        return self.books[1 - side], self.books[PUBLIC_BOOK]

    # ---- following

    def see(self, step: Step) -> None:
        self._public, self._private = set(), [set(), set()]
        action, side = step.action, int(step.before["mover"][0])
        if action == WITHDRAW:
            return
        if action >= g.ACT_DRAW:
            self._draw(side, action - g.ACT_DRAW)
        elif action < g.ACT_ATTACK:
            self._private[step.player].add(action - g.ACT_LAY)
            self._close(step)
        elif action < g.ACT_LOOK_HAND:
            self._attack(step, side, *divmod(action - g.ACT_ATTACK, g.LINE))
        elif action < g.ACT_LOOK_LINE:
            self._show(side, action - g.ACT_LOOK_HAND)
            self.books[side].see_set(self.hands[1 - side])
            self._private[side] |= {card.kind for card in self.hands[1 - side]}
        elif action < g.ACT_TRICK:
            own, look = divmod(action - g.ACT_LOOK_LINE, g.LOOKS)
            self._show(side, own)
            for k in g.PAIRS[look] if look < len(g.PAIRS) else (look - len(g.PAIRS),):
                card = self._at(1 - side, k)
                self.books[side].see(card)
                self._private[side].add(card.kind)
        else:
            self._trick(side)

    def _at(self, side: int, k: int) -> Card:
        card = self.lines[side][k]
        assert card is not None
        return card

    def _draw(self, side: int, kind: int) -> None:
        card = Card(side, kind)
        for book in self.others(side):
            book.draw(self.hands[side], card)
        self.hands[side].append(card)
        self._private[side].add(kind)

    def _show(self, side: int, k: int) -> None:
        card = self._at(side, k)
        self._public.add(card.kind)
        for book in self.others(side):
            book.see(card)

    def _attack(self, step: Step, side: int, own: int, enemy: int) -> None:
        self._show(side, own)
        self._show(1 - side, enemy)
        for who, k in ((side, own), (1 - side, enemy)):
            if int(step.after["lost"][0][who].sum()) > int(step.before["lost"][0][who].sum()):
                for book in self.others(who):
                    book.forget(self._at(who, k))
                self.lines[who][k] = None

    def _trick(self, side: int) -> None:
        for card in (*self.hands[side], *(card for card in self.lines[side] if card)):
            for book in self.others(side):
                book.forget(card)
        self.hands[side], self.lines[side] = [], [None] * g.LINE

    def _close(self, step: Step) -> None:
        """Put the cards of a choice that this step completes into the line; at the start of play, the cards of both
        sides.
        """
        if not step.after["started"][0]:
            return
        sides = (0, 1) if not step.before["started"][0] else (step.player,)
        for side in sides:
            if step.before["started"][0] and self.game.is_open(step.after, side):
                continue
            for k in range(g.LINE):
                kind = int(step.after["kind"][0][side * g.SIDE_PLACES + k])
                if kind and self.lines[side][k] is None:
                    card = next(card for card in self.hands[side] if card.kind == kind)
                    self.hands[side].remove(card)
                    self.lines[side][k] = card
        self.started = True

    # ---- asking

    def known(self, card: Card, observer: int) -> int:
        """Return the card's type if the observer knows it, else 0."""
        return card.kind if card.side == observer else self.book(observer).kind_of(card)

    def hand_is_known(self, side: int, observer: int) -> bool:
        """Return whether the observer knows the whole hand, as a set."""
        hand = self.hands[side]
        if side == observer or not hand:
            return True
        if all(self.known(card, observer) for card in hand):
            return True
        pool = self.book(observer).pool_of(hand[0])
        return pool is not None and pool.is_closed and set(map(id, pool.members)) == set(map(id, hand))

    def faces(self, state: State, observer: int) -> dict[str, str]:
        found = {}
        for side in range(2):
            laid = state["laid"][0][side].tolist() if side == observer else [0] * g.LINE
            for k, card in enumerate(self.lines[side]):
                space = SPACES[side * g.LINE + k]
                if card is not None:
                    found[space] = TYPES[self.known(card, observer)]
                elif laid[k]:
                    found[space] = TYPES[laid[k]]
        return found

    def mentions(self, state: State, observer: int) -> Counter[str]:
        show = bool(self.game.info.ruleset.values["show_known"])
        letter = "rb"[observer] if observer in (0, 1) else "-"
        faces = self.faces(state, observer)
        found = Counter(face for space, face in faces.items() if face and (show or space.startswith(letter)))
        for side in range(2):
            for kind in self._hand_tray(state, side, observer, show):
                found[TYPES[kind]] += 2  # counted twice: the item's id and its face
            for kind, count in enumerate(state["lost"][0][side].tolist()):
                found[TYPES[kind]] += 2 if count else 0
        if observer in (0, 1) and len(self.game.legal_actions(state, observer)) and state["phase"][0] == g.LAY:
            found.update(TYPES[kind] for kind in self._hand_tray(state, observer, observer, show))
        if show:
            found.update(TYPES[kind] for pool in self.groups(observer) for kind in pool.known.elements())
        return Counter({face: count for face, count in found.items() if face and count})

    def _hand_tray(self, state: State, side: int, observer: int, show: bool) -> set[int]:
        if side != observer and not (show and self.hand_is_known(side, observer)):
            return set()
        left = Counter(card.kind for card in self.hands[side])
        if side == observer:
            left -= Counter(kind for kind in state["laid"][0][side].tolist() if kind)
        return set(left)

    def groups(self, observer: int) -> list[Pool[Card]]:
        """Return the pools of several cards. A pool whose cards are all known is not among them."""
        found = []
        for pool in self.book(observer).pools:
            side = pool.members[0].side
            whole_hand = all(card in self.hands[side] for card in pool.members) and self.hand_is_known(side, observer)
            if not pool.is_exact and not whole_hand:
                found.append(pool)
        return found

    def tellable(self, observer: int) -> set[str]:
        kinds = self._public | (self._private[observer] if observer in (0, 1) else set())
        return {TYPES[kind] for kind in kinds if kind}
