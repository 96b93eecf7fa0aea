"""A turn from its first card to its end, who acts next, and how the match ends (CQ-9 to CQ-13, CQ-25, CQ-26)."""

from gonfalon.engine.jit import Row, helper, shared
from gonfalon.engine.kernels import note
from gonfalon.games.conquest.rules.cards import (
    count_cards,
    discard_table,
    draw_unit,
    draw_weight,
    drop_choice,
    enter,
    enter_master,
    legal_cards,
    legal_empty,
    legal_guesses,
    legal_names,
    legal_orders,
    look,
    miss,
    put_back,
    regroup,
    reserve_weight,
    shuffle,
    sort_chosen,
)
from gonfalon.games.conquest.rules.flags import (
    capture,
    end,
    has_flag,
    last_flag,
    next_with_flag,
    pass_flags,
    raise_flag,
)
from gonfalon.games.conquest.rules.moves import can_move, fight, legal_moves, note_combat, walk
from gonfalon.games.conquest.rules.start import (
    draw_lot,
    legal_picks,
    legal_places,
    next_lot,
    next_pick,
    next_to_deploy,
    pick,
    place,
    set_up,
)
from gonfalon.games.conquest.rules.units import (
    clear_army,
    fall,
    first_at,
    may_move,
    owner_of,
    relocate,
    show_to_all,
)
from gonfalon.games.conquest.rules.visible import is_choice_open
from gonfalon.games.conquest.state import (
    ACT_CARD,
    ACT_DRAW,
    ACT_GUESS,
    ACT_MOVE,
    ACT_NO_CARD,
    ACT_PICK,
    ACT_PLACE,
    ACT_START,
    ACT_STOP,
    ACT_UNIT,
    ACT_ZONE,
    AIM,
    ARMY,
    ATTACKED,
    BETRAYED,
    BLITZ,
    BY_FLAGS,
    BY_QUIET,
    BY_RESIGNING,
    BY_ROUNDS,
    CARD,
    DEPLOY,
    DRAFT,
    DRAW,
    ENTERED,
    FLAG,
    GUESS,
    IN,
    IN_HAND,
    IN_TERRITORY,
    LOG_AIMED,
    LOG_ATTACKED,
    LOG_CARD,
    LOG_CONTROL,
    LOG_DREW,
    LOG_GUESSED,
    LOG_HIT,
    LOG_NO_CARD,
    LOG_NO_MOVE,
    LOG_RESIGNED,
    LOG_SKIPPED,
    LOG_STOPPED,
    LOG_TURN,
    LOOKED,
    MOVE,
    MOVED,
    NEW_MASTER,
    NONE,
    ORDER,
    OVER,
    RAISE,
    REGROUP,
    REINFORCEMENTS,
    RESERVE,
    RESIGNED,
    SECRET,
    SKIPPED,
    STARTING,
    SURPRISE,
    TRAITOR,
    TYPES,
    UNIT,
    WON,
    ZONES,
)

CHANCE = -1
"""As `engine.game.CHANCE`: kernels take it for a player."""
NEXT = OVER + 1
"""Phase within a step: the mover's turn is to begin."""

# ---- what is legal -----------------------------------------------------------------------------------------------


@shared
def legal_actions(s: Row, r: Row, player: int, out: Row) -> int:
    """Writes the player's legal actions, or those of CHANCE, ascending, and returns how many there are."""
    if player == CHANCE:
        return legal_draws(s, r, out)
    if s.phase == DEPLOY:
        return legal_places(s, r, player, out)
    if player != s.mover:
        return 0
    if s.phase == MOVE:
        return legal_moves(s, r, player, out)
    if s.phase == CARD:
        return legal_cards(s, r, player, out)
    if s.phase == DRAFT:
        return legal_picks(s, r, out)
    if s.phase == AIM:
        return legal_names(s, r, player, out)
    if s.phase == ORDER:
        return legal_orders(s, out)
    if s.phase == GUESS:
        return legal_guesses(r, out)
    return legal_empty(s, r, out) if s.phase == RAISE else 0


@helper
def chance_weight(s: Row, r: Row, action: int) -> int:
    """How likely a draw of chance is, beside the others: 0 if it cannot be."""
    if s.phase == STARTING and ACT_START <= action < ACT_DRAW:
        return r.army[action - ACT_START]
    if s.phase == DRAW and ACT_DRAW <= action < ACT_UNIT:
        return draw_weight(s, action - ACT_DRAW)
    if s.phase == UNIT and ACT_UNIT < action < ACT_UNIT + TYPES:
        return reserve_weight(s, action - ACT_UNIT)
    return 0


