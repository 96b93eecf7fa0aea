"""A turn from its first draw to its end, the deal before play, and the next player (CG-2 to CG-5, CG-10 to CG-14)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.battle import attack, look_at_hand, look_at_line, remember
from gonfalon.games.cardgame.rules.cards import add_to_hand, count_gaps, gather, line_place
from gonfalon.games.cardgame.rules.ends import end
from gonfalon.games.cardgame.rules.laying import close, is_laid, lay
from gonfalon.games.cardgame.rules.legal import may_attack


@helper
def act(s: StateRow, r: RulesRow, player: int, action: int) -> None:
    """Apply a legal action in place."""
    s.n_log = 0
    if action >= g.ACT_DRAW:
        draw(s, action - g.ACT_DRAW)
        go_on(s)
    elif action < g.ACT_ATTACK:
        lay(s, player, action - g.ACT_LAY)
        if is_laid(s, player):
            finish_lay(s, r, player)
    elif action < g.ACT_LOOK_HAND:
        if attack(s, player, (action - g.ACT_ATTACK) // g.LINE, (action - g.ACT_ATTACK) % g.LINE):
            s.turn += 1
            end(s, g.BY_FLAG, player)
        else:
            begin_third_step(s, r)
    elif action < g.ACT_LOOK_LINE:
        look_at_hand(s, player, action - g.ACT_LOOK_HAND)
        begin_third_step(s, r)
    elif action < g.ACT_TRICK:
        look_at_line(s, player, (action - g.ACT_LOOK_LINE) // g.LOOKS, (action - g.ACT_LOOK_LINE) % g.LOOKS)
        begin_third_step(s, r)
    else:
        do_trick(s, player)
        go_on(s)


@helper
def draw(s: StateRow, kind: int) -> None:
    add_to_hand(s, s.mover, kind)
    note(s, g.LOG_DREW, s.mover, kind, 0, 0, 0)


@helper
def do_trick(s: StateRow, side: int) -> None:
    """CG-10: show the Flag and shuffle line, hand and pile together."""
    for k in range(g.LINE):
        if s.kind[line_place(side, k)] == g.FLAG:
            remember(s, g.TRICKED, line_place(side, k), g.NONE, g.NONE)
            note(s, g.LOG_TRICK, side, line_place(side, k), 0, 0, 0)
    gather(s, side)
    s.anew = 1
    s.quiet += 1


@helper
def go_on(s: StateRow) -> None:
    """Go on to the next draw while cards are due (CG-2, CG-4, CG-5, CG-10). Then go on to laying cards if they must be
    laid, else to the second step.
    """
    while True:
        wanted = g.HAND if s.started and not s.anew else g.DEALT
        if s.n_hand[s.mover] < wanted and s.n_pile[s.mover] > 0:
            s.phase = g.DRAW
            return
        if s.started or s.mover == 1:
            break
        s.mover = 1
    if not s.started:
        s.mover = 0
        s.phase = g.LAY
    elif s.anew:
        s.phase = g.LAY
    else:
        begin_second_step(s)


@helper
def begin_second_step(s: StateRow) -> None:
    """Begin the second step. CG-13: a side whose line has no card that can attack has lost, whatever is in its hand or
    pile.
    """
    s.phase = g.ACT
    for k in range(g.LINE):
        if may_attack(s.kind[line_place(s.mover, k)]):
            return
    end(s, g.BY_NO_ATTACKERS, 1 - s.mover)


@helper
def begin_third_step(s: StateRow, r: RulesRow) -> None:
    """Begin the third step. CG-4: a player fills the gaps as far as the cards in the hand allow. The player decides
    even if there is only one way to fill them; otherwise the enemy would learn that all cards of the hand have one
    type.
    """
    if s.n_hand[s.mover] > 0 and count_gaps(s, s.mover) > 0:
        s.phase = g.LAY
    else:
        end_turn(s, r)


@helper
def finish_lay(s: StateRow, r: RulesRow, side: int) -> None:
    if s.started:
        note(s, g.LOG_LAID, side, close(s, side), 0, 0, 0)
        s.anew = 0
        end_turn(s, r)
        return
    note(s, g.LOG_READY, side, 0, 0, 0, 0)
    if is_laid(s, 0) and is_laid(s, 1):
        s.started = 1
        close(s, 0)
        close(s, 1)
        note(s, g.LOG_START, 0, 0, 0, 0, 0)
        go_on(s)


@helper
def end_turn(s: StateRow, r: RulesRow) -> None:
    """Count the turn, and check CG-14 before the other side's first step."""
    s.turn += 1
    s.mover = 1 - s.mover
    if s.quiet >= r.max_quiet_turns:
        end(s, g.BY_QUIET, g.NONE)
    else:
        go_on(s)
