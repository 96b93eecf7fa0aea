"""Attacks and looks: the possible acts of a card in the line (CG-6 to CG-9)."""

from gonfalon.engine.compiled.jit import Numbers, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.engine.compiled.knowledge import reveal
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.cards import hand_place, line_place, remove, see_hand, show_to_all

FIRST = tuple(one for one, _ in g.PAIRS)
SECOND = tuple(other for _, other in g.PAIRS)


@helper
def result_of(attacker: int, defender: int) -> int:
    """Return the result of an attack of one type on another (CG-6 to CG-8, CG-13)."""
    if (
        defender == g.FLAG
        or (defender == g.BOMB and attacker == g.MINER)
        or (defender == g.MARSHAL and attacker == g.SPY)
    ):
        return g.WON
    if defender == g.BOMB:
        return g.LOST
    if attacker == defender:
        return g.BOTH
    return g.WON if attacker > defender else g.LOST


@helper
def remember(s: StateRow, kind: int, place: int, one: int, other: int) -> None:
    """Store the last act, for screens."""
    s.last[0] = kind
    s.last[1] = place
    s.last[2] = one
    s.last[3] = other


@helper
def attack(s: StateRow, side: int, own: int, enemy: int) -> bool:
    """Carry out an attack: turn up both cards. The winner stays on its place, face down and known. Return whether the
    Flag fell.
    """
    mine, theirs = line_place(side, own), line_place(1 - side, enemy)
    attacker, defender = s.kind[mine], s.kind[theirs]
    remember(s, g.ATTACKED, mine, theirs, g.NONE)
    note(s, g.LOG_ATTACKED, side, mine, theirs, 0, 0)
    show_to_all(s, side, mine)
    show_to_all(s, 1 - side, theirs)
    result = result_of(attacker, defender)
    note(s, g.LOG_BATTLE, side, mine, theirs, attacker * 16 + defender, result)
    if result != g.WON:
        remove(s, side, mine)
    if result != g.LOST:
        remove(s, 1 - side, theirs)
    s.quiet = 0
    return defender == g.FLAG


@helper
def show(s: StateRow, side: int, place: int) -> None:
    """Show a Spy or a Scout that looks. The card is face down again afterwards, but known."""
    show_to_all(s, side, place)
    note(s, g.LOG_REVEALED, side, s.kind[place], place, 0, 0)


@helper
def look_at_hand(s: StateRow, side: int, own: int) -> None:
    """CG-9: let a Spy see the hand. The log has it by type, because the order of the hand would show which card was
    drawn last.
    """
    place = line_place(side, own)
    remember(s, g.LOOKED_HAND, place, g.NONE, g.NONE)
    show(s, side, place)
    note(s, g.LOG_LOOKED_HAND, side, place, s.n_hand[1 - side], 0, 0)
    see_hand(s, side, 1 - side)
    for kind in range(g.TYPES - 1, 0, -1):
        for j in range(g.DEALT):
            if s.kind[hand_place(1 - side, j)] == kind:
                note(s, g.LOG_SAW_HAND, 1 - side, kind, 0, 0, 0)
    if s.n_hand[1 - side] == 0:
        note(s, g.LOG_SAW_EMPTY, 1 - side, 0, 0, 0, 0)
    s.quiet += 1


@helper
def look_at_line(s: StateRow, side: int, own: int, pair: int) -> None:
    """CG-9: let a Scout see cards of the line."""
    place = line_place(side, own)
    one = line_place(1 - side, FIRST[pair] if pair < len(FIRST) else pair - len(FIRST))
    other = line_place(1 - side, SECOND[pair]) if pair < len(SECOND) else g.NONE
    remember(s, g.LOOKED_LINE, place, one, other)
    show(s, side, place)
    note(s, g.LOG_LOOKED_LINE, side, place, one, other, 0)
    see(s, side, one)
    if other != g.NONE:
        see(s, side, other)
    s.quiet += 1


@helper
def see(s: StateRow, side: int, place: int) -> None:
    reveal(s, side, place)
    note(s, g.LOG_SAW, 1 - side, s.kind[place], place, 0, 0)


@helper
def is_look(s: StateRow, enemy: int, pair: int) -> bool:
    """Return whether a Scout's look is legal: at two cards, or at one if there is only one."""
    if pair < len(FIRST):
        return s.kind[line_place(enemy, FIRST[pair])] != 0 and s.kind[line_place(enemy, SECOND[pair])] != 0
    cards = 0
    for k in range(g.LINE):
        if s.kind[line_place(enemy, k)]:
            cards += 1
    return cards == 1 and s.kind[line_place(enemy, pair - len(FIRST))] != 0


@helper
def list_looks(s: StateRow, enemy: int, first: int, out: Numbers, n: int) -> int:
    for pair in range(g.LOOKS):
        if is_look(s, enemy, pair):
            out[n] = first + pair
            n += 1
    return n
