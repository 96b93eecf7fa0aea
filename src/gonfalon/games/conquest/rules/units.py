"""Units on the map and in reserves, and the knowledge of observers about them."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.knowledge import merge, note_types, reveal, simplify_group, swap_knowledge
from gonfalon.games.conquest import state as g


@helper
def owner_of(slot: int) -> int:
    return slot // g.ARMY


@helper
def may_move(kind: int) -> bool:
    """CQ-14: Flags and Cursed Lands never move."""
    return kind > 0 and (g.IMMOBILE >> kind) & 1 == 0


@helper
def keeps_book(r: RulesRow, observer: int, player: int) -> bool:
    """Return whether the state stores the observer's knowledge of the player's units. It does for every observer except
    the player.
    """
    return observer != player and (observer == g.THE_PUBLIC or observer < r.players)


@helper
def show_to_all(s: StateRow, r: RulesRow, slot: int) -> None:
    """Let everyone know the unit's type."""
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, owner_of(slot)):
            reveal(s, observer, slot)


@helper
def rule_out(s: StateRow, r: RulesRow, slot: int, types: int) -> None:
    """Let everyone know that the unit has none of these types. `types` has a bit for each."""
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, owner_of(slot)):
            s.ruled_out[observer, slot] |= types


@helper
def find(s: StateRow, player: int, kind: int, where: int) -> int:
    """Return the player's first slot with a unit of the type in `where`: a zone, RESERVE or another place. NONE if
    there is none.
    """
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.kind[slot] == kind and s.zone[slot] == where:
            return slot
    return g.NONE


@helper
def find_first(s: StateRow, player: int, where: int) -> int:
    """Return the player's first slot with a unit in `where`: RESERVE or another place. NONE if there is none."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] == where:
            return slot
    return g.NONE


@helper
def find_on_board(s: StateRow, player: int, kind: int) -> int:
    """Return the player's first slot with a unit of the type on the map. NONE if there is none."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.kind[slot] == kind and s.zone[slot] < g.RESERVE:
            return slot
    return g.NONE


@helper
def put(s: StateRow, slot: int, zone: int) -> None:
    """Put a unit on an empty zone."""
    s.zone[slot] = zone
    s.at[zone] = slot
    s.stirred = 1


@helper
def relocate(s: StateRow, slot: int, zone: int) -> None:
    """Move a unit from its zone to an empty one."""
    s.at[s.zone[slot]] = g.NONE
    s.zone[slot] = zone
    s.at[zone] = slot


@helper
def lift(s: StateRow, slot: int, where: int) -> None:
    """Take a unit from the map to `where`."""
    s.at[s.zone[slot]] = g.NONE
    s.zone[slot] = where
    s.stirred = 1


@helper
def fall(s: StateRow, slot: int) -> None:
    """CQ-17: put a lost unit, which all have seen, into its owner's reserve."""
    player = owner_of(slot)
    lift(s, slot, g.RESERVE)
    s.n_reserve[player] += 1
    if s.kind[slot] == g.SPY_MASTER:
        s.master[player] = 0


@helper
def mix(s: StateRow, observer: int, player: int, where: int) -> None:
    """CQ-36: note that the observer can no longer tell apart the player's units in `where`.

    What was known of all of these units stays known of each.
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
def mix_for_all(s: StateRow, r: RulesRow, player: int, where: int) -> None:
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, player):
            mix(s, observer, player, where)


@helper
def change_slots(s: StateRow, r: RulesRow, one: int, other: int) -> None:
    """Swap the slots of two units of a player. No other observer can tell these units apart."""
    if one == other:
        return
    kind = s.kind[one]
    s.kind[one] = s.kind[other]
    s.kind[other] = kind
    for observer in range(g.OBSERVERS):
        if keeps_book(r, observer, owner_of(one)):
            swap_knowledge(s, observer, one, other)


@helper
def take_from_reserve(s: StateRow, r: RulesRow, player: int, kind: int, where: int) -> int:
    """Take a unit of the type from the reserve to `where`. Return its slot.

    This is always the first slot of the reserve, because the unit's earlier slot could reveal its type.
    """
    slot = find_first(s, player, g.RESERVE)
    change_slots(s, r, slot, find(s, player, kind, g.RESERVE))
    s.zone[slot] = where
    s.n_reserve[player] -= 1
    return slot


@helper
def clear_army(s: StateRow, player: int) -> None:
    """CQ-25: remove all units of a player who resigns, without showing them."""
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
