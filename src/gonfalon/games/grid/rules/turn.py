"""A turn from its first action to its end: moves, powers, their consequences, and the next player."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.battle import attack, is_enemy, move_piece
from gonfalon.games.grid.rules.ends import end, judge_both_sides, judge_counts
from gonfalon.games.grid.rules.log import note, record_turn
from gonfalon.games.grid.rules.moves import move_end
from gonfalon.games.grid.rules.powers import (
    draw_sword,
    next_targets,
    order_matters,
    stop_fight,
    strike,
    use_apple,
)
from gonfalon.games.grid.rules.repetition import count_chase
from gonfalon.games.grid.rules.returns import (
    may_rescue,
    next_healer,
    pick,
    place_returned,
)
from gonfalon.games.grid.rules.start import place


@helper
def act(s: StateRow, r: RulesRow, player: int, action: int) -> None:
    """Applies a legal action in place."""
    s.n_log = 0
    if action < g.ACT_DEPLOY:
        move(s, r, player, action // g.MOVE_TO, move_end(action))
    elif action < g.ACT_APPLE:
        place(s, r, player, action - g.ACT_DEPLOY)
    elif action < g.ACT_SWORD:
        record_turn(s, g.NONE, g.NONE, g.NONE, g.ATTACKED)
        use_apple(s, r, player, action - g.ACT_APPLE)
        start_fight(s, r)
    elif action < g.ACT_TARGET:
        record_turn(s, g.NONE, g.NONE, g.NONE, g.ATTACKED)
        draw_sword(s, r, player, (action - g.ACT_SWORD) // 6, (action - g.ACT_SWORD) % 6)
        start_fight(s, r)
    elif action < g.ACT_PICK:
        finish_strike(s, r, s.number[action - g.ACT_TARGET])
        go_on(s, r)
    elif action < g.ACT_PLACE:
        pick(s, player, action - g.ACT_PICK)
        if s.chosen == 0:
            go_on(s, r)
    else:
        place_returned(s, player, action - g.ACT_PLACE)
        go_on(s, r)


@helper
def start_fight(s: StateRow, r: RulesRow) -> None:
    """Begins a fight. GR-39: a Sword or an Apple ends both chases."""
    s.chase[0] = 0
    s.chase[1] = 0
    go_on(s, r)


@helper
def move(s: StateRow, r: RulesRow, player: int, begin: int, finish: int) -> None:
    attacks = is_enemy(s, finish, player)
    piece = s.number[begin]
    record_turn(s, begin, finish, piece, g.ATTACKED if attacks else 0)
    flag_taken = False
    if attacks:
        note(s, g.LOG_ATTACKED, player, begin, finish, 0, 0, 0)
        flag_taken = attack(s, r, begin, finish)
    else:
        show_run(s, player, begin, finish)
        move_piece(s, begin, finish)
    if flag_taken:
        win_by_flag(s, player)
        return
    if r.chase_rule:
        count_chase(s, r, player, begin, finish, attacks)
    s.arrived = finish if s.where[piece] != g.OFF else g.NONE
    if s.heal[0] or s.heal[1] or r.rescue:
        go_on(s, r)
    else:
        end_turn(s, r)


@helper
def show_run(s: StateRow, player: int, begin: int, finish: int) -> None:
    """GR-7: a Scout that moves more than one square is known to be a Scout."""
    distance = abs(finish - begin)
    if distance != 1 and distance != g.COLUMNS and not s.marks[begin] & g.SEEN:
        s.marks[begin] |= g.SEEN
        note(s, g.LOG_RAN, player, begin, finish, g.SCOUT, 0, 0)
    else:
        note(s, g.LOG_MOVED, player, begin, finish, s.board[begin] & g.TYPE, 0, 0)


@helper
def win_by_flag(s: StateRow, player: int) -> None:
    """GR-18: the player wins by taking the Flag. Nothing is healed any more (GR-30)."""
    s.turn += 1
    s.quiet = 0
    s.heal[0] = 0
    s.heal[1] = 0
    stop_fight(s)
    s.arrived = g.NONE
    end(s, g.BY_FLAG, player)


@helper
def finish_strike(s: StateRow, r: RulesRow, number: int) -> None:
    if strike(s, r, number):
        win_by_flag(s, s.mover)


@helper
def go_on(s: StateRow, r: RulesRow) -> None:
    """Continues the turn, in this order: Shrouds, the rest of a fight, a Rescue. Stops where a player must decide."""
    while s.over == g.RUNNING:
        healer = next_healer(s)
        if healer != g.NONE:
            s.phase = g.HEAL
            s.actor = healer
            return
        if s.fight != g.NO_FIGHT:
            number, equal = next_targets(s)
            if number == g.NONE:
                stop_fight(s)
            elif equal > 1 and order_matters(s, r, number):
                s.phase = g.TARGET
                s.actor = s.mover
                return
            else:
                finish_strike(s, r, number)
            continue
        if may_rescue(s, r):
            s.phase = g.RESCUE
            s.actor = s.mover
            return
        end_turn(s, r)
        return


@helper
def end_turn(s: StateRow, r: RulesRow) -> None:
    """Counts the turn (GR-20), passes it to the other side, and checks for an end (GR-19 before GR-20)."""
    attacked = s.ring_kind[s.turn % g.RING] & g.ATTACKED
    s.turn += 1
    s.quiet = 0 if attacked else s.quiet + 1
    s.arrived = g.NONE
    s.mover = 1 - s.mover
    s.actor = s.mover
    s.phase = g.TURN
    judge_both_sides(s, r)
    judge_counts(s, r)
