"""Units and where they are: on the map, in a reserve, and what others know of them on the way."""

from gonfalon.engine.jit import Row, helper
from gonfalon.engine.knowledge import merge, note_types, reveal, simplify_group, swap_knowledge
from gonfalon.games.conquest import state as g


@helper
def owner_of(slot: int) -> int:
    return slot // g.ARMY


@helper
def may_move(kind: int) -> bool:
    """CQ-14: Flag and Cursed Land never move."""
    return kind > 0 and (g.IMMOBILE >> kind) & 1 == 0


@helper
def keeps_book(r: Row, observer: int, player: int) -> bool:
    """Whether what the observer knows of the player's units is written down: everyone's but the player's own."""
    return observer != player and (observer == g.THE_PUBLIC or observer < r.players)


@helper
def show_to_all(s: Row, r: Row, slot: int) -> None:
    """Everyone learns what the unit is."""
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, owner_of(slot)):
            reveal(s, observer, slot)


@helper
def rule_out(s: Row, r: Row, slot: int, types: int) -> None:
    """Everyone learns of which types the unit is not; `types`: bits."""
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, owner_of(slot)):
            s.ruled_out[observer, slot] |= types


@helper
def find(s: Row, player: int, kind: int, where: int) -> int:
    """The player's first slot with a unit of the type at a zone, RESERVE or another place; NONE."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.kind[slot] == kind and s.zone[slot] == where:
            return slot
    return g.NONE


@helper
def find_first(s: Row, player: int, where: int) -> int:
    """The player's first slot at RESERVE or another place, or NONE."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] == where:
            return slot
    return g.NONE


@helper
def find_on_board(s: Row, player: int, kind: int) -> int:
    """The player's first slot with a unit of the type in a zone, or NONE."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.kind[slot] == kind and s.zone[slot] < g.RESERVE:
            return slot
    return g.NONE


@helper
def put(s: Row, slot: int, zone: int) -> None:
    """A unit comes to an empty zone."""
    s.zone[slot] = zone
    s.at[zone] = slot
    s.stirred = 1


@helper
def relocate(s: Row, slot: int, zone: int) -> None:
    """A unit goes from its zone to an empty one."""
    s.at[s.zone[slot]] = g.NONE
    s.zone[slot] = zone
    s.at[zone] = slot


@helper
def lift(s: Row, slot: int, where: int) -> None:
    """A unit leaves the map for `where`."""
    s.at[s.zone[slot]] = g.NONE
    s.zone[slot] = where
    s.stirred = 1


@helper
def fall(s: Row, slot: int) -> None:
    """CQ-17: a unit that all have seen is lost and goes to its owner's reserve."""
    player = owner_of(slot)
    lift(s, slot, g.RESERVE)
    s.n_reserve[player] += 1
    if s.kind[slot] == g.SPY_MASTER:
        s.master[player] = 0


@helper
def mix(s: Row, observer: int, player: int, where: int) -> None:
    """CQ-36: the player's units that lie at `where` can no longer be told apart by the observer.

    What is true of all of them stays true of each.
    """
    lead, out = g.NONE, 0xFFFF
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] == where:
            note_types(s, observer, s.group[observer, slot])
            out &= s.ruled_out[observer, slot]
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] == where:
            s.ruled_out[observer, slot] = out
            if lead == g.NONE:
                lead = slot
            else:
                merge(s, observer, lead, slot)
    if lead != g.NONE:
        simplify_group(s, observer, s.group[observer, lead])


@helper
def mix_for_all(s: Row, r: Row, player: int, where: int) -> None:
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, player):
            mix(s, observer, player, where)


@helper
def change_slots(s: Row, r: Row, one: int, other: int) -> None:
    """Two units of a player that none of the others can tell apart change slots."""
    if one == other:
        return
    kind = s.kind[one]
    s.kind[one] = s.kind[other]
    s.kind[other] = kind
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, owner_of(one)):
            swap_knowledge(s, observer, one, other)


@helper
def take_from_reserve(s: Row, r: Row, player: int, kind: int, where: int) -> int:
    """A unit of the type leaves the reserve for `where`; returns its slot.

    It is always the reserve's first slot: which one it had before could tell what it is.
    """
    slot = find_first(s, player, g.RESERVE)
    change_slots(s, r, slot, find(s, player, kind, g.RESERVE))
    s.zone[slot] = where
    s.n_reserve[player] -= 1
    return slot


@helper
def clear_army(s: Row, player: int) -> None:
    """CQ-25: the units of a player who resigns leave unshown, with his reserve."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] < g.RESERVE:
            lift(s, slot, g.GONE)
        s.zone[slot] = g.GONE
        s.kind[slot] = 0
        for observer in range(g.OBSERVERS):
            s.group[observer, slot] = slot
            s.known[observer, slot] = 0
            s.ruled_out[observer, slot] = 0
    s.n_reserve[player] = 0
    s.master[player] = 0
