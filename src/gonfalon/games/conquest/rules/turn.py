"""A turn from its first card to its last move: the effects of each action (CQ-10 to CQ-17, CQ-21)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.conquest import state as g
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
from gonfalon.games.conquest.rules.flags import capture, end, find_last_flag, has_flag, raise_flag
from gonfalon.games.conquest.rules.moves import can_move, fight, note_combat, walk
from gonfalon.games.conquest.rules.start import draw_lot, pick, place, place_all
from gonfalon.games.conquest.rules.turn_end import NEXT, controller_of, end_turn
from gonfalon.games.conquest.rules.units import fall, find_first, owner_of, relocate, show_to_all

# ---- one action ---------------------------------------------------------------------------------------------------


@helper
def act(s: StateRow, r: RulesRow, player: int, action: int) -> None:
    """Apply a legal action in place."""
    s.n_log = 0
    if action >= g.ACT_START:
        draw(s, r, action)
    elif action >= g.ACT_MOVE:
        move(s, r, (action - g.ACT_MOVE) // g.ZONES, (action - g.ACT_MOVE) % g.ZONES)
    elif action == g.ACT_STOP:
        note(s, g.LOG_STOPPED, player, 0, 0, 0, 0)
        end_turn(s, r)
    elif action >= g.ACT_GUESS:
        guess(s, r, action - g.ACT_GUESS)
    elif action >= g.ACT_ZONE:
        name(s, r, action - g.ACT_ZONE)
    elif action == g.ACT_NO_CARD:
        note(s, g.LOG_NO_CARD, player, 0, 0, 0, 0)
        finish_card(s, r)
    elif action >= g.ACT_CARD:
        play(s, action - g.ACT_CARD)
        if s.playing == g.NONE:
            finish_card(s, r)
    elif action >= g.ACT_PICK:
        pick(s, r, action - g.ACT_PICK)
    elif s.phase == g.ORDER:
        order(s, r, action - g.ACT_PLACE)
    elif place(s, r, player, action - g.ACT_PLACE):
        begin_battle(s, r)
    begin_turns(s, r)


@helper
def begin_turns(s: StateRow, r: RulesRow) -> None:
    """Begin turns until a decision or a draw is due. A turn without a card or a move ends at once."""
    while s.phase == NEXT:
        begin_turn(s, r)


@helper
def draw(s: StateRow, r: RulesRow, action: int) -> None:
    """Carry out a draw of chance: a lot, a card, or a unit from the reserve."""
    if s.phase == g.STARTING:
        draw_lot(s, r, action - g.ACT_START)
    elif s.phase == g.DRAW:
        draw_card(s, r, action - g.ACT_DRAW)
    else:
        draw_unit(s, r, s.mover, action - g.ACT_UNIT)
        s.phase = g.AIM


@helper
def begin_battle(s: StateRow, r: RulesRow) -> None:
    place_all(s, r)
    for t in range(r.territories):
        s.control[t] = controller_of(s, t)
    s.phase = NEXT


# ---- cards --------------------------------------------------------------------------------------------------------


@helper
def count_cards_due(s: StateRow, r: RulesRow, player: int) -> int:
    """CQ-10, CQ-21: return the number of cards for a player whose turn begins now."""
    held = 0
    for t in range(r.territories):
        if s.control[t] == player:
            held += 1
    return held // 2 if has_flag(s, player) else 0


@helper
def count_moves(s: StateRow, r: RulesRow, player: int) -> int:
    """CQ-13: return the number of moves for a player whose turn begins now."""
    moves = 1
    for t in range(r.territories):
        if s.control[t] == player:
            moves += r.city[t]
    return moves


@helper
def begin_turn(s: StateRow, r: RulesRow) -> None:
    """Begin the mover's turn. CQ-10, CQ-13, CQ-21: the territories controlled now decide the number of cards and
    moves.
    """
    s.due = count_cards_due(s, r, s.mover)
    s.moves = count_moves(s, r, s.mover)
    s.made = 0
    note(s, g.LOG_TURN, s.mover, s.due, s.moves, 0, 0)
    go_on_drawing(s, r)


@helper
def go_on_drawing(s: StateRow, r: RulesRow) -> None:
    """Go on to the next draw. CQ-11: a new pile is made only when a card must be drawn and the pile is empty."""
    if s.due and count_cards(s.pile) == 0:
        if count_cards(s.discard):
            shuffle(s, 0)
        else:
            s.due = 0
    if s.due:
        s.phase = g.DRAW
    elif count_cards(s.table):
        s.phase = g.CARD
    else:
        begin_moves(s, r)


@helper
def draw_card(s: StateRow, r: RulesRow, card: int) -> None:
    s.pile[card] -= 1
    s.table[card] += 1
    s.due -= 1
    note(s, g.LOG_DREW, s.mover, card, 0, 0, 0)
    go_on_drawing(s, r)


@helper
def play(s: StateRow, card: int) -> None:
    """Play a card, which begins its choices. A Blitz! (CQ-33) has no choices and is carried out at once."""
    if card == g.BLITZ or card == g.REINFORCEMENTS or card == g.SURPRISE:
        note(s, g.LOG_CARD, s.mover, card, 0, 0, 0)
    if card == g.BLITZ:
        s.moves += 2
        return
    s.playing = card
    s.phase = g.UNIT if card == g.REINFORCEMENTS or card == g.SURPRISE else g.AIM


@helper
def name(s: StateRow, r: RulesRow, zone: int) -> None:
    """Name a zone: for a card, or for a recaptured Flag."""
    player = s.mover
    if s.phase == g.RAISE:
        raise_flag(s, r, player, zone)
        if s.playing == g.NONE:
            next_move(s, r)
        else:
            finish_card(s, r)
        return
    if s.playing == g.REINFORCEMENTS or s.playing == g.SURPRISE:
        enter(s, player, find_first(s, player, g.IN_HAND), zone)
        finish_at(s, r, g.ENTERED, zone, g.NONE)
    elif s.playing == g.NEW_MASTER:
        enter_master(s, r, player, zone)
        finish_at(s, r, g.ENTERED, zone, g.NONE)
    else:
        choose(s, r, zone)


@helper
def choose(s: StateRow, r: RulesRow, zone: int) -> None:
    """Choose one of the zones for a Regroup, Secret Information or the Traitor."""
    note(s, g.LOG_AIMED, s.mover, zone, s.playing, 0, 0)
    s.chosen[s.n_chosen] = zone
    s.n_chosen += 1
    if s.playing == g.TRAITOR:
        s.phase = g.GUESS
    elif s.playing == g.REGROUP and s.n_chosen == 3:
        sort_chosen(s)
        s.phase = g.ORDER
    elif s.playing == g.SECRET and s.n_chosen == 2:
        look(s, r, s.mover)
        finish_at(s, r, g.LOOKED, s.chosen[0], s.chosen[1])


@helper
def order(s: StateRow, r: RulesRow, kind: int) -> None:
    put_back(s, s.mover, kind)
    if s.n_ordered == 3:
        regroup(s, r, s.mover)
        remember(s, g.REGROUPED, s.chosen[0], s.chosen[1], s.chosen[2])
        finish_card(s, r)


@helper
def guess(s: StateRow, r: RulesRow, kind: int) -> None:
    """CQ-32: carry out the Traitor's guess."""
    player, zone = s.mover, s.chosen[0]
    slot = s.at[zone]
    note(s, g.LOG_CARD, player, g.TRAITOR, 0, 0, 0)
    note(s, g.LOG_GUESSED, player, zone, kind, owner_of(slot), 0)
    remember(s, g.BETRAYED, zone, g.NONE, g.NONE)
    if s.kind[slot] != kind:
        miss(s, r, player, slot, kind)
        finish_card(s, r)
        return
    note(s, g.LOG_HIT, owner_of(slot), zone, kind, 0, 0)
    show_to_all(s, r, slot)
    if kind != g.FLAG:
        fall(s, slot)
        finish_card(s, r)
    elif not take_flag(s, r, player, slot):
        finish_card(s, r)


