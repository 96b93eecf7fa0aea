"""A turn from its first card to its last move: what each action does (CQ-10 to CQ-17, CQ-21)."""

from gonfalon.engine.jit import Row, helper, shared
from gonfalon.engine.kernels import note
from gonfalon.games.conquest.rules.cards import (
    count_cards,
    discard_table,
    draw_unit,
    drop_choice,
    enter,
    enter_master,
    look,
    miss,
    put_back,
    regroup,
    shuffle,
    sort_chosen,
)
from gonfalon.games.conquest.rules.flags import capture, end, has_flag, last_flag, raise_flag
from gonfalon.games.conquest.rules.moves import can_move, fight, note_combat, walk
from gonfalon.games.conquest.rules.start import draw_lot, pick, place, set_up
from gonfalon.games.conquest.rules.turn_end import NEXT, controller_of, end_turn
from gonfalon.games.conquest.rules.units import fall, first_at, owner_of, relocate, show_to_all
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
    ATTACKED,
    BETRAYED,
    BLITZ,
    BY_FLAGS,
    CARD,
    DRAW,
    ENTERED,
    FLAG,
    GUESS,
    IN_HAND,
    LOG_AIMED,
    LOG_ATTACKED,
    LOG_CARD,
    LOG_DREW,
    LOG_GUESSED,
    LOG_HIT,
    LOG_NO_CARD,
    LOG_NO_MOVE,
    LOG_STOPPED,
    LOG_TURN,
    LOOKED,
    MOVE,
    MOVED,
    NEW_MASTER,
    NONE,
    ORDER,
    RAISE,
    REGROUP,
    REGROUPED,
    REINFORCEMENTS,
    SECRET,
    STARTING,
    SURPRISE,
    TRAITOR,
    UNIT,
    WON,
    ZONES,
)

# ---- one action ---------------------------------------------------------------------------------------------------


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


# ---- cards --------------------------------------------------------------------------------------------------------


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
        remember(s, REGROUPED, s.chosen[0], s.chosen[1], s.chosen[2])
        finish_card(s, r)


@helper
def guess(s: Row, r: Row, kind: int) -> None:
    """CQ-32."""
    player, zone = s.mover, s.chosen[0]
    slot = s.at[zone]
    note(s, LOG_CARD, player, TRAITOR, 0, 0, 0)
    note(s, LOG_GUESSED, player, zone, kind, owner_of(slot), 0)
    remember(s, BETRAYED, zone, NONE, NONE)
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
    remember(s, kind, zone, other, NONE)
    finish_card(s, r)


@helper
def remember(s: Row, kind: int, zone: int, other: int, third: int) -> None:
    """The last act, for a screen."""
    s.last[0] = kind
    s.last[1] = zone
    s.last[2] = other
    s.last[3] = third


@helper
def finish_card(s: Row, r: Row) -> None:
    drop_choice(s)
    discard_table(s)
    begin_moves(s, r)


# ---- moves --------------------------------------------------------------------------------------------------------


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
    remember(s, MOVED if enemy == NONE else ATTACKED, begin, finish, NONE)
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
