"""Knowledge of units, as lines of a position's text. A *book* is an observer's knowledge of a side's units.

    seen all kf1 kf2           all know these units
    seen blue lk3              blue also knows this unit
    among all kf1! lk2 red.5   nobody can tell these units apart; `!` marks a unit whose type is known to be among them
    not green kf1=XF           green knows that this unit has none of these types
    only green lk2=KS          green knows that this unit has one of these types

`all` are the other players and the spectators (`public`). A unit on the map is named by its zone, any other unit by its
number in the line of its side (`red.5`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gonfalon.engine.game import TextError
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.text.notation import LETTERS, Names

ALL, PUBLIC = "all", "public"
SEEN, AMONG, NOT, ONLY = WORDS = ("seen", "among", "not", "only")
OBSERVERS = (*g.SIDES, PUBLIC)
"""Names of the observers, by number."""
EVERY_TYPE = sum(1 << kind for kind in range(1, g.TYPES))
REST = 0xFFFF - EVERY_TYPE
"""Bits of `ruled_out` that stand for no type. They are set if the text gave the possible types of the unit (`only`),
and clear if it gave the impossible ones (`not`).
"""
KNOWN_MARK, MOVED_MARK = "!", "'"
"""Characters after a unit in the line of its side: all know the unit; all know that it has moved."""


def kept_from(side: int, players: int) -> list[int]:
    """Return the observers who have a book on a side's units."""
    return [observer for observer in (*range(players), g.THE_PUBLIC) if observer != side]


def slots_of(side: int) -> range:
    return range(side * g.ARMY, (side + 1) * g.ARMY)


def slot_name(row: np.void, slot: int, names: Names) -> str:
    zone = int(row["zone"][slot])
    return names.zones[zone] if zone < g.ZONES else f"{g.SIDES[slot // g.ARMY]}.{slot % g.ARMY + 1}"


# ---- writing -----------------------------------------------------------------------------------------------------

Books = dict[int, list[tuple[str, str]]]
"""Knowledge by observer, as pairs (word, text). The key ALL_BOOKS stands for the knowledge of all."""
ALL_BOOKS = -1


def books_on(row: np.void, side: int, players: int, names: Names) -> Books:
    """Return the books on a side's units."""
    books = {observer: list(_known(row, observer, side, names)) for observer in kept_from(side, players)}
    common = [said for said in books[g.THE_PUBLIC] if all(said in book for book in books.values())]
    return {ALL_BOOKS: common} | {
        observer: [said for said in book if said not in common] for observer, book in books.items()
    }


def _known(row: np.void, observer: int, side: int, names: Names) -> Iterator[tuple[str, str]]:
    slots = slots_of(side)
    part = slice(slots.start, slots.stop)
    group, known, masks = (row[field][observer, part].tolist() for field in ("group", "known", "ruled_out"))
    for k, slot in enumerate(slots):
        name = slot_name(row, slot, names)
        members = [other for other in range(g.ARMY) if group[other] == group[k]]
        if len(members) == 1 and known[k]:
            yield SEEN, name
        elif len(members) > 1 and members[0] == k:
            yield AMONG, " ".join(slot_name(row, slots[m], names) + KNOWN_MARK * known[m] for m in members)
        if masks[k]:
            yield _ruled_out(name, masks[k])


def _ruled_out(name: str, mask: int) -> tuple[str, str]:
    types = EVERY_TYPE - (mask & EVERY_TYPE) if mask & REST else mask
    letters = "".join(letter for kind, letter in enumerate(LETTERS) if types >> kind & 1)
    return ONLY if mask & REST else NOT, f"{name}={letters}"


def marks(book: list[tuple[str, str]], name: str) -> str:
    """Return the characters after a unit in the line of its side, for what all know."""
    seen, moved = (SEEN, name) in book, (NOT, f"{name}={_MOVED}") in book
    return KNOWN_MARK * seen + MOVED_MARK * moved


_MOVED = LETTERS[g.CURSED_LAND] + LETTERS[g.FLAG]


def lines_of(books: list[Books]) -> Iterator[str]:
    """Yield the books about every side as lines. Facts that `!` or `'` after a unit says already are left out."""
    for word in WORDS:
        for observer in (ALL_BOOKS, *range(g.OBSERVERS)):
            said = [text for book in books for kind, text in book.get(observer, ()) if kind == word]
            if observer == ALL_BOOKS:
                said = [text for text in said if word != SEEN and not (word == NOT and text.endswith(f"={_MOVED}"))]
            begin = f"{word} {ALL if observer == ALL_BOOKS else OBSERVERS[observer]}"
            if word == AMONG:
                yield from (f"{begin} {text}" for text in said)
            elif said:
                yield f"{begin} {' '.join(said)}"


