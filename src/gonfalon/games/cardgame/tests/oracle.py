"""A second, slow and plain version of the Card Game, written from the text of CG-1 to CG-14. It uses lists of letters,
no records and no kernels, and imports nothing of the rules.

A card is a letter; acts are the texts that players write (`r2xb4`, `r2?b1+b3`, `r5~`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

RANKS = {"S": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "M": 10}
NAMES = "rb"
CHANCE = -1


def stays(attacker: str, defender: str) -> tuple[bool, bool]:
    """Return whether the attacker and whether the defender stays in the game (CG-6 to CG-8, CG-13)."""
    if defender == "F" or (attacker, defender) in (("S", "M"), ("3", "B")):
        return True, False
    if defender == "B":
        return False, True
    return RANKS[attacker] > RANKS[defender], RANKS[attacker] < RANKS[defender]


@dataclass
class Player:
    pile: list[str]
    line: list[str] = field(default_factory=lambda: [""] * 5)
    hand: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    choice: list[str] = field(default_factory=list)
    """A lay in progress: for each gap, in order of places, a letter or "."."""

    def gaps(self) -> list[int]:
        return [k for k, card in enumerate(self.line) if not card]

    def has_chosen(self) -> bool:
        return len(self.choice) == len(self.gaps())

    def lays(self) -> set[str]:
        """Return the lays that are possible next. The player must lay as many cards as the hand has, on gaps of the
        player's choice (CG-4).
        """
        placed = [letter for letter in self.choice if letter != "."]
        left = Counter(self.hand) - Counter(placed)
        cards = min(len(self.gaps()), len(self.hand)) - len(placed)
        free = len(self.gaps()) - len(self.choice)
        return (set(left) if cards else set()) | ({"."} if free > cards else set())

    def lay(self) -> None:
        """Put the chosen cards into the line."""
        for k, letter in zip(self.gaps(), self.choice, strict=True):
            if letter != ".":
                self.hand.remove(letter)
                self.line[k] = letter
        self.choice = []

    def leave(self, k: int) -> None:
        self.lost.append(self.line[k])
        self.line[k] = ""


class Table:
    """Two players, who is on turn, and the step of the turn."""

    def __init__(self, deck: str, most_quiet: int = 60) -> None:
        self.players = [Player(list(deck)), Player(list(deck))]
        self.most_quiet = most_quiet
        self.step = "deal"
        self.mover, self.turns, self.quiet = 0, 0, 0
        self.is_anew = False
        self.ended = ""

    # ---- who may do what

    def able(self) -> tuple[int, ...]:
        if self.ended:
            return ()
        if self.step in ("deal", "draw"):
            return (CHANCE,)
        if self.step == "first lay":
            return tuple(side for side in range(2) if not self.players[side].has_chosen())
        return (self.mover,)

    def draws(self) -> dict[str, float]:
        """Return the possible draws. Each card of a pile is equally likely to be on top (CG-2, CG-3)."""
        pile = self.players[self.mover].pile
        return {letter: count / len(pile) for letter, count in Counter(pile).items()}

    def legal(self, side: int) -> set[str]:
        if side not in self.able():
            return set()
        return self.acts(side) if self.step == "act" else self.players[side].lays()

    def acts(self, side: int) -> set[str]:
        """Return all attacks, looks and tricks of a side (CG-6 to CG-10)."""
        found = set()
        own, enemy = NAMES[side], NAMES[1 - side]
        targets = [f"{enemy}{k + 1}" for k, card in enumerate(self.players[1 - side].line) if card]
        looks = targets if len(targets) == 1 else ["+".join(pair) for pair in combinations(targets, 2)]
        for k, card in enumerate(self.players[side].line):
            if card in RANKS:
                found |= {f"{own}{k + 1}x{target}" for target in targets}
            if card == "S":
                found.add(f"{own}{k + 1}?")
            elif card == "2":
                found |= {f"{own}{k + 1}?{look}" for look in looks}
            elif card == "F":
                found.add(f"{own}{k + 1}~")
        return found

    # ---- doing it

    def play(self, side: int, text: str) -> None:
        if side == CHANCE:
            self.draw(text.removeprefix("draw "))
        elif self.step in ("first lay", "lay"):
            self.players[side].choice.append(text)
            self.close(side)
        else:
            self.act(self.players[side], text)

    def draw(self, letter: str) -> None:
        player = self.players[self.mover]
        player.pile.remove(letter)
        player.hand.append(letter)
        self.first_step()

    def first_step(self) -> None:
        """Let chance draw until the hand is full or the pile empty, then begin the next step (CG-2, CG-4, CG-5,
        CG-10).
        """
        player = self.players[self.mover]
        enough = 8 if self.step == "deal" or self.is_anew else 3
        if len(player.hand) < enough and player.pile:
            self.step = "deal" if self.step == "deal" else "draw"
        elif self.step == "deal" and self.mover == 0:
            self.mover = 1
        elif self.step == "deal":
            self.mover, self.step = 0, "first lay"
        elif self.is_anew:
            self.step = "lay"
        else:
            self.second_step()

    def second_step(self) -> None:
        self.step = "act"
        if not set(self.players[self.mover].line) & set(RANKS):
            self.ended = f"{('blue', 'red')[self.mover]} no-attackers"

    def act(self, player: Player, text: str) -> None:
        if "x" in text:
            self.attack(player, self.players[1 - self.mover], int(text[1]) - 1, int(text[4]) - 1)
        elif "~" in text:
            self.trick(player)
        else:
            self.quiet += 1
            self.third_step(player)

    def attack(self, player: Player, other: Player, own: int, enemy: int) -> None:
        attacker_stays, defender_stays = stays(player.line[own], other.line[enemy])
        is_won = other.line[enemy] == "F"
        self.quiet = 0
        if not attacker_stays:
            player.leave(own)
        if not defender_stays:
            other.leave(enemy)
        if is_won:
            self.ended = f"{('red', 'blue')[self.mover]} flag"
            self.turns += 1
        else:
            self.third_step(player)

    def trick(self, player: Player) -> None:
        """Shuffle all cards that are left and deal them anew; laying them ends the turn (CG-10)."""
        player.pile += [*player.hand, *(card for card in player.line if card)]
        player.hand, player.line = [], [""] * 5
        self.quiet += 1
        self.is_anew = True
        self.first_step()

    def third_step(self, player: Player) -> None:
        if player.hand and player.gaps():
            self.step = "lay"
        else:
            self.end_turn()

    def close(self, side: int) -> None:
        if not self.players[side].has_chosen():
            return
        if self.step == "lay":
            self.players[side].lay()
            self.end_turn()
        elif all(player.has_chosen() for player in self.players):
            for player in self.players:
                player.lay()
            self.step = "draw"
            self.first_step()

    def end_turn(self) -> None:
        self.turns += 1
        self.is_anew = False
        self.mover = 1 - self.mover
        if self.quiet >= self.most_quiet:
            self.ended = "draw quiet"
        else:
            self.step = "draw"
            self.first_step()
