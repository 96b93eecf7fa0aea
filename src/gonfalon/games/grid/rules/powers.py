"""The powers of Special: Sword (GR-31, GR-32), Apple (GR-33 to GR-37), and fights of several steps. The Shroud is in
`returns.py`.
"""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.battle import (
    BOTH_LEAVE,
    LOST,
    WON,
    is_enemy,
    remove,
    resolve_battle,
    result_of,
    show,
    side_on,
)
from gonfalon.games.grid.rules.log import note


@helper
def can_use_apple(s: StateRow, player: int) -> bool:
    """GR-33: once a match. There is always an enemy piece to choose, since the Flag never leaves."""
    return s.apple_used[player] == 0


@helper
def legal_apples(s: StateRow, r: RulesRow, player: int, out: Numbers, n: int) -> int:
    if can_use_apple(s, player):
        for square in range(r.squares):
            if is_enemy(s, square, player):
                out[n] = g.ACT_APPLE + square
                n += 1
    return n


@helper
def legal_swords(s: StateRow, r: RulesRow, player: int, out: Numbers, n: int) -> int:
    """Lists, by GR-31, each pair of enemies beside an own Captain."""
    captain = g.CAPTAIN + (g.RED << player)
    for square in range(r.squares):
        if s.board[square] != captain:
            continue
        for pair in range(6):
            one, other = g.SWORD_PAIRS[pair]
            if is_enemy(s, r.near[square, one], player) and is_enemy(s, r.near[square, other], player):
                out[n] = g.ACT_SWORD + square * 6 + pair
                n += 1
    return n


@helper
def draw_sword(s: StateRow, r: RulesRow, player: int, square: int, pair: int) -> None:
    """GR-31: the Captain and both targets are shown, then they fight."""
    one, other = g.SWORD_PAIRS[pair]
    first, second = r.near[square, one], r.near[square, other]
    note(s, g.LOG_SWORD, player, square, first, second, 0, 0)
    show(s, square)
    show(s, first)
    show(s, second)
    s.fight = g.SWORD
    s.fighter = s.number[square]
    s.targets[0] = s.number[first]
    s.targets[1] = s.number[second]


@helper
def use_apple(s: StateRow, r: RulesRow, player: int, square: int) -> None:
    """GR-33 to GR-35: the Flag is turned over and the chosen piece is shown. If it can move, it attacks its
    neighbours.
    """
    flag = find_flag(s, r, player)
    s.apple_used[player] = 1
    note(s, g.LOG_APPLE, player, flag, square, 0, 0, 0)
    s.marks[flag] |= g.SEEN
    show(s, square)
    if s.board[square] & g.TYPE >= g.BOMB:
        return
    victim = side_on(s, square)
    n = 0
    for d in range(4):
        near = r.near[square, d]
        if is_enemy(s, near, 1 - victim):
            show(s, near)
            s.targets[n] = s.number[near]
            n += 1
    if n > 0:
        s.fight = g.APPLE
        s.fighter = s.number[square]


@helper
def find_flag(s: StateRow, r: RulesRow, player: int) -> int:
    flag = g.FLAG + (g.RED << player)
    for square in range(r.squares):
        if s.board[square] == flag:
            return square
    return g.OFF


@helper
def turn_in_fight(kind: int) -> int:
    """A type's place in the order of a fight: Bombs first, then ascending ranks, the Flag last (GR-31, GR-35)."""
    return 0 if kind == g.BOMB else kind


@helper
def next_targets(s: StateRow) -> tuple[int, int]:
    """Return the piece number of the next target (NONE if there is none), and how many targets have its place in the
    order of a fight (`turn_in_fight`), the target itself included.
    """
    best, equal, earliest = g.NONE, 0, 100
    for k in range(4):
        number = s.targets[k]
        if number == g.NONE:
            continue
        turn = turn_in_fight(s.board[s.where[number]] & g.TYPE)
        if turn < earliest:
            best, equal, earliest = number, 1, turn
        elif turn == earliest:
            equal += 1
    return best, equal


@helper
def fight_result(s: StateRow, r: RulesRow, attacker: int, defender: int) -> int:
    """`result_of` with GR-36: a Bomb leaves with the controlled piece that it beats."""
    result = result_of(r, attacker, defender)
    if s.fight == g.APPLE and defender == g.BOMB and result == LOST and not r.apple_bomb_stays:
        return BOTH_LEAVE
    return result


@helper
def order_matters(s: StateRow, r: RulesRow, number: int) -> bool:
    """Whether the order of equal targets matters. It matters only if a target leaves together with the fighter."""
    attacker, defender = s.board[s.where[s.fighter]] & g.TYPE, s.board[s.where[number]] & g.TYPE
    if s.fight == g.SWORD and defender == g.CAPTAIN:
        return False  # both leave (GR-32)
    return fight_result(s, r, attacker, defender) == BOTH_LEAVE


@helper
def legal_targets(s: StateRow, out: Numbers, n: int) -> int:
    """Lists the targets with the same place in the order, by square (GR-35)."""
    best, _ = next_targets(s)
    turn = turn_in_fight(s.board[s.where[best]] & g.TYPE)
    first = n
    for k in range(4):
        number = s.targets[k]
        if number != g.NONE and turn_in_fight(s.board[s.where[number]] & g.TYPE) == turn:
            action = g.ACT_TARGET + s.where[number]
            at = n
            while at > first and out[at - 1] > action:
                out[at] = out[at - 1]
                at -= 1
            out[at] = action
            n += 1
    return n


@helper
def strike(s: StateRow, r: RulesRow, number: int) -> bool:
    """One battle of a Sword or an Apple. The fighter stays where it is (GR-32, GR-36). Returns whether the Flag was
    taken.
    """
    attacker, defender = s.where[s.fighter], s.where[number]
    kind = s.board[defender] & g.TYPE
    if kind == g.FLAG and s.fight == g.APPLE:
        stop_fight(s)  # GR-37: the Flag is shown, not taken
        return False
    result = fight_result(s, r, s.board[attacker] & g.TYPE, kind)
    resolve_battle(s, r, attacker, defender, result)
    for k in range(4):
        if s.targets[k] == number:
            s.targets[k] = g.NONE
    if result != WON:
        if s.fight == g.SWORD and result == BOTH_LEAVE and kind == g.CAPTAIN:
            remove_second_captain(s, r, attacker)
        stop_fight(s)
    return kind == g.FLAG


@helper
def remove_second_captain(s: StateRow, r: RulesRow, fighter: int) -> None:
    """GR-32: a Captain that attacks two Captains takes both with it. `fighter` is the square that it has left."""
    for k in range(4):
        number = s.targets[k]
        if number != g.NONE and s.board[s.where[number]] & g.TYPE == g.CAPTAIN:
            note(s, g.LOG_BATTLE, s.mover, fighter, s.where[number], g.CAPTAIN, g.CAPTAIN, BOTH_LEAVE)
            remove(s, r, s.where[number])


@helper
def stop_fight(s: StateRow) -> None:
    s.fight = g.NO_FIGHT
    s.fighter = g.NONE
    for k in range(4):
        s.targets[k] = g.NONE
