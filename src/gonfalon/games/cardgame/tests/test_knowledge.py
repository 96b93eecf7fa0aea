"""CG-9: what a view says about hidden cards, compared with all worlds that the observer cannot exclude
(`worlds.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import cast

import msgspec
import numpy as np
import pytest

from gonfalon import games
from gonfalon.engine.game import CHANCE, PUBLIC, Game
from gonfalon.games.cardgame.game import CardGame
from gonfalon.games.cardgame.tests.diagrams import BLUE, FACES, LETTERS, RED, SIDES, Position
from gonfalon.games.cardgame.tests.worlds import Worlds, place_of

CODES = ".S23456789MBF"
SIDE_PLACES = 13
WATCHED = ((RED, BLUE), (BLUE, RED), (PUBLIC, RED), (PUBLIC, BLUE))
"""Observers, each with the owner of the cards observed."""


def small_game(deck: str) -> Game:
    """Return the Card Game with a small deck."""
    ruleset = games.ruleset("cardgame")
    counts = {FACES[letter]: deck.count(letter) for letter in set(deck)}
    data = {**ruleset.data, "deck": {"name": "small", **counts}}
    return cast("Game", CardGame(msgspec.structs.replace(ruleset, data=data)))


def step(at: Position, rng: np.random.Generator) -> Position:
    """Take a random step. Half of the acts are attacks, most of the rest looks at the hand; tricks are rare."""
    player = int(rng.choice(at.game.to_act(at.state)))
    if player == CHANCE:
        actions, odds = at.game.chance_outcomes(at.state)
        action = int(rng.choice(actions, p=odds))
    else:
        view = at.game.view(at.state, player)
        texts = {at.game.action_text(view, int(a)): int(a) for a in at.game.legal_actions(at.state, player)}
        wanted = "x" if (lot := rng.random()) < 0.5 else "? " if lot < 0.9 else "?" if lot < 0.98 else "~"
        chosen = [text for text in texts if wanted in f"{text} "]
        action = texts[str(rng.choice(chosen or list(texts)))]
    return Position(at.game, at.game.apply(at.state, player, action), (at.state, player, action))


def list_events(at: Position, observer: int) -> tuple:  # type: ignore[type-arg]
    assert at.step is not None
    return at.game.events(at.step[2], at.state, observer)


def line_of(at: Position, side: int, observer: int) -> list[str]:
    return at.line(side, observer).split()


def check_sound(at: Position, worlds: Worlds, observer: int) -> None:
    """Check that every fact that the view shows is true in every world."""
    side = worlds.side
    view = at.game.view(at.state, observer)
    for place, shown in enumerate(line_of(at, side, observer)):
        types = worlds.types_at(place)
        assert shown == "?" or types == {shown.replace(".", "")}, (place, shown, types)
        excluded = int(view.ruled_out[side * SIDE_PLACES + place])
        assert not any(excluded >> CODES.index(letter) & 1 for letter in types if letter), (place, types)
    hand = at.hand(side, observer)
    if hand and "?" not in hand:
        assert worlds.hands() == {tuple(sorted(hand))}
    for group in at.scene(observer).groups:
        if group.side == SIDES[side]:
            places = [place_of(space) for space in group.places if "." not in space]
            faces = Counter(LETTERS[face] for face in group.faces)
            for cards in worlds.among(places, f"hand.{SIDES[side]}" in group.places):
                assert len(cards) == group.count
                assert not faces - Counter(cards), group


def check_complete(at: Position, worlds: Worlds, observer: int) -> None:
    """Check that a view shows every fact that follows from seen cards alone, without counting the deck.

    Players have to draw finer conclusions themselves. Cards in a group of which not all types are known are not
    checked, since after a draw more may follow for them.
    """
    side = worlds.side
    blurred = {space for group in at.scene(observer).groups if len(group.faces) < group.count for space in group.places}
    for place, shown in enumerate(line_of(at, side, observer)):
        types = worlds.types_at(place)
        if len(types) == 1 and f"{SIDES[side][0]}{place + 1}" not in blurred:
            assert shown == (*types,)[0] or (shown, types) == (".", {""}), (place, shown, types)
    (hand, *others) = worlds.hands()
    if hand and not others and f"hand.{SIDES[side]}" not in blurred:
        assert at.hand(side, observer) == "".join(sorted(hand, key="FBM98765432S".index))


def matches(deck: str, seed: int, steps: int, *, counts_cards: bool) -> Counter[str]:
    """Play random matches and check everything. Return how often each kind of knowledge occurred."""
    game, rng = small_game(deck), np.random.default_rng(seed)
    seen: Counter[str] = Counter()
    while steps > 0:
        at = Position(game, game.initial_state())
        watchers = [(o, Worlds(deck, side, counts_cards=counts_cards)) for o, side in WATCHED]
        while not at.ended and steps > 0:
            at = step(at, rng)
            steps -= 1
            for observer, worlds in watchers:
                worlds.hear(list_events(at, observer))
                check_sound(at, worlds, observer)
                if not counts_cards:
                    check_complete(at, worlds, observer)
                seen["group"] += bool(at.scene(observer).groups)
                seen["known"] += "!" in at.marks(worlds.side, observer)
                seen["ruled out"] += bool(at.game.view(at.state, observer).ruled_out.any())
            check_owner(at)
    return seen


def check_owner(at: Position) -> None:
    """Check that the marks on each player's own cards show what the opponent knows."""
    for side in (RED, BLUE):
        own, shown = at.marks(side, side).split(), at.marks(side, 1 - side).split()
        assert all(mine == other for mine, other in zip(own, shown, strict=True) if other != "."), "a lay apart"


@pytest.mark.parametrize(("deck", "seed"), [("FSSS2222333", 1), ("FSSS2222333", 3), ("FSS2222BBB", 3)])
def test_cg_9_what_is_shown_holds_in_every_world(deck: str, seed: int) -> None:
    seen = matches(deck, seed, steps=150, counts_cards=True)
    assert min(seen["group"], seen["known"], seen["ruled out"]) > 0


@pytest.mark.parametrize("seed", range(3))
def test_cg_9_what_follows_from_what_was_seen_is_shown(seed: int) -> None:
    seen = matches("FSSS22222222", seed, steps=150, counts_cards=False)
    assert min(seen["group"], seen["known"]) > 0