@helper
def legal_draws(s: Row, r: Row, out: Row) -> int:
    n = 0
    if is_chance(s):
        for action in range(ACT_START, ACT_UNIT + TYPES):
            if chance_weight(s, r, action) > 0:
                out[n] = action
                n += 1
    return n


@helper
def is_chance(s: Row) -> bool:
    return s.phase == STARTING or s.phase == DRAW or s.phase == UNIT


@helper
def next_actor(s: Row, r: Row) -> int:
    """Who acts next; of several who deploy, the first who is not ready."""
    if is_chance(s):
        return CHANCE
    return next_to_deploy(s, r) if s.phase == DEPLOY else s.mover


# ---- one action --------------------------------------------------------------------------------------------------


@shared
def act(s: Row, r: Row, player: int, action: int) -> None:
    """Applies a legal action in place."""
    s.n_log = 0
    if action >= ACT_START:
        draw(s, r, action)
    elif action >= ACT_MOVE:
        move(s, r, (action - ACT_MOVE) // ZONES, (action - ACT_MOVE) % ZONES)
    elif action == ACT_STOP:
        note(s, LOG_STOPPED, player, 0, 0, 0, 0)
        end_turn(s, r)
    elif action >= ACT_GUESS:
        guess(s, r, action - ACT_GUESS)
    elif action >= ACT_ZONE:
        name(s, r, action - ACT_ZONE)
    elif action == ACT_NO_CARD:
        note(s, LOG_NO_CARD, player, 0, 0, 0, 0)
        finish_card(s, r)
    elif action >= ACT_CARD:
        play(s, action - ACT_CARD)
        if s.playing == NONE:
            finish_card(s, r)
    elif action >= ACT_PICK:
        pick(s, r, action - ACT_PICK)
    elif s.phase == ORDER:
        order(s, r, action - ACT_PLACE)
    elif place(s, r, player, action - ACT_PLACE):
        begin_battle(s, r)
    begin_turns(s, r)


@helper
def begin_turns(s: Row, r: Row) -> None:
    """Turns begin, and without a card and a move end, until somebody must decide."""
    while s.phase == NEXT:
        begin_turn(s, r)


@helper
def draw(s: Row, r: Row, action: int) -> None:
    """What chance draws: a lot, a card, a unit of the reserve."""
    if s.phase == STARTING:
        draw_lot(s, r, action - ACT_START)
    elif s.phase == DRAW:
        draw_card(s, r, action - ACT_DRAW)
    else:
        draw_unit(s, r, s.mover, action - ACT_UNIT)
        s.phase = AIM


@helper
def begin_battle(s: Row, r: Row) -> None:
    set_up(s, r)
    for t in range(r.territories):
        s.control[t] = controller_of(s, t)
    s.phase = NEXT


# ---- cards -------------------------------------------------------------------------------------------------------


@helper
def begin_turn(s: Row, r: Row) -> None:
    """CQ-10, CQ-13, CQ-21: how many cards and moves, by the control at this moment."""
    held = cities = 0
    for t in range(r.territories):
        if s.control[t] == s.mover:
            held += 1
            cities += r.city[t]
    s.due = held // 2 if has_flag(s, s.mover) else 0
    s.moves = 1 + cities
    s.made = 0
    note(s, LOG_TURN, s.mover, s.due, s.moves, 0, 0)
    go_on_drawing(s, r)


@helper
def go_on_drawing(s: Row, r: Row) -> None:
    """CQ-11: a new pile is made only when a card must be drawn and none is there."""
    if s.due and count_cards(s.pile) == 0:
        if count_cards(s.discard):
            shuffle(s, 0)
        else:
            s.due = 0
    if s.due:
        s.phase = DRAW
    elif count_cards(s.table):
        s.phase = CARD
    else:
        begin_moves(s, r)


@helper
def draw_card(s: Row, r: Row, card: int) -> None:
    s.pile[card] -= 1
    s.table[card] += 1
    s.due -= 1
    note(s, LOG_DREW, s.mover, card, 0, 0, 0)
    go_on_drawing(s, r)


@helper
def play(s: Row, card: int) -> None:
    """The card's choices begin, or for Blitz! (CQ-33) are over at once."""
    if card == BLITZ or card == REINFORCEMENTS or card == SURPRISE:
        note(s, LOG_CARD, s.mover, card, 0, 0, 0)
    if card == BLITZ:
        s.moves += 2
        return
    s.playing = card
    s.phase = UNIT if card == REINFORCEMENTS or card == SURPRISE else AIM


@helper
def name(s: Row, r: Row, zone: int) -> None:
    """A zone is named: for a card, or for a recaptured Flag."""
    player = s.mover
    if s.phase == RAISE:
        raise_flag(s, r, player, zone)
        if s.playing == NONE:
            next_move(s, r)
        else:
            finish_card(s, r)
        return
    if s.playing == REINFORCEMENTS or s.playing == SURPRISE:
        enter(s, player, first_at(s, player, IN_HAND), zone)
        finish_at(s, r, ENTERED, zone, NONE)
    elif s.playing == NEW_MASTER:
        enter_master(s, r, player, zone)
        finish_at(s, r, ENTERED, zone, NONE)
    else:
        choose(s, r, zone)


@helper
def choose(s: Row, r: Row, zone: int) -> None:
    """One of the zones that a Regroup, Secret Information or the Traitor is about."""
    note(s, LOG_AIMED, s.mover, zone, s.playing, 0, 0)
    s.chosen[s.n_chosen] = zone
    s.n_chosen += 1
    if s.playing == TRAITOR:
        s.phase = GUESS
    elif s.playing == REGROUP and s.n_chosen == 3:
        sort_chosen(s)
        s.phase = ORDER
    elif s.playing == SECRET and s.n_chosen == 2:
        look(s, r, s.mover)
        finish_at(s, r, LOOKED, s.chosen[0], s.chosen[1])


@helper
def order(s: Row, r: Row, kind: int) -> None:
    put_back(s, s.mover, kind)
    if s.n_ordered == 3:
        regroup(s, r, s.mover)
        finish_card(s, r)


@helper
def guess(s: Row, r: Row, kind: int) -> None:
    """CQ-32."""
    player, zone = s.mover, s.chosen[0]
    slot = s.at[zone]
    note(s, LOG_CARD, player, TRAITOR, 0, 0, 0)
    note(s, LOG_GUESSED, player, zone, kind, owner_of(slot), 0)
    remember(s, BETRAYED, zone, NONE)
    if s.kind[slot] != kind:
        miss(s, r, player, slot, kind)
        finish_card(s, r)
        return
    note(s, LOG_HIT, owner_of(slot), zone, kind, 0, 0)
    show_to_all(s, r, slot)
    if kind != FLAG:
        fall(s, slot)
        finish_card(s, r)
    elif not take_flag(s, r, player, slot):
        finish_card(s, r)


@helper
def finish_at(s: Row, r: Row, kind: int, zone: int, other: int) -> None:
    remember(s, kind, zone, other)
    finish_card(s, r)


@helper
def remember(s: Row, kind: int, zone: int, other: int) -> None:
    """The last act, for a screen."""
    s.last[0] = kind
    s.last[1] = zone
    s.last[2] = other


@helper
def finish_card(s: Row, r: Row) -> None:
    drop_choice(s)
    discard_table(s)
    begin_moves(s, r)


# ---- moves -------------------------------------------------------------------------------------------------------


@helper
def begin_moves(s: Row, r: Row) -> None:
    """CQ-16: without a legal move the turn ends without penalty."""
    s.phase = MOVE
    if not can_move(s, r, s.mover):
        note(s, LOG_NO_MOVE, s.mover, 0, 0, 0, 0)
        end_turn(s, r)


@helper
def move(s: Row, r: Row, begin: int, finish: int) -> None:
    """CQ-14, CQ-15, CQ-17: a move to an empty zone, or into combat."""
    slot, enemy = s.at[begin], s.at[finish]
    s.made += 1
    s.moves -= 1
    remember(s, MOVED if enemy == NONE else ATTACKED, begin, finish)
    if enemy == NONE:
        walk(s, r, slot, finish)
    else:
        note(s, LOG_ATTACKED, s.mover, begin, finish, 0, 0)
        show_to_all(s, r, slot)
        show_to_all(s, r, enemy)
        if s.kind[enemy] != FLAG:
            fight(s, slot, enemy)
        else:
            note_combat(s, slot, enemy, WON)
            stops = take_flag(s, r, s.mover, enemy)
            relocate(s, slot, finish)
            if stops:
                return
    next_move(s, r)


@helper
def take_flag(s: Row, r: Row, player: int, slot: int) -> bool:
    """A Flag is captured; whether the turn stops here: the match is over (CQ-24), or the own Flag is to be raised."""
    regained = capture(s, r, player, slot)
    winner = last_flag(s, r)
    if winner != NONE:
        drop_choice(s)
        end(s, BY_FLAGS, winner)
        return True
    if regained:
        s.phase = RAISE
    return regained


@helper
def next_move(s: Row, r: Row) -> None:
    """CQ-13: the turn ends by itself when no move is left."""
    s.phase = MOVE
    if s.moves == 0 or not can_move(s, r, s.mover):
        end_turn(s, r)


# ---- the end of a turn -------------------------------------------------------------------------------------------


@helper
def controller_of(s: Row, t: int) -> int:
    """CQ-9: the only player with units in the territory, or NONE."""
    found = NONE
    for zone in range(t * IN_TERRITORY, (t + 1) * IN_TERRITORY):
        if s.at[zone] != NONE:
            player = owner_of(s.at[zone])
            if found != NONE and found != player:
                return NONE
            found = player
    return found


@helper
def look_at_control(s: Row, r: Row) -> None:
    for t in range(r.territories):
        player = controller_of(s, t)
        if player != s.control[t]:
            s.control[t] = player
            s.stirred = 1
            note(s, LOG_CONTROL, player, t, 0, 0, 0)


@helper
def end_turn(s: Row, r: Row) -> None:
    look_at_control(s, r)
    pass_turn(s, r)


@helper
def pass_turn(s: Row, r: Row) -> None:
    """The next player who is not out begins; every seat counts for the rounds (CQ-26)."""
    s.turn += 1
    s.moves = 0
    s.made = 0
    while True:
        s.mover = (s.mover + 1) % r.players
        if s.mover == s.start:
            end_round(s, r)
            if s.phase == OVER:
                return
        if s.out[s.mover] == IN and not is_skipped(s, r, s.mover):
            s.phase = NEXT
            return


@helper
def end_round(s: Row, r: Row) -> None:
    s.rounds += 1
    s.quiet = 0 if s.stirred else s.quiet + 1
    s.stirred = 0
    if s.quiet >= r.max_quiet_rounds:
        end(s, BY_QUIET, NONE)
    elif s.rounds >= r.max_rounds:
        end(s, BY_ROUNDS, NONE)


@helper
def is_skipped(s: Row, r: Row, player: int) -> bool:
    """CQ-25: a player without a Flag and without a unit that moves is out for good; what he has left is Cursed Lands."""
    if has_flag(s, player):
        return False
    for slot in range(player * ARMY, (player + 1) * ARMY):
        if s.zone[slot] < RESERVE and may_move(s.kind[slot]):
            return False
    s.out[player] = SKIPPED
    note(s, LOG_SKIPPED, player, 0, 0, 0, 0)
    for slot in range(player * ARMY, (player + 1) * ARMY):
        if s.zone[slot] < RESERVE:
            show_to_all(s, r, slot)
    return True


# ---- resigning ---------------------------------------------------------------------------------------------------


@helper
def resign(s: Row, r: Row, player: int) -> None:
    """CQ-25; before the battle his share of the map stays empty."""
    s.n_log = 0
    note(s, LOG_RESIGNED, player, 0, 0, 0, 0)
    s.out[player] = RESIGNED
    if s.started:
        leave_battle(s, r, player)
    else:
        leave_start(s, r, player)
    begin_turns(s, r)


@helper
def leave_start(s: Row, r: Row, player: int) -> None:
    s.contends[player] = 0
    s.lot[player] = 0
    s.holder[player] = NONE
    s.placed[player] = 0
    for k in range(ZONES):
        s.laid[player, k] = 0
    if last_flag(s, r) != NONE:
        end(s, BY_RESIGNING, last_flag(s, r))
    elif s.phase == STARTING:
        next_lot(s, r)
    elif s.phase == DRAFT:
        next_pick(s, r)
    elif next_to_deploy(s, r) == NONE:
        begin_battle(s, r)


@helper
def leave_battle(s: Row, r: Row, player: int) -> None:
    if player == s.mover or is_choice_open(s):
        drop_choice(s)
        s.phase = CARD if player != s.mover else s.phase
    clear_army(s, player)
    if has_flag(s, player):
        s.holder[player] = NONE
    pass_flags(s, r, player, next_with_flag(s, r, player))
    look_at_control(s, r)
    if last_flag(s, r) != NONE:
        drop_choice(s)
        end(s, BY_RESIGNING, last_flag(s, r))
    elif player == s.mover:
        s.due = 0
        discard_table(s)
        pass_turn(s, r)