@helper
def finish_at(s: StateRow, r: RulesRow, kind: int, zone: int, other: int) -> None:
    remember(s, kind, zone, other, g.NONE)
    finish_card(s, r)


@helper
def remember(s: StateRow, kind: int, zone: int, other: int, third: int) -> None:
    """Store the last act, for screens."""
    s.last[0] = kind
    s.last[1] = zone
    s.last[2] = other
    s.last[3] = third


@helper
def finish_card(s: StateRow, r: RulesRow) -> None:
    drop_choice(s)
    discard_table(s)
    begin_moves(s, r)


# ---- moves --------------------------------------------------------------------------------------------------------


@helper
def begin_moves(s: StateRow, r: RulesRow) -> None:
    """Begin the moves. CQ-16: without a legal move the turn ends without penalty."""
    s.phase = g.MOVE
    if not can_move(s, r, s.mover):
        note(s, g.LOG_NO_MOVE, s.mover, 0, 0, 0, 0)
        end_turn(s, r)


@helper
def move(s: StateRow, r: RulesRow, begin: int, finish: int) -> None:
    """CQ-14, CQ-15, CQ-17: move to an empty zone or into combat."""
    slot, enemy = s.at[begin], s.at[finish]
    s.made += 1
    s.moves -= 1
    remember(s, g.MOVED if enemy == g.NONE else g.ATTACKED, begin, finish, g.NONE)
    if enemy == g.NONE:
        walk(s, r, slot, finish)
    else:
        note(s, g.LOG_ATTACKED, s.mover, begin, finish, 0, 0)
        show_to_all(s, r, slot)
        show_to_all(s, r, enemy)
        if s.kind[enemy] != g.FLAG:
            fight(s, slot, enemy)
        else:
            note_combat(s, slot, enemy, g.WON)
            stops = take_flag(s, r, s.mover, enemy)
            relocate(s, slot, finish)
            if stops:
                return
    next_move(s, r)


@helper
def take_flag(s: StateRow, r: RulesRow, player: int, slot: int) -> bool:
    """Capture a Flag. Return whether the turn stops here, because the match is over (CQ-24) or the player's own Flag
    must be raised.
    """
    regained = capture(s, r, player, slot)
    winner = find_last_flag(s, r)
    if winner != g.NONE:
        drop_choice(s)
        end(s, g.BY_FLAGS, winner)
        return True
    if regained:
        s.phase = g.RAISE
    return regained


@helper
def next_move(s: StateRow, r: RulesRow) -> None:
    """CQ-13: go on to the next move. If no move is left, the turn ends."""
    s.phase = g.MOVE
    if s.moves == 0 or not can_move(s, r, s.mover):
        end_turn(s, r)
