"""THE filter: the parts of a state that an observer may see, field by field. Nothing else decides this."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, ViewRow, helper
from gonfalon.engine.game import EVERYTHING
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.flags import find_winner_by
from gonfalon.games.conquest.rules.legal import is_choice_open
from gonfalon.games.conquest.rules.start import snake_seat
from gonfalon.games.conquest.rules.turn import count_cards_due, count_moves


@helper
def may_know(observer: int, side: int) -> bool:
    """Return whether the observer may know the secrets of `side`."""
    return observer == side or observer == EVERYTHING


@helper
def book_of(observer: int, side: int) -> int:
    """Return the observer whose knowledge of the side's units the view shows: the viewer, or the public for the
    viewer's own units.
    """
    return observer if 0 <= observer != side else g.THE_PUBLIC


@helper
def fill_view(s: StateRow, r: RulesRow, observer: int, v: ViewRow) -> None:
    """Fill the view `v`, which is all zeros, except for its legal actions."""
    v.observer = observer
    v.hand = g.NONE
    show_match(s, v)
    show_map(s, v)
    show_players(s, v)
    show_standing(s, r, observer, v)
    show_choosing(s, r, v)
    show_cards(s, v)
    show_choice(s, observer, v)
    for side in range(g.PLAYERS):
        show_deployment(s, r, observer, side, v)
        count_groups(s, book_of(observer, side), side, v)
        show_units(s, observer, side, v)


@helper
def show_match(s: StateRow, v: ViewRow) -> None:
    v.started = s.started
    v.start = s.start
    v.mover = s.mover
    v.turn = s.turn
    v.rounds = s.rounds
    v.quiet = s.quiet
    v.stirred = s.stirred
    v.ties = s.ties
    v.picks = s.picks
    v.traitor_last = s.traitor_last
    v.due = s.due
    v.moves = s.moves
    v.made = s.made
    v.over = s.over
    v.winner = s.winner
    for k in range(4):
        v.last[k] = s.last[k]


@helper
def show_map(s: StateRow, v: ViewRow) -> None:
    for territory in range(g.TERRITORIES):
        v.owner[territory] = s.owner[territory]
        v.control[territory] = s.control[territory]
    for zone in range(g.ZONES):
        v.at[zone] = s.at[zone]


@helper
def show_players(s: StateRow, v: ViewRow) -> None:
    for side in range(g.PLAYERS):
        v.contends[side] = s.contends[side]
        v.lot[side] = s.lot[side]
        v.out[side] = s.out[side]
        v.holder[side] = s.holder[side]
        v.master[side] = s.master[side]
        v.n_reserve[side] = s.n_reserve[side]


@helper
def show_standing(s: StateRow, r: RulesRow, observer: int, v: ViewRow) -> None:
    """Fill in the consequences of public facts by the rules. Every observer may know them."""
    for side in range(g.PLAYERS):
        v.wins_by[side] = g.NONE
    if s.started == 0:
        return
    for side in range(r.players):
        v.cards_due[side] = count_cards_due(s, r, side)
        v.moves_due[side] = count_moves(s, r, side)
        if observer >= 0:
            v.wins_by[side] = find_winner_by(s, r, observer, side)


@helper
def show_choosing(s: StateRow, r: RulesRow, v: ViewRow) -> None:
    """CQ-6: show the players who choose next."""
    n = 0
    if s.phase == g.DRAFT:
        for number in range(s.picks, r.territories):
            player = snake_seat(s, r, number)
            if n < g.MOST_CHOOSING and s.out[player] == g.IN:
                v.choosing[n] = player
                n += 1
    for k in range(n, g.MOST_CHOOSING):
        v.choosing[k] = g.NONE


@helper
def show_cards(s: StateRow, v: ViewRow) -> None:
    for card in range(g.CARDS):
        v.pile[card] = s.pile[card]
        v.discard[card] = s.discard[card]
        v.table[card] = s.table[card]


@helper
def show_choice(s: StateRow, observer: int, v: ViewRow) -> None:
    """Show the card and its choices. Only the player sees an open choice; everyone else still sees the phase before
    it.
    """
    shown = may_know(observer, s.mover) or not is_choice_open(s)
    v.phase = s.phase if shown else g.CARD
    v.playing = s.playing if shown else g.NONE
    v.n_chosen = s.n_chosen if shown else 0
    v.n_ordered = s.n_ordered if shown else 0
    for k in range(3):
        v.chosen[k] = s.chosen[k] if shown else g.NONE
        v.ordered[k] = s.ordered[k] if shown else 0


@helper
def show_deployment(s: StateRow, r: RulesRow, observer: int, side: int, v: ViewRow) -> None:
    """CQ-7: show of other players only whether they are ready."""
    zones = 0
    for territory in range(r.territories):
        if s.owner[territory] == side:
            zones += g.IN_TERRITORY
    final = s.started != 0 or (s.phase == g.DEPLOY and s.placed[side] == zones)
    v.ready[side] = side < r.players and final
    if may_know(observer, side):
        v.placed[side] = s.placed[side]
        for place in range(g.ZONES):
            v.laid[side, place] = s.laid[side, place]


@helper
def count_groups(s: StateRow, book: int, side: int, v: ViewRow) -> None:
    """Count the members of the side's groups. The view itself stores the counts, at the slots that name groups.

    Until `show_units`, these fields hold: `marks` the number of members; `in_reserve` how many of them are in the
    reserve; `group` the lowest slot of the others, plus 1 (0 for none); `public` the number of members of the public's
    group. `show_units` then goes from the highest slot down and replaces these by their final values.
    """
    for slot in range(side * g.ARMY, (side + 1) * g.ARMY):
        if s.kind[slot] == 0 or s.zone[slot] == g.GONE:
            continue
        group = s.group[book, slot]
        v.marks[group] += 1
        v.public[s.group[g.THE_PUBLIC, slot]] += 1
        if s.zone[slot] == g.RESERVE:
            v.in_reserve[group] += 1
        elif v.group[group] == 0:
            v.group[group] = slot + 1


@helper
def show_units(s: StateRow, observer: int, side: int, v: ViewRow) -> None:
    book = book_of(observer, side)
    for k in range(1, g.ARMY + 1):
        slot = (side + 1) * g.ARMY - k
        group = s.group[book, slot]
        size, first = v.marks[group], v.group[group] - 1
        alone = v.public[s.group[g.THE_PUBLIC, slot]] == 1
        v.group[slot] = g.NONE
        v.marks[slot] = g.UNKNOWN
        v.public[slot] = 0
        if slot == group:
            move_count(v, slot, first)
        if s.kind[slot] == 0 or s.zone[slot] == g.GONE:
            continue
        if s.known[book, slot] and size > 1 and first >= 0:
            v.among[first, s.kind[slot]] += 1
        if s.zone[slot] == g.RESERVE:
            if may_know(observer, side) or (s.known[book, slot] and first < 0):
                v.reserve[side, s.kind[slot]] += 1
            continue
        if size > 1:
            v.marks[slot] = g.AMONG
            v.group[slot] = first
        elif s.known[book, slot]:
            v.marks[slot] = g.SEEN
        show_unit(s, observer, side, slot, v)
        v.public[slot] = alone and s.known[g.THE_PUBLIC, slot]
        if observer == side and v.marks[slot] != g.SEEN:
            v.looked[slot] = find_lookers(s, side, slot)


@helper
def find_lookers(s: StateRow, side: int, slot: int) -> int:
    """CQ-31, CQ-32: return the other players who know the type of the side's unit, one bit per side. This is no secret
    from its owner: all saw which zones these players looked at, and the owner knows the units there.
    """
    bits = 0
    for other in range(g.PLAYERS):
        if other != side and s.out[other] == g.IN and s.known[other, slot] and is_apart(s, other, side, slot):
            bits |= 1 << other
    return bits


@helper
def is_apart(s: StateRow, observer: int, side: int, slot: int) -> bool:
    """Return whether the observer can tell the unit from all other units of its side."""
    for other in range(side * g.ARMY, (side + 1) * g.ARMY):
        if other != slot and s.group[observer, other] == s.group[observer, slot]:
            return False
    return True


@helper
def move_count(v: ViewRow, group: int, first: int) -> None:
    """Move a group's counts to its lowest slot that can be seen. A group that is wholly in a reserve is not shown."""
    count = v.in_reserve[group]
    v.in_reserve[group] = 0
    if first >= 0:
        v.in_reserve[first] = count


@helper
def show_unit(s: StateRow, observer: int, side: int, slot: int, v: ViewRow) -> None:
    """Show a unit on the board or in hand. Its mark is already set."""
    v.ruled_out[slot] = s.ruled_out[book_of(observer, side), slot]
    if may_know(observer, side) or v.marks[slot] == g.SEEN:
        v.kind[slot] = s.kind[slot]
    else:
        v.kind[slot] = g.HIDDEN
    if s.zone[slot] == g.IN_HAND:
        v.hand = slot
