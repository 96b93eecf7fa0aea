"""The seven cards (CQ-10 to CQ-12, CQ-27 to CQ-34): which can be played, what must be named for each, what each
does.
"""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.engine.compiled.knowledge import reveal
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.moves import is_enemy, is_near
from gonfalon.games.conquest.rules.units import (
    change_slots,
    find,
    find_on_board,
    keeps_book,
    mix_for_all,
    owner_of,
    put,
    rule_out,
    show_to_all,
    take_from_reserve,
)

# ---- pile, table, discard ----------------------------------------------------------------------------------------


@helper
def count_cards(cards: Numbers) -> int:
    n = 0
    for card in range(g.CARDS):
        n += cards[card]
    return n


@helper
def shuffle(s: StateRow, because_of_traitor: int) -> None:
    """CQ-11, CQ-12: shuffle the discard into the pile. The Traitor may then be anywhere in the pile."""
    for card in range(g.CARDS):
        s.pile[card] += s.discard[card]
        s.discard[card] = 0
    s.traitor_last = 0
    note(s, g.LOG_SHUFFLED, s.mover, because_of_traitor, 0, 0, 0)


@helper
def draw_weight(s: StateRow, card: int) -> int:
    """Count the cards of this kind in the pile that may come next. CQ-5: at first the Traitor lies at the bottom."""
    if card == g.TRAITOR and s.traitor_last and count_cards(s.pile) > s.pile[g.TRAITOR]:
        return 0
    return s.pile[card]


@helper
def discard_table(s: StateRow) -> None:
    """CQ-10: put all drawn cards on the discard. CQ-12: if the Traitor is among them, shuffle all into the pile."""
    traitor = s.table[g.TRAITOR] > 0
    for card in range(g.CARDS):
        s.discard[card] += s.table[card]
        s.table[card] = 0
    if traitor:
        shuffle(s, 1)


# ---- what is possible --------------------------------------------------------------------------------------------


@helper
def is_empty_near_own(s: StateRow, r: RulesRow, player: int, zone: int) -> bool:
    """CQ-28: return whether the zone is empty and borders a unit of the player."""
    if s.at[zone] != g.NONE:
        return False
    for k in range(r.n_near[zone]):
        slot = s.at[r.near[zone, k]]
        if slot != g.NONE and owner_of(slot) == player:
            return True
    return False


@helper
def has_unit_near(s: StateRow, r: RulesRow, zone: int) -> bool:
    for k in range(r.n_near[zone]):
        if s.at[r.near[zone, k]] != g.NONE:
            return True
    return False


@helper
def may_name(s: StateRow, r: RulesRow, player: int, card: int, zone: int) -> bool:
    """Return whether the player can name the zone for the card, after the zones already named."""
    slot = s.at[zone]
    if card == g.REINFORCEMENTS:
        return is_empty_near_own(s, r, player, zone)
    if card == g.SURPRISE or card == g.NEW_MASTER:
        return slot == g.NONE
    if card == g.REGROUP:
        own = slot != g.NONE and owner_of(slot) == player
        return own and zone != s.chosen[0] and zone != s.chosen[1]
    if card == g.SECRET:
        if slot == g.NONE:
            return False
        return has_unit_near(s, r, zone) if s.n_chosen == 0 else is_near(r, s.chosen[0], zone)
    return is_enemy(s, player, zone)


@helper
def count_names(s: StateRow, r: RulesRow, player: int, card: int) -> int:
    n = 0
    for zone in range(r.zones):
        if may_name(s, r, player, card, zone):
            n += 1
    return n


@helper
def is_playable(s: StateRow, r: RulesRow, player: int, card: int) -> bool:
    """CQ-34: return whether the card can be carried out."""
    if card == g.BLITZ:
        return True
    if (card == g.REINFORCEMENTS or card == g.SURPRISE) and s.n_reserve[player] == 0:
        return False
    if card == g.NEW_MASTER and find(s, player, g.SPY_MASTER, g.RESERVE) == g.NONE:
        return False
    if card == g.SECRET and find_on_board(s, player, g.SPY_MASTER) == g.NONE:
        return False
    return count_names(s, r, player, card) >= (3 if card == g.REGROUP else 1)


