"""Before the battle: lots decide who starts, then come the choice of territories and the hidden deployment (CQ-4, CQ-6
to CQ-8).
"""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.units import put


@helper
def set_up(s: StateRow, r: RulesRow) -> None:
    """Set up the state before the first lot is drawn. `s` must be all zeros."""
    clear_map(s)
    for slot in range(g.UNITS):
        s.zone[slot] = g.GONE
        for observer in range(g.OBSERVERS):
            s.group[observer, slot] = slot
    for player in range(g.PLAYERS):
        s.holder[player] = player if player < r.players else g.NONE
        s.contends[player] = player < r.players
    for card in range(g.CARDS):
        s.pile[card] = r.deck[card]
    s.traitor_last = r.deck[g.TRAITOR] > 0
    s.start = g.NONE
    s.winner = g.NONE
    s.playing = g.NONE


@helper
def clear_map(s: StateRow) -> None:
    for zone in range(g.ZONES):
        s.at[zone] = g.NONE
    for t in range(g.TERRITORIES):
        s.owner[t] = g.NONE
        s.control[t] = g.NONE
    for k in range(3):
        s.chosen[k] = g.NONE
    for k in range(1, 4):
        s.last[k] = g.NONE


# ---- who starts --------------------------------------------------------------------------------------------------


@helper
def draw_lot(s: StateRow, r: RulesRow, kind: int) -> None:
    """CQ-4: the mover draws a unit from the full bag. All see this unit."""
    s.lot[s.mover] = kind
    note(s, g.LOG_START_DREW, s.mover, kind, 0, 0, 0)
    next_lot(s, r)


@helper
def next_lot(s: StateRow, r: RulesRow) -> None:
    """Find the player who draws next. When all have drawn, or only one player is left, decide who starts."""
    contenders, last = 0, g.NONE
    s.phase = g.STARTING
    for player in range(r.players):
        if s.contends[player]:
            contenders += 1
            last = player
    if contenders == 1:
        begin_draft(s, r, last)
        return
    for player in range(r.players):
        if s.contends[player] and s.lot[player] == 0:
            s.mover = player
            return
    compare_lots(s, r)


@helper
def lot_rank(kind: int) -> int:
    """Return a unit's rank in the draw for the start (CQ-4): Cursed Land 0, Flag 11."""
    if kind == g.CURSED_LAND:
        return 0
    return 11 if kind == g.FLAG else kind


@helper
def find_winning_lot(s: StateRow, r: RulesRow) -> int:
    """Return the type that starts: the highest one, or a Spy Master if the highest one is a King."""
    best, master = 0, False
    for player in range(r.players):
        if s.contends[player]:
            if best == 0 or lot_rank(s.lot[player]) > lot_rank(best):
                best = s.lot[player]
            master = master or s.lot[player] == g.SPY_MASTER
    return g.SPY_MASTER if best == g.KING and master else best


@helper
def compare_lots(s: StateRow, r: RulesRow) -> None:
    """Compare the lots. Tied players draw again. After MOST_TIES ties the first of the tied players starts, so that a
    match cannot go on for ever.
    """
    best, tied, first = find_winning_lot(s, r), 0, g.NONE
    for player in range(r.players):
        s.contends[player] = s.contends[player] and s.lot[player] == best
        if s.contends[player]:
            tied += 1
            if first == g.NONE:
                first = player
    s.ties += 1
    if tied == 1 or s.ties == g.MOST_TIES:
        begin_draft(s, r, first)
        return
    note(s, g.LOG_START_TIE, g.NONE, 0, 0, 0, 0)
    for player in range(r.players):
        if s.contends[player]:
            s.lot[player] = 0
    s.mover = first


# ---- territories -------------------------------------------------------------------------------------------------


@helper
def begin_draft(s: StateRow, r: RulesRow, starter: int) -> None:
    s.start = starter
    for player in range(g.PLAYERS):
        s.contends[player] = 0
    note(s, g.LOG_STARTS, starter, 0, 0, 0, 0)
    s.phase = g.DRAFT
    next_pick(s, r)


