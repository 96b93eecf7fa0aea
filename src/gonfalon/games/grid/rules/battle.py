"""Attacks (GR-11 to GR-17): who wins, what is shown, what leaves the board."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.log import note

WON, LOST, BOTH_LEAVE = 0, 1, 2
UNSEEN = 8
"""Added to a logged result if the defender's type was not shown."""
OWN = 16
"""Added to a logged result if both pieces are of one side, because an Apple controls the attacker."""


@helper
def result_of(r: RulesRow, attacker: int, defender: int) -> int:
    """The result of an attack of one type on another, for the attacker (GR-12 to GR-16)."""
    if defender == g.FLAG:
        return WON
    if defender == g.BOMB:
        if attacker == g.MINER:
            return WON
        return BOTH_LEAVE if r.one_time_bombs else LOST
    if attacker == g.SPY and defender == g.MARSHAL:
        return WON
    if attacker == defender:
        return WON if r.attacker_wins_ties else BOTH_LEAVE
    return WON if attacker > defender else LOST


@helper
def side_on(s: StateRow, square: int) -> int:
    """The side of the piece on an occupied square."""
    return 1 if s.board[index(square)] & g.BLUE else 0


@helper
def show(s: StateRow, square: int) -> None:
    """Makes a type known to both players. Logs it if that is new."""
    if not s.marks[index(square)] & g.SEEN:
        s.marks[index(square)] |= g.SEEN
        note(s, g.LOG_REVEALED, side_on(s, square), s.board[index(square)] & g.TYPE, square, 0, 0, 0)


@helper
def remove(s: StateRow, r: RulesRow, square: int) -> None:
    """Take a piece off the board (GR-17). In Special the Shroud of a lost Spy stays in play (GR-30)."""
    kind, side = s.board[index(square)] & g.TYPE, side_on(s, square)
    s.lost[side, kind] += 1
    if kind == g.SPY and r.powers:
        s.heal[side] = 1
    s.where[s.number[index(square)]] = g.OFF
    clear(s, square)


@helper
def clear(s: StateRow, square: int) -> None:
    s.board[index(square)] = g.EMPTY
    s.number[index(square)] = g.NONE
    s.marks[index(square)] = 0
    s.ruled_out[index(square)] = 0


@helper
def move_piece(s: StateRow, begin: int, end: int) -> None:
    """Move a piece with its marks and with the types that are ruled out for it."""
    s.board[index(end)] = s.board[index(begin)]
    s.number[index(end)] = s.number[index(begin)]
    s.marks[index(end)] = s.marks[index(begin)] | g.MOVED
    s.ruled_out[index(end)] = s.ruled_out[index(begin)] | (1 << g.BOMB) | (1 << g.FLAG)
    s.where[s.number[index(end)]] = end
    clear(s, begin)


@helper
def rule_out_losers(s: StateRow, r: RulesRow, square: int, attacker: int) -> None:
    """Rule out the types that would not have won, for a defender that won unseen (switch `silent_defence`)."""
    for kind in range(1, g.TYPES):
        if result_of(r, attacker, kind) != LOST:
            s.ruled_out[index(square)] |= 1 << kind


@helper
def resolve_battle(s: StateRow, r: RulesRow, attacker: int, defender: int, result: int) -> None:
    """Show both pieces (GR-11) and remove the losers. No piece moves."""
    kind, other = s.board[index(attacker)] & g.TYPE, s.board[index(defender)] & g.TYPE
    unseen = r.silent_defence and result == LOST and kind != g.SCOUT and not s.marks[index(defender)] & g.SEEN
    side = side_on(s, attacker)
    told = result + (UNSEEN if unseen else 0) + (OWN if side_on(s, defender) == side else 0)
    note(s, g.LOG_BATTLE, side, attacker, defender, kind, other, told)
    s.marks[index(attacker)] |= g.SEEN
    if unseen:
        rule_out_losers(s, r, defender, kind)
    else:
        s.marks[index(defender)] |= g.SEEN
    if result != WON:
        remove(s, r, attacker)
    if result != LOST:
        remove(s, r, defender)


@helper
def attack(s: StateRow, r: RulesRow, begin: int, end: int) -> bool:
    """An ordinary attack. A winning attacker takes the square (GR-12). Returns whether the Flag was taken (GR-18)."""
    kind, other = s.board[index(begin)] & g.TYPE, s.board[index(end)] & g.TYPE
    s.marks[index(begin)] |= g.MOVED
    result = result_of(r, kind, other)
    resolve_battle(s, r, begin, end, result)
    if result == WON:
        move_piece(s, begin, end)
    return other == g.FLAG


@helper
def put_back(s: StateRow, side: int, kind: int, square: int) -> None:
    """Returns a lost piece to the board, as a new piece that both players know (GR-22, GR-30)."""
    number = s.next_number
    s.next_number = number + 1
    s.lost[side, kind] -= 1
    s.board[index(square)] = kind + (g.RED << side)
    s.number[index(square)] = number
    s.where[number] = square
    s.marks[index(square)] = g.SEEN
    s.ruled_out[index(square)] = 0


@helper
def is_enemy(s: StateRow, square: int, side: int) -> bool:
    return (s.board[index(square)] & (g.ANY_SIDE - (g.RED << side))) != 0