@helper
def legal_cards(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    n = 0
    for card in range(g.CARDS):
        if s.table[card] and is_playable(s, r, player, card):
            out[n] = g.ACT_CARD + card
            n += 1
    out[n] = g.ACT_NO_CARD
    return n + 1


@helper
def legal_names(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    n = 0
    for zone in range(r.zones):
        if may_name(s, r, player, s.playing, zone):
            out[n] = g.ACT_ZONE + zone
            n += 1
    return n


@helper
def legal_empty(s: StateRow, r: RulesRow, out: Numbers) -> int:
    """List the empty zones (CQ-22)."""
    n = 0
    for zone in range(r.zones):
        if s.at[zone] == g.NONE:
            out[n] = g.ACT_ZONE + zone
            n += 1
    return n


@helper
def count_left_to_put_back(s: StateRow, kind: int) -> int:
    """Count the units of the type, among the three of a Regroup, that are not put back yet."""
    left = 0
    for k in range(3):
        if s.kind[s.at[s.chosen[k]]] == kind:
            left += 1
    for k in range(s.n_ordered):
        if s.ordered[k] == kind:
            left -= 1
    return left


@helper
def legal_orders(s: StateRow, out: Numbers) -> int:
    n = 0
    for kind in range(1, g.TYPES):
        if count_left_to_put_back(s, kind) > 0:
            out[n] = g.ACT_PLACE + kind
            n += 1
    return n


@helper
def legal_guesses(r: RulesRow, out: Numbers) -> int:
    n = 0
    for kind in range(1, g.TYPES):
        if r.army[kind]:
            out[n] = g.ACT_GUESS + kind
            n += 1
    return n


@helper
def reserve_weight(s: StateRow, kind: int) -> int:
    """Return the number of units of the type in the mover's reserve."""
    n = 0
    for slot in range(s.mover * g.ARMY, (s.mover + 1) * g.ARMY):
        if s.zone[slot] == g.RESERVE and s.kind[slot] == kind:
            n += 1
    return n


# ---- what they do ------------------------------------------------------------------------------------------------


@helper
def drop_choice(s: StateRow) -> None:
    """Reset the choice: no card is being carried out."""
    s.playing = g.NONE
    s.n_chosen = 0
    s.n_ordered = 0
    for k in range(3):
        s.chosen[k] = g.NONE
        s.ordered[k] = 0


@helper
def sort_chosen(s: StateRow) -> None:
    for _ in range(2):
        for k in range(2):
            if s.chosen[k] > s.chosen[k + 1]:
                zone = s.chosen[k]
                s.chosen[k] = s.chosen[k + 1]
                s.chosen[k + 1] = zone


@helper
def draw_unit(s: StateRow, r: RulesRow, player: int, kind: int) -> None:
    """CQ-28: draw a unit from the reserve. Only its owner sees it."""
    mix_for_all(s, r, player, g.RESERVE)
    take_from_reserve(s, r, player, kind, g.IN_HAND)
    note(s, g.LOG_UNIT, player, kind, 0, 0, 0)


@helper
def enter(s: StateRow, player: int, slot: int, zone: int) -> None:
    put(s, slot, zone)
    note(s, g.LOG_ENTERED, player, s.kind[slot], zone, s.playing, 0)


@helper
def enter_master(s: StateRow, r: RulesRow, player: int, zone: int) -> None:
    """CQ-30: put the Spy Master on the map; all learn that this unit is the Spy Master."""
    note(s, g.LOG_CARD, player, g.NEW_MASTER, 0, 0, 0)
    show_to_all(s, r, find(s, player, g.SPY_MASTER, g.RESERVE))
    enter(s, player, take_from_reserve(s, r, player, g.SPY_MASTER, g.IN_HAND), zone)


@helper
def put_back(s: StateRow, player: int, kind: int) -> None:
    note(s, g.LOG_PUT_BACK, player, kind, s.chosen[s.n_ordered], 0, 0)
    s.ordered[s.n_ordered] = kind
    s.n_ordered += 1


@helper
def regroup(s: StateRow, r: RulesRow, player: int) -> None:
    """CQ-27: put three units back in the chosen order. No other player knows which unit is which."""
    note(s, g.LOG_CARD, player, g.REGROUP, 0, 0, 0)
    note(s, g.LOG_REGROUPED, player, s.chosen[0], s.chosen[1], s.chosen[2], 0)
    for k in range(3):
        s.zone[s.at[s.chosen[k]]] = g.IN_HAND
    mix_for_all(s, r, player, g.IN_HAND)
    for k in range(3):
        s.zone[s.at[s.chosen[k]]] = s.chosen[k]
    for k in range(2):
        slot, other = s.at[s.chosen[k]], k
        while s.kind[s.at[s.chosen[other]]] != s.ordered[k]:
            other += 1
        change_slots(s, r, slot, s.at[s.chosen[other]])


@helper
def look(s: StateRow, r: RulesRow, player: int) -> None:
    """CQ-31: the player proves that their Spy Master is on the board, by showing the reserve or by word, and then sees
    two units.
    """
    note(s, g.LOG_CARD, player, g.SECRET, 0, 0, 0)
    s.master[player] = 1
    if r.prove_spy_master:
        for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
            if s.zone[slot] == g.RESERVE:
                show_to_all(s, r, slot)
        note(s, g.LOG_PROOF, player, 0, 0, 0, 0)
    else:
        note(s, g.LOG_MASTER, player, 0, 0, 0, 0)
    note(s, g.LOG_LOOKED, player, s.chosen[0], s.chosen[1], 0, 0)
    for k in range(2):
        slot = s.at[s.chosen[k]]
        see(s, r, player, slot)


@helper
def see(s: StateRow, r: RulesRow, player: int, slot: int) -> None:
    """Let only the player know the unit's type."""
    if keeps_book(r, player, owner_of(slot)):
        reveal(s, player, slot)
    note(s, g.LOG_SAW, player, s.kind[slot], owner_of(slot), s.zone[slot], 0)


@helper
def miss(s: StateRow, r: RulesRow, player: int, slot: int, guess: int) -> None:
    """CQ-32: carry out a wrong guess. The player sees the unit; all others learn that it is not of the guessed type."""
    note(s, g.LOG_MISSED, player, s.zone[slot], 0, 0, 0)
    rule_out(s, r, slot, 1 << guess)
    see(s, r, player, slot)
