"""The quick policy: decides for a player with that player's knowledge, without a search. Unseen cards count as the rest
of the deck.
"""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import draw_below
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play import weights as w
from gonfalon.games.cardgame.play.features import stage_of
from gonfalon.games.cardgame.rules.battle import FIRST, SECOND, result_of
from gonfalon.games.cardgame.rules.cards import line_place
from gonfalon.games.cardgame.rules.legal import may_attack

TAKES_FLAG = 12.0
"""Value of taking the Flag, in log odds."""

# Sections of the scratch array `box`.
ODDS, SEEN, GAIN, WORTH, OWN, THEIRS = 0, 13, 18, 23, 36, 49
BOX = 96


@helper
def is_told(s: StateRow, observer: int, place: int) -> bool:
    """Return whether the observer knows the type of this card itself, not just of its group."""
    if not s.known[observer, place]:
        return False
    side = place // g.SIDE_PLACES
    for other in range(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES):
        if other != place and s.group[observer, other] == s.group[observer, place]:
            return False
    return True


@helper
def weigh(s: StateRow, r: RulesRow, side: int, p: Numbers, box: Numbers) -> None:
    """Fill `box`: the likelihood of each type for an unseen card of the enemy line, the seen cards, the worth of each
    type, and the cost of showing it.
    """
    enemy = 1 - side
    hidden, total = 0, 0.0
    for kind in range(1, g.TYPES):
        box[ODDS + kind] = r.deck[kind] - s.lost[enemy, kind]
    for place in range(enemy * g.SIDE_PLACES, (enemy + 1) * g.SIDE_PLACES):
        if s.known[side, place]:
            box[ODDS + s.kind[place]] -= 1
    for k in range(g.LINE):
        place = line_place(enemy, k)
        box[SEEN + k] = s.kind[place] if s.kind[place] and is_told(s, side, place) else 0
        if s.kind[place] and not box[SEEN + k]:
            hidden += 1
    free = s.n_hand[enemy] + s.n_pile[enemy] > 0
    for kind in range(1, g.TYPES):
        if free:
            box[ODDS + kind] *= p[w.LAID + kind]
        total += box[ODDS + kind]
    stage = stage_of(s, r)
    for kind in range(1, g.TYPES):
        if total > 0.0:
            box[ODDS + kind] /= total
        box[WORTH + kind] = p[w.WORTH + kind] + stage * p[w.WORTH + g.TYPES + kind]
    box[WORTH + g.FLAG] = TAKES_FLAG
    for kind in range(1, g.TYPES):
        shown = p[w.SHOWN + kind] + stage * p[w.SHOWN + g.TYPES + kind]
        worth = box[WORTH + kind] if kind < g.FLAG else 3.0
        box[OWN + kind] = shown + p[w.DANGER] * worth * fear(kind, hidden, box)
        box[THEIRS + kind] = shown + p[w.DANGER] * worth * can_beat(s, side, kind)


@helper
def fear(kind: int, hidden: int, box: Numbers) -> float:
    """Return the probability that the enemy line has a card that beats this type."""
    safe, one = 1.0, 0.0
    for theirs in range(1, g.BOMB):
        if result_of(theirs, kind) == g.WON:
            one += box[ODDS + theirs]
            for k in range(g.LINE):
                if box[SEEN + k] == theirs:
                    return 1.0
    for _ in range(hidden):
        safe *= 1.0 - one
    return 1.0 - safe


@helper
def can_beat(s: StateRow, side: int, kind: int) -> float:
    """Return whether a card of the side's line beats this type (1.0 or 0.0)."""
    for k in range(g.LINE):
        mine = s.kind[line_place(side, k)]
        if may_attack(mine) and result_of(mine, kind) == g.WON:
            return 1.0
    return 0.0


@helper
def gain_of(mine: int, theirs: int, own_told: bool, told: bool, box: Numbers) -> float:
    """Return the value of an attack, in log odds."""
    result = result_of(mine, theirs)
    own = box[OWN + mine]
    gain = 0.0
    if result != g.LOST:
        gain += box[WORTH + theirs] - (box[THEIRS + theirs] if told else 0.0)
    elif not told:
        gain += box[THEIRS + theirs]
    if result != g.WON:
        gain -= box[WORTH + mine] - (own if own_told else 0.0)
    elif not own_told:
        gain -= own
    return gain


@helper
def prepare(s: StateRow, r: RulesRow, side: int, p: Numbers, box: Numbers) -> None:
    """Fill `box` for `value_act`."""
    weigh(s, r, side, p, box)
    for k in range(g.LINE):
        mine = s.kind[line_place(side, k)]
        told = s.known[1 - side, line_place(side, k)] != 0
        box[GAIN + k] = 0.0
        if may_attack(mine):
            for kind in range(1, g.TYPES):
                if box[ODDS + kind] > 0.0:
                    box[GAIN + k] += box[ODDS + kind] * gain_of(mine, kind, told, False, box)