@helper
def snake_seat(s: StateRow, r: RulesRow, pick: int) -> int:
    """Return the player who makes this pick (CQ-6): 1..n, n..1, ... clockwise from the starting player."""
    turn = pick % r.players
    if (pick // r.players) % 2:
        turn = r.players - 1 - turn
    return (s.start + turn) % r.players


@helper
def next_pick(s: StateRow, r: RulesRow) -> None:
    """Pass the choice to the next player. Players who have resigned are skipped; their share stays without an owner."""
    while s.picks < r.territories and s.out[snake_seat(s, r, s.picks)] != g.IN:
        s.picks += 1
    if s.picks < r.territories:
        s.mover = snake_seat(s, r, s.picks)
    else:
        s.phase = g.DEPLOY
        s.mover = s.start


@helper
def legal_picks(s: StateRow, r: RulesRow, out: Numbers) -> int:
    n = 0
    for t in range(r.territories):
        if s.owner[t] == g.NONE:
            out[n] = g.ACT_PICK + t
            n += 1
    return n


@helper
def pick(s: StateRow, r: RulesRow, t: int) -> None:
    s.owner[t] = s.mover
    s.picks += 1
    note(s, g.LOG_PICKED, s.mover, t, 0, 0, 0)
    next_pick(s, r)


# ---- deployment --------------------------------------------------------------------------------------------------


@helper
def count_owned_zones(s: StateRow, r: RulesRow, player: int) -> int:
    """Return the number of zones in which the player may place units."""
    n = 0
    for t in range(r.territories):
        if s.owner[t] == player:
            n += g.IN_TERRITORY
    return n


@helper
def find_owned_zone(s: StateRow, r: RulesRow, player: int, k: int) -> int:
    """Return the k-th zone, counted from 0, in which the player may place units."""
    for t in range(r.territories):
        if s.owner[t] == player:
            if k < g.IN_TERRITORY:
                return t * g.IN_TERRITORY + k
            k -= g.IN_TERRITORY
    return g.NONE


@helper
def is_ready(s: StateRow, r: RulesRow, player: int) -> bool:
    """CQ-7: return whether the player's deployment is final. A player who is out counts as ready."""
    return s.out[player] != g.IN or s.placed[player] == count_owned_zones(s, r, player)


@helper
def next_to_deploy(s: StateRow, r: RulesRow) -> int:
    """Return the first player who is not ready, or NONE."""
    for player in range(r.players):
        if not is_ready(s, r, player):
            return player
    return g.NONE


@helper
def count_left_to_place(s: StateRow, r: RulesRow, player: int, kind: int) -> int:
    left = r.army[kind]
    for k in range(s.placed[player]):
        if s.laid[player, k] == kind:
            left -= 1
    return left


@helper
def legal_places(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    """CQ-7: list what may go on the next zone. It may stay empty if enough zones are left for the remaining units."""
    if is_ready(s, r, player):
        return 0
    n = units = 0
    for kind in range(1, g.TYPES):
        units += count_left_to_place(s, r, player, kind)
    if units < count_owned_zones(s, r, player) - s.placed[player]:
        out[n] = g.ACT_PLACE
        n += 1
    for kind in range(1, g.TYPES):
        if count_left_to_place(s, r, player, kind) > 0:
            out[n] = g.ACT_PLACE + kind
            n += 1
    return n


@helper
def place(s: StateRow, r: RulesRow, player: int, kind: int) -> bool:
    """Decide the next zone of the player's deployment. Return whether all players are now ready."""
    k = s.placed[player]
    s.laid[player, k] = kind
    s.placed[player] = k + 1
    note(s, g.LOG_PLACED, player, kind, find_owned_zone(s, r, player, k), 0, 0)
    if not is_ready(s, r, player):
        return False
    note(s, g.LOG_READY, player, 0, 0, 0, 0)
    return next_to_deploy(s, r) == g.NONE


@helper
def place_all(s: StateRow, r: RulesRow) -> None:
    """Put all deployments on the map. Slots follow the order of the zones, so they reveal nothing."""
    for player in range(r.players):
        slot = player * g.ARMY
        for k in range(s.placed[player]):
            kind = s.laid[player, k]
            if kind:
                s.kind[slot] = kind
                put(s, slot, find_owned_zone(s, r, player, k))
                slot += 1
            s.laid[player, k] = 0
        s.placed[player] = 0
    s.stirred = 0
    s.started = 1
    s.mover = s.start
    while s.out[s.mover] != g.IN:
        s.mover = (s.mover + 1) % r.players
    note(s, g.LOG_BATTLE_BEGINS, 0, 0, 0, 0, 0)
