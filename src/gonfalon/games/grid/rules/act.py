"""A turn from its first action to its end: moves, powers, what they bring about, and whose turn is next."""

from gonfalon.engine.jit import Row, helper, index, shared
from gonfalon.games.grid.rules.battle import attack, carry, is_enemy
from gonfalon.games.grid.rules.ends import end, look_at_both_sides, look_at_counts
from gonfalon.games.grid.rules.log import note
from gonfalon.games.grid.rules.moves import legal_turns, move_end
from gonfalon.games.grid.rules.powers import (
    draw_sword,
    legal_targets,
    next_targets,
    order_matters,
    stop_fight,
    strike,
    use_apple,
)
from gonfalon.games.grid.rules.repetition import count_chase
from gonfalon.games.grid.rules.returns import (
    legal_picks,
    legal_places,
    may_rescue,
    next_healer,
    pick,
    place_returned,
)
from gonfalon.games.grid.rules.start import legal_placements, place
from gonfalon.games.grid.state import (
    ACT_APPLE,
    ACT_DEPLOY,
    ACT_PICK,
    ACT_PLACE,
    ACT_SWORD,
    ACT_TARGET,
    ATTACKED,
    BY_FLAG,
    COLUMNS,
    DEPLOY,
    HEAL,
    LOG_ATTACKED,
    LOG_MOVED,
    LOG_RAN,
    MOVE_TO,
    NO_FIGHT,
    NONE,
    OFF,
    OVER,
    RESCUE,
    RING,
    RUNNING,
    SCOUT,
    SEEN,
    TARGET,
    TURN,
    TYPE,
)


@shared
def legal_actions(s: Row, r: Row, player: int, out: Row) -> int:
    """Writes the player's legal actions, ascending, and returns how many there are."""
    if s.phase == DEPLOY:
        return legal_placements(s, r, player, out, 0)
    if s.phase == OVER or player != s.actor:
        return 0
    if s.phase == TURN:
        return legal_turns(s, r, player, out, 0)
    if s.phase == TARGET:
        return legal_targets(s, out, 0)
    if s.phase == HEAL or s.phase == RESCUE:
        return legal_picks(s, player, out, 0)
    return legal_places(s, r, player, out, 0)


@shared
def act(s: Row, r: Row, player: int, action: int) -> None:
    """Applies a legal action in place."""
    s.n_log = 0
    if action < ACT_DEPLOY:
        move(s, r, player, action // MOVE_TO, move_end(action))
    elif action < ACT_APPLE:
        place(s, r, player, action - ACT_DEPLOY)
    elif action < ACT_SWORD:
        record_turn(s, NONE, NONE, NONE, ATTACKED)
        use_apple(s, r, player, action - ACT_APPLE)
        start_fight(s, r)
    elif action < ACT_TARGET:
        record_turn(s, NONE, NONE, NONE, ATTACKED)
        draw_sword(s, r, player, (action - ACT_SWORD) // 6, (action - ACT_SWORD) % 6)
        start_fight(s, r)
    elif action < ACT_PICK:
        finish_strike(s, r, s.number[action - ACT_TARGET])
        go_on(s, r)
    elif action < ACT_PLACE:
        pick(s, player, action - ACT_PICK)
        if s.chosen == 0:
            go_on(s, r)
    else:
        place_returned(s, player, action - ACT_PLACE)
        go_on(s, r)


@helper
def record_turn(s: Row, begin: int, finish: int, piece: int, kind: int) -> None:
    at = s.turn % RING
    s.ring_from[index(at)] = begin
    s.ring_to[index(at)] = finish
    s.ring_piece[index(at)] = piece
    s.ring_kind[index(at)] = kind


@helper
def start_fight(s: Row, r: Row) -> None:
    """GR-39: a Sword or an Apple ends both chases."""
    s.chase[0] = 0
    s.chase[1] = 0
    go_on(s, r)


@helper
def move(s: Row, r: Row, player: int, begin: int, finish: int) -> None:
    attacks = is_enemy(s, finish, player)
    piece = s.number[begin]
    record_turn(s, begin, finish, piece, ATTACKED if attacks else 0)
    flag_taken = False
    if attacks:
        note(s, LOG_ATTACKED, player, begin, finish, 0, 0, 0)
        flag_taken = attack(s, r, begin, finish)
    else:
        show_run(s, player, begin, finish)
        carry(s, begin, finish)
    if flag_taken:
        win_by_flag(s, player)
        return
    if r.chase_rule:
        count_chase(s, r, player, begin, finish, attacks)
    s.arrived = finish if s.where[piece] != OFF else NONE
    if s.heal[0] or s.heal[1] or r.rescue:
        go_on(s, r)
    else:
        end_turn(s, r)


@helper
def show_run(s: Row, player: int, begin: int, finish: int) -> None:
    """GR-7: a Scout that moves more than one square is known to be one."""
    distance = abs(finish - begin)
    if distance != 1 and distance != COLUMNS and not s.marks[begin] & SEEN:
        s.marks[begin] |= SEEN
        note(s, LOG_RAN, player, begin, finish, SCOUT, 0, 0)
    else:
        note(s, LOG_MOVED, player, begin, finish, s.board[begin] & TYPE, 0, 0)


@helper
def win_by_flag(s: Row, player: int) -> None:
    """GR-18; nothing is healed any more (GR-30)."""
    s.turn += 1
    s.quiet = 0
    s.heal[0] = 0
    s.heal[1] = 0
    stop_fight(s)
    s.arrived = NONE
    end(s, BY_FLAG, player)


@helper
def finish_strike(s: Row, r: Row, number: int) -> None:
    if strike(s, r, number):
        win_by_flag(s, s.mover)


@helper
def go_on(s: Row, r: Row) -> None:
    """What the turn still holds, in order: Shrouds, the rest of a fight, a Rescue. Stops where a player must decide."""
    while s.over == RUNNING:
        healer = next_healer(s)
        if healer != NONE:
            s.phase = HEAL
            s.actor = healer
            return
        if s.fight != NO_FIGHT:
            number, equal = next_targets(s)
            if number == NONE:
                stop_fight(s)
            elif equal > 1 and order_matters(s, r, number):
                s.phase = TARGET
                s.actor = s.mover
                return
            else:
                finish_strike(s, r, number)
            continue
        if may_rescue(s, r):
            s.phase = RESCUE
            s.actor = s.mover
            return
        end_turn(s, r)
        return


@helper
def end_turn(s: Row, r: Row) -> None:
    """Counts the turn (GR-20), passes it on, and looks for the end (GR-19 before GR-20)."""
    attacked = s.ring_kind[s.turn % RING] & ATTACKED
    s.turn += 1
    s.quiet = 0 if attacked else s.quiet + 1
    s.arrived = NONE
    s.mover = 1 - s.mover
    s.actor = s.mover
    s.phase = TURN
    look_at_both_sides(s, r)
    look_at_counts(s, r)