@helper
def choose_act(s: StateRow, r: RulesRow, side: int, n: int, p: Numbers, box: Numbers, counter: Numbers) -> int:
    """Choose one of the n legal acts in `r.ids`."""
    prepare(s, r, side, p, box)
    ids = r.ids
    best, chosen = -1e9, ids[0]
    for j in range(n):
        value = value_act(s, side, ids[j], p, box) + p[w.NOISE] * draw_below(counter, 1024) / 1024.0
        if value > best:
            best, chosen = value, ids[j]
    return chosen


@helper
def value_act(s: StateRow, side: int, action: int, p: Numbers, box: Numbers) -> float:
    if action < g.ACT_LOOK_HAND:
        own, enemy = (action - g.ACT_ATTACK) // g.LINE, (action - g.ACT_ATTACK) % g.LINE
        theirs = int(box[SEEN + enemy])
        if not theirs:
            return box[GAIN + own]
        told = s.known[1 - side, line_place(side, own)] != 0
        mine = s.kind[line_place(side, own)]
        gain = gain_of(mine, theirs, told, True, box)
        if result_of(mine, theirs) != g.LOST:
            gain += p[w.GUARD] * threat(s, side, theirs, box)
        return gain
    if action < g.ACT_LOOK_LINE:
        own = action - g.ACT_LOOK_HAND
        return p[w.HAND] - shows(s, side, own, box)
    if action < g.ACT_TRICK:
        own, pair = (action - g.ACT_LOOK_LINE) // g.LOOKS, (action - g.ACT_LOOK_LINE) % g.LOOKS
        return p[w.LOOK] * looks(pair, box) - shows(s, side, own, box)
    return value_trick(s, side, p, box)


@helper
def threat(s: StateRow, side: int, theirs: int, box: Numbers) -> float:
    """Return the worth of the best known card of the side that this enemy card beats."""
    most = 0.0
    if theirs >= g.BOMB:
        return most
    for k in range(g.LINE):
        place = line_place(side, k)
        mine = s.kind[place]
        if mine and mine < g.FLAG and s.known[1 - side, place] and result_of(theirs, mine) == g.WON:
            most = max(most, box[WORTH + mine])
    return most


@helper
def shows(s: StateRow, side: int, own: int, box: Numbers) -> float:
    """Return the cost of showing a card of the side's line."""
    place = line_place(side, own)
    return 0.0 if s.known[1 - side, place] else box[OWN + s.kind[place]]


@helper
def looks(pair: int, box: Numbers) -> float:
    """Return the value of knowing the cards at which a Scout would look."""
    mean, hidden = 0.0, 0
    for kind in range(1, g.TYPES):
        mean += box[ODDS + kind] * box[THEIRS + kind]
    if pair >= len(FIRST):
        return 0.0 if box[SEEN + pair - len(FIRST)] else mean
    if not box[SEEN + FIRST[pair]]:
        hidden += 1
    if not box[SEEN + SECOND[pair]]:
        hidden += 1
    return mean * hidden


@helper
def value_trick(s: StateRow, side: int, p: Numbers, box: Numbers) -> float:
    total = p[w.TRICK]
    for k in range(g.LINE):
        place = line_place(side, k)
        if s.kind[place] and s.known[1 - side, place]:
            total += box[OWN + s.kind[place]]
    return total


@helper
def choose_lay(s: StateRow, r: RulesRow, side: int, n: int, p: Numbers, box: Numbers, counter: Numbers) -> int:
    """Choose one of the n cards in `r.ids` that may be laid on the next gap."""
    ids = r.ids
    bombs = 0
    fresh = s.anew != 0 or s.started == 0
    for k in range(g.LINE):
        if s.kind[line_place(side, k)] == g.BOMB or s.laid[side, k] == g.BOMB:
            bombs += 1
    weigh(s, r, side, p, box)
    best, chosen = -1e9, ids[0]
    for j in range(n):
        kind = ids[j] - g.ACT_LAY
        value = p[(w.FIRST if fresh else w.LAY) + kind] + p[w.LAY_NOISE] * draw_below(counter, 1024) / 1024.0
        if kind == g.BOMB:
            value -= p[w.CROWD] * bombs
        if may_attack(kind):
            value += p[w.BEATS] * find_prey(kind, box) - p[w.FEARS] * box[OWN + kind]
        if value > best:
            best, chosen = value, ids[j]
    return chosen


@helper
def find_prey(kind: int, box: Numbers) -> float:
    """Return the worth of the best seen enemy card that a card of this type beats."""
    most = 0.0
    if kind >= g.BOMB:
        return most
    for k in range(g.LINE):
        theirs = int(box[SEEN + k])
        if theirs and result_of(kind, theirs) == g.WON and box[WORTH + theirs] > most:
            most = box[WORTH + theirs]
    return most
