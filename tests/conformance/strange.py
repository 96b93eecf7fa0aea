"""Texts similar to those of positions, and everything that can be done with the ones that are accepted.

`NUMBA_BOUNDSCHECK=1 python -m conformance.strange 20000 special duel` tries this number of texts of each of these
variants and prints how many were accepted. It stops at the first text that causes an error and prints it. Run it in
`tests/`, with a separate `NUMBA_CACHE_DIR`.
"""

from __future__ import annotations

import sys
from itertools import chain

import numpy as np

from conformance.cases import (
    RESIGNING,
    Case,
    all_observers,
    cases_of,
    game_of,
    pick,
    positions,
    possible,
    remaining,
)
from gonfalon.engine.game import EVERYTHING, Game, State, TextError

WORDS = """
    turn quiet past placed phase now over arrived fight ruled_out chase heal rescues apple_used sword apple gone deploy
    red blue nobody flag spy heal-place rescue-place target 0 1 2 7 12 200 255 256 65536 -1 a1 j10 k0 ~~ .. rF bM'
    rS! r2^ a1-a2 a1xa2+ --* d3*c3+e3 decline line hand pile among only act lay draw deal anew both resigned r1xb1
    b1=M (M) M! 3? lots draft card aim order guess unit raise move green ochre public seen not only all chosen owner
    control kf kf1 kf2! lk3' red.5 kf1=XF regroup traitor +none @kf1 ?king holder reserve pile table discard
"""
VOCABULARY = tuple(WORDS.split())
NUMBERS = (0, 1, 2, 3, 5, 20, 59, 60, 199, 255, 256, 1999, 32767, 65535, 70000)
OFTEN = 4
"""Number of first actions with full checks of the position. After them, one action in `SELDOM` is checked."""
SELDOM = 60


def extremes(variant: str) -> tuple[Case, ...]:
    """Return the variant with its default switches, and with all house rules changed."""
    cases = cases_of(variant)
    return tuple(dict.fromkeys((cases[0], cases[-1])))


def valid_texts(case: Case, rng: np.random.Generator, count: int) -> tuple[str, ...]:
    """Return texts of positions of matches with `count` steps, of their ends, and of each match broken off
    somewhere.
    """
    game = game_of(case)
    texts = []
    for match in positions(game, rng, count, lively=0.6, resigning=RESIGNING if game.info.players > 2 else 0):
        texts += [game.state_text(step.before) for step in match[:: int(rng.integers(5, 10))]]
        texts.append(game.state_text(match[-1].after))
        broken_off = match[int(rng.integers(len(match)))].before
        texts.append(game.state_text(game.withdraw(broken_off, int(rng.choice(remaining(game, broken_off))))))
    return tuple(texts)


def mutate(texts: tuple[str, ...], rng: np.random.Generator) -> str:
    """Return one of the texts with one to three changes."""
    lines = str(rng.choice(texts)).splitlines()
    for _ in range(int(rng.choice((1, 1, 2, 3)))):
        other = str(rng.choice(texts)).splitlines()
        at = int(rng.integers(len(lines)))
        change = rng.random()
        if change < 0.25:
            _take_line(lines, other, rng)
        elif change < 0.32 and len(lines) > 1:
            lines.pop(at)
        elif change < 0.4:
            lines.insert(at, str(rng.choice(other)))
        elif change < 0.6:
            _exchange_words(lines, rng)
        else:
            lines[at] = _change_word(lines[at], other, rng)
    return "\n".join(lines)


def _take_line(lines: list[str], other: list[str], rng: np.random.Generator) -> None:
    """Put a line of the other text in place of a line that begins alike; if there is none, insert it between two
    lines.
    """
    taken = str(rng.choice(other))
    alike = [k for k, line in enumerate(lines) if line.split()[:1] == taken.split()[:1]]
    at = int(rng.choice(alike)) if alike else int(rng.integers(1, len(lines) + 1))
    lines[at : at + bool(alike)] = [taken]


def _exchange_words(lines: list[str], rng: np.random.Generator) -> None:
    one, other = (int(k) for k in rng.integers(len(lines), size=2))
    words, others = lines[one].split(), (lines[other].split() if one != other else [])
    among = others if one != other else words
    if words and among:
        k, m = int(rng.integers(len(words))), int(rng.integers(len(among)))
        words[k], among[m] = among[m], words[k]
    lines[one] = " ".join(words)
    if one != other:
        lines[other] = " ".join(others)


def _change_word(line: str, other: list[str], rng: np.random.Generator) -> str:
    words = line.split() or [""]
    at = int(rng.integers(len(words)))
    word = words[at]
    change = rng.random()
    if word.isdigit() and change < 0.6:
        words[at] = str(rng.choice([*NUMBERS, int(word) + 1, max(int(word) - 1, 0)]))
    elif change < 0.3:
        words[at] = str(rng.choice(VOCABULARY))
    elif change < 0.6:
        words[at] = str(rng.choice([*chain.from_iterable(line.split() for line in other), "x"]))
    elif change < 0.8 and word:
        signs = "".join([*other, "!?'^*+=()[]<>."])
        k = int(rng.integers(len(word)))
        words[at] = word[:k] + signs[int(rng.integers(len(signs)))] + word[k + int(rng.integers(2)) :]
    elif change < 0.9:
        words.pop(at)
    else:
        words.insert(at, str(rng.choice(VOCABULARY)))
    return " ".join(words)


def use(game: Game, state: State, rng: np.random.Generator) -> State:
    """Do everything that is possible with a position, and play a match from there to its end. Return the end."""
    for number in range(game.info.longest):
        if number < OFTEN or number % SELDOM == 0:
            look(game, state, rng)
        able = game.to_act(state)
        if not able:
            return state
        assert all(len(possible(game, state, player)) for player in able), "who is to act can do nothing"
        player = int(rng.choice(able))
        state = game.apply(state, player, pick(game, state, player, rng, lively=0.05))
    assert not game.to_act(state), "the match does not end"
    return state


def look(game: Game, state: State, rng: np.random.Generator) -> None:
    """Check a position as all observers see it, and as a text."""
    text = game.state_text(state)
    assert game.state_text(game.parse_state(text)) == text
    for observer in all_observers(game):
        view = game.view(state, observer)
        game.scene(view), game.choices(view), game.hints(view), game.encode(view), game.standing(view)
        if observer != EVERYTHING:
            assert game.view(game.resample(view, rng), observer).tobytes() == view.tobytes()
    for player in range(game.info.players):
        game.evaluate(state, player)
        game.explain(state, player, int(rng.integers(game.info.actions)))
    assert (game.outcome(state) is None) == bool(game.to_act(state))


def is_read(game: Game, text: str, rng: np.random.Generator) -> bool:
    """Return whether the text becomes a position. Use the position if it does; this may raise errors."""
    try:
        state = game.parse_state(text)
    except TextError:
        return False
    try:
        look(game, use(game, state, rng), rng)
    except Exception as error:
        error.add_note(f"the text was:\n{text}")
        raise
    return True


def main(count: int, variants: list[str]) -> None:
    for variant in variants:
        for case in extremes(variant):
            rng, tries = np.random.default_rng(81), count // len(extremes(variant))
            texts = valid_texts(case, rng, 3000)
            read = sum(is_read(game_of(case), mutate(texts, rng), rng) for _ in range(tries))
            print(f"{case.name}: {read} read, {tries - read} refused")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
