"""A turn from its first draw to its end, the deal before play, and who acts next (CG-2 to CG-5, CG-10 to CG-14)."""

from gonfalon.engine.jit import Row, helper, shared
from gonfalon.engine.kernels import note
from gonfalon.games.cardgame.rules.battle import attack, list_looks, look_at_hand, look_at_line, remember
from gonfalon.games.cardgame.rules.cards import add_to_hand, count_gaps, gather, line_place
from gonfalon.games.cardgame.rules.laying import close, is_laid, lay, legal_lays
from gonfalon.games.cardgame.state import (
    ACT,
    ACT_ATTACK,
    ACT_DRAW,
    ACT_LAY,
    ACT_LOOK_HAND,
    ACT_LOOK_LINE,
    ACT_TRICK,
    BOMB,
    BY_FLAG,
    BY_NO_ATTACKERS,
    BY_QUIET,
    DEALT,
    DRAW,
    FLAG,
    HAND,
    LAY,
    LINE,
    LOG_DREW,
    LOG_LAID,
    LOG_OVER,
    LOG_READY,
    LOG_START,
    LOG_TRICK,
    LOOKS,
    NONE,
    OVER,
    SCOUT,
    SPY,
    TRICKED,
    TYPES,
)

CHANCE = -1
"""As `engine.game.CHANCE`: kernels take it for a player."""


@shared
def legal_actions(s: Row, player: int, out: Row) -> int:
    """Writes the player's legal actions, or those of CHANCE, ascending, and returns how many there are."""
    if s.phase == LAY:
        return legal_lays(s, player, out, 0) if player >= 0 else 0
    if s.phase == DRAW:
        return legal_draws(s, out) if player == CHANCE else 0
    if s.phase == ACT and player == s.mover:
        return legal_acts(s, player, out)
    return 0


@helper
def next_actor(s: Row) -> int:
    """Who acts next; of two who lay, red while it is not ready."""
    if s.phase == DRAW:
        return CHANCE
    if s.phase == LAY and not s.started:
        return 1 if is_laid(s, 0) else 0
    return s.mover


@helper
def legal_draws(s: Row, out: Row) -> int:
    n = 0
    for kind in range(1, TYPES):
        if s.pile[s.mover, kind]:
            out[n] = ACT_DRAW + kind
            n += 1
    return n


@helper
def legal_acts(s: Row, side: int, out: Row) -> int:
    """CG-6 to CG-10: what the cards of the line can do."""
    n, first = 0, line_place(side, 0)
    for k in range(LINE):
        if may_attack(s.kind[first + k]):
            for enemy in range(LINE):
                if s.kind[line_place(1 - side, enemy)]:
                    out[n] = ACT_ATTACK + k * LINE + enemy
                    n += 1
    for k in range(LINE):
        if s.kind[first + k] == SPY:
            out[n] = ACT_LOOK_HAND + k
            n += 1
    for k in range(LINE):
        if s.kind[first + k] == SCOUT:
            n = list_looks(s, 1 - side, ACT_LOOK_LINE + k * LOOKS, out, n)
    for k in range(LINE):
        if s.kind[first + k] == FLAG:
            out[n] = ACT_TRICK
            n += 1
    return n


@helper
def may_attack(kind: int) -> bool:
    """CG-8: Bombs and the Flag never attack."""
    return 0 < kind < BOMB


@shared
def act(s: Row, r: Row, player: int, action: int) -> None:
    """Applies a legal action in place."""
    s.n_log = 0
    if action >= ACT_DRAW:
        draw(s, action - ACT_DRAW)
        go_on(s)
    elif action < ACT_ATTACK:
        lay(s, player, action - ACT_LAY)
        if is_laid(s, player):
            finish_lay(s, r, player)
    elif action < ACT_LOOK_HAND:
        if attack(s, player, (action - ACT_ATTACK) // LINE, (action - ACT_ATTACK) % LINE):
            s.turn += 1
            end(s, BY_FLAG, player)
        else:
            third_step(s, r)
    elif action < ACT_LOOK_LINE:
        look_at_hand(s, player, action - ACT_LOOK_HAND)
        third_step(s, r)
    elif action < ACT_TRICK:
        look_at_line(s, player, (action - ACT_LOOK_LINE) // LOOKS, (action - ACT_LOOK_LINE) % LOOKS)
        third_step(s, r)
    else:
        trick(s, player)
        go_on(s)


@helper
def draw(s: Row, kind: int) -> None:
    add_to_hand(s, s.mover, kind)
    note(s, LOG_DREW, s.mover, kind, 0, 0, 0)


@helper
def trick(s: Row, side: int) -> None:
    """CG-10: the Flag is shown; line, hand and pile are shuffled together."""
    for k in range(LINE):
        if s.kind[line_place(side, k)] == FLAG:
            remember(s, TRICKED, line_place(side, k), NONE, NONE)
            note(s, LOG_TRICK, side, line_place(side, k), 0, 0, 0)
    gather(s, side)
    s.anew = 1
    s.quiet += 1


@helper
def go_on(s: Row) -> None:
    """Draws while cards are due (CG-2, CG-4, CG-5, CG-10); then who must lay lays, and else the second step comes."""
    while True:
        wanted = HAND if s.started and not s.anew else DEALT
        if s.n_hand[s.mover] < wanted and s.n_pile[s.mover] > 0:
            s.phase = DRAW
            return
        if s.started or s.mover == 1:
            break
        s.mover = 1
    if not s.started:
        s.mover = 0
        s.phase = LAY
    elif s.anew:
        s.phase = LAY
    else:
        second_step(s)


@helper
def second_step(s: Row) -> None:
    """CG-13: who has no card in the line that could attack has lost, whatever is in hand or pile."""
    s.phase = ACT
    for k in range(LINE):
        if may_attack(s.kind[line_place(s.mover, k)]):
            return
    end(s, BY_NO_ATTACKERS, 1 - s.mover)


@helper
def third_step(s: Row, r: Row) -> None:
    """CG-4: gaps are filled by their owner, as far as the hand reaches. Even where there is only one way to do it: no
    question at all would tell that the hand is all of one kind.
    """
    if s.n_hand[s.mover] > 0 and count_gaps(s, s.mover) > 0:
        s.phase = LAY
    else:
        end_turn(s, r)


@helper
def finish_lay(s: Row, r: Row, side: int) -> None:
    if s.started:
        note(s, LOG_LAID, side, close(s, side), 0, 0, 0)
        s.anew = 0
        end_turn(s, r)
        return
    note(s, LOG_READY, side, 0, 0, 0, 0)
    if is_laid(s, 0) and is_laid(s, 1):
        s.started = 1
        close(s, 0)
        close(s, 1)
        note(s, LOG_START, 0, 0, 0, 0, 0)
        go_on(s)


@helper
def end_turn(s: Row, r: Row) -> None:
    """Counts the turn and looks for CG-14 before the other side's first step."""
    s.turn += 1
    s.mover = 1 - s.mover
    if s.quiet >= r.max_quiet_turns:
        end(s, BY_QUIET, NONE)
    else:
        go_on(s)


@helper
def end(s: Row, reason: int, winner: int) -> None:
    """The match is over; `winner`: side or NONE."""
    s.phase = OVER
    s.over = reason
    s.winner = winner
    note(s, LOG_OVER, winner, reason, 0, 0, 0)