# ---- reading -----------------------------------------------------------------------------------------------------


def read_line(row: np.void, word: str, rest: list[str], names: Names, players: int) -> None:
    """Read one line. The units must already be in place. Raises `TextError`."""
    who, *said = rest or [""]
    if who not in (ALL, PUBLIC, *g.SIDES[:players]) or not said:
        raise TextError(f"who knows it is meant, and of which units, such as `{word} {ALL} {names.zones[0]}`")
    if word == AMONG:
        slots = [find_slot(row, name.removesuffix(KNOWN_MARK), names) for name in said]
        for observer in find_observers(who, slots, players):
            _join(row, observer, slots, [name.endswith(KNOWN_MARK) for name in said])
        return
    for item in said:
        name, _, letters = item.partition("=")
        slot = find_slot(row, name, names)
        for observer in find_observers(who, [slot], players):
            if word == SEEN:
                note_seen(row, observer, slot, item)
            else:
                note_ruled_out(row, observer, slot, _mask(word, letters), name)


def find_observers(who: str, slots: list[int], players: int) -> list[int]:
    """Return the observers that `who` means. The units must belong to one side."""
    sides = {slot // g.ARMY for slot in slots}
    if len(sides) > 1:
        raise TextError("units of different sides are never mistaken for one another")
    books = kept_from(sides.pop(), players)
    if who == ALL:
        return books
    if OBSERVERS.index(who) not in books:
        raise TextError(f"{who}: these units are its own")
    return [OBSERVERS.index(who)]


def find_slot(row: np.void, name: str, names: Names) -> int:
    """Return the slot of the unit in a zone or with a number. Raises `TextError`."""
    side, dot, number = name.partition(".")
    if dot:
        if side not in g.SIDES or not number.isascii() or not number.isdigit() or not 1 <= int(number[:3]) <= g.ARMY:
            raise TextError(f"{name!r} is no unit; those off the map are {g.SIDES[0]}.1 to {g.SIDES[0]}.{g.ARMY}")
        slot = g.SIDES.index(side) * g.ARMY + int(number) - 1
        if row["zone"][slot] < g.ZONES:
            raise TextError(f"{name} stands in {names.zones[row['zone'][slot]]} and goes by this name")
    else:
        slot = int(row["at"][names.zone(name)])
    if slot == g.NONE or not row["kind"][slot]:
        raise TextError(f"{name}: no unit there")
    return slot


def _join(row: np.void, observer: int, slots: list[int], marked: list[bool]) -> None:
    group, known = row["group"][observer], row["known"][observer]
    if len(set(slots)) < max(2, len(slots)):
        raise TextError("two units or more are meant, each once")
    if known[slots].any() or any((group == group[slot]).sum() > 1 for slot in slots):
        raise TextError("one of these is known, or of another group")
    kinds = {int(row["kind"][slot]) for slot in slots}
    if not any(marked) or (all(marked) and len(kinds) == 1):
        raise TextError("a group of which no type is known says nothing; units that are all alike are `seen`")
    group[slots], known[slots] = min(slots), marked


def note_seen(row: np.void, observer: int, slot: int, name: str) -> None:
    group = row["group"][observer]
    if "=" in name or row["known"][observer, slot] or (group == group[slot]).sum() > 1:
        raise TextError(f"{name}: told twice, or of a group")
    row["known"][observer, slot] = 1


def note_ruled_out(row: np.void, observer: int, slot: int, mask: int, name: str) -> None:
    kind = int(row["kind"][slot])
    if row["ruled_out"][observer, slot]:
        raise TextError(f"{name}: told twice")
    if mask >> kind & 1:
        raise TextError(f"{name}: it is of the type {TYPES[kind]}")
    row["ruled_out"][observer, slot] = mask


def _mask(word: str, letters: str) -> int:
    kinds = {LETTERS.find(letter) for letter in letters}
    if not kinds or min(kinds) < 1 or len(kinds) < len(letters):
        raise TextError("types are meant behind `=`, each once: M S C 4 to 9 K X F")
    types = sum(1 << kind for kind in kinds)
    return types if word == NOT else 0xFFFF - types
