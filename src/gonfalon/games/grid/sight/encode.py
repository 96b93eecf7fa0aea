"""Observation planes. Every plane is listed here once, with its meaning. Reads views, never states."""

from __future__ import annotations

from gonfalon.engine.compiled.jit import Numbers, RulesRow, ViewRow, helper
from gonfalon.engine.learning.observation import PAST, FormRow, Plane, fill, form_type, number_of, put
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.moves import is_forbidden, is_restrained, move_end, possible_moves
from gonfalon.games.grid.rules.repetition import find_barrier
from gonfalon.games.grid.ruleset import TYPES

_TYPES = TYPES[1:]
_OWNERS = ("own", "enemy")
PHASES = ("deploy", "turn", "heal", "heal place", "target", "rescue", "rescue place", "over")

PLANES: tuple[Plane, ...] = (
    *(Plane(f"own {name}", "1 on squares with an own piece of this type") for name in _TYPES),
    *(Plane(f"enemy {name}", "1 on squares with an enemy piece known to be of this type") for name in _TYPES),
    Plane("enemy unknown", "1 on squares with an enemy piece of unknown type"),
    *(Plane(f"{owner} moved", "1 where the piece has moved") for owner in _OWNERS),
    *(Plane(f"{owner} seen", "1 where both players know the type") for owner in _OWNERS),
    *(Plane(f"enemy not {name}", "1 on enemy pieces publicly known not to be of this type") for name in _TYPES),
    Plane("blocked", "1 on squares that nothing enters"),
    Plane("last from", "1 on the square that the last move left"),
    Plane("last to", "1 on the square where the last move ended"),
    *(Plane(f"{owner} lost {name}", "all squares: pieces lost, of 8") for owner in _OWNERS for name in _TYPES),
    *(Plane(f"own left {name}", "all squares, while placing: still to place, of 40") for name in ("empty", *_TYPES)),
    Plane("own turn", "all squares: 1 if the viewer is to act"),
    *(Plane(f"phase {name}", "all squares: 1 in this phase") for name in PHASES),
    *(Plane(f"{owner} apple used", "all squares: 1 if the side has used its Apple") for owner in _OWNERS),
    *(Plane(f"{owner} rescues", "all squares: rescues used, of 2") for owner in _OWNERS),
    *(Plane(f"{owner} chase", "all squares: chase length (GR-10), of 256") for owner in _OWNERS),
    Plane("turn", "all squares: completed turns, of 2000, at most 1"),
    Plane("quiet", "all squares: turns without an attack, of 256, at most 1"),
    Plane("viewer is red", "all squares: 1 for red"),
    Plane("forbidden", "1 on squares that an own piece may not enter now because of GR-9 or GR-10"),
)
FORM = form_type(len(PLANES), g.SQUARES)

# Numbers of planes. Those of types stand one before the first, because types begin at 1.
_OWN, _ENEMY, _NOT = (number_of(PLANES, f"{name} {_TYPES[0]}") - 1 for name in ("own", "enemy", "enemy not"))
_UNKNOWN, _MOVED, _SEEN = (number_of(PLANES, name) for name in ("enemy unknown", "own moved", "own seen"))
_BLOCKED, _FROM, _TO = (number_of(PLANES, name) for name in ("blocked", "last from", "last to"))
_LOST, _LEFT = number_of(PLANES, f"own lost {_TYPES[0]}") - 1, number_of(PLANES, "own left empty")
_OWN_TURN, _PHASE, _APPLE = (number_of(PLANES, name) for name in ("own turn", "phase deploy", "own apple used"))
_RESCUES, _CHASE = number_of(PLANES, "own rescues"), number_of(PLANES, "own chase")
_TURN, _QUIET, _RED, _FORBIDDEN = (number_of(PLANES, name) for name in ("turn", "quiet", "viewer is red", "forbidden"))
_PAST = len(PLANES)
_PAST_PLANES = len(PAST)
_LAST_TYPE = g.TYPES - 1


@helper
def fill_planes(v: ViewRow, r: RulesRow, form: FormRow, planes: Numbers) -> None:
    """Fill `planes`, all zeros, with the view `v`. Row 0 is nearest to red. A spectator has red's planes, without red's
    secrets.
    """
    me = 1 if v.observer == 1 else 0
    for square in range(r.squares):
        fill_square(v, me, square, form, planes)
    fill_counts(v, me, form, planes)
    fill_past(v, form, planes)
    if form.plane[_FORBIDDEN] >= 0 and v.n_legal > 0 and v.phase == g.TURN:
        fill_forbidden(v, r, me, form, planes)


@helper
def fill_square(v: ViewRow, me: int, square: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes that describe the piece on a square."""
    piece = v.board[square]
    if piece == g.BLOCKED and form.cell[square] >= 0:  # squares that are not there have no cell
        put(planes, form, _BLOCKED, square, 1.0)
    if not piece & g.ANY_SIDE:
        return
    kind = piece & g.TYPE
    enemy = 0 if piece & (g.RED << me) else 1
    if kind == g.HIDDEN:
        put(planes, form, _UNKNOWN, square, float(enemy))
    elif enemy:
        put(planes, form, _ENEMY + kind, square, 1.0)
    else:
        put(planes, form, _OWN + kind, square, 1.0)
    if v.marks[square] & g.MOVED:
        put(planes, form, _MOVED + enemy, square, 1.0)
    if v.marks[square] & g.SEEN:
        put(planes, form, _SEEN + enemy, square, 1.0)
    if enemy and v.ruled_out[square]:
        for other in range(1, g.TYPES):
            if v.ruled_out[square] & (1 << other):
                put(planes, form, _NOT + other, square, 1.0)


@helper
def fill_counts(v: ViewRow, me: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes that have one value for the whole board."""
    n = form.cells
    for owner in range(2):
        side = owner ^ me
        for kind in range(1, g.TYPES):
            fill(planes, form, _LOST + owner * _LAST_TYPE + kind, 0, n, v.lost[side, kind] / 8)
        fill(planes, form, _APPLE + owner, 0, n, float(v.apple_used[side]))
        fill(planes, form, _RESCUES + owner, 0, n, v.rescues[side] / 2)
        fill(planes, form, _CHASE + owner, 0, n, v.chase[side] / 256)
    for kind in range(g.TYPES):
        fill(planes, form, _LEFT + kind, 0, n, v.left[me, kind] / 40)
    if v.n_legal > 0:
        fill(planes, form, _OWN_TURN, 0, n, 1.0)
    fill(planes, form, _PHASE + v.phase, 0, n, 1.0)
    fill(planes, form, _TURN, 0, n, v.turn / 2000)
    fill(planes, form, _QUIET, 0, n, v.quiet / 256)
    if me == 0:
        fill(planes, form, _RED, 0, n, 1.0)


@helper
def fill_past(v: ViewRow, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of the last move, and of the past moves that the form wants. A missed turn is no move."""
    wanted = max(1, form.past)
    found, turn = 0, v.turn - 1
    while found < wanted and turn >= 0 and turn >= v.turn - g.RING:
        at = turn % g.RING
        turn -= 1
        if v.ring_kind[at] & g.PASSED:
            continue
        begin, end = v.ring_from[at], v.ring_to[at]
        if end != g.NONE:
            if found == 0:
                put(planes, form, _FROM, begin, 1.0)
                put(planes, form, _TO, end, 1.0)
            if found < form.past:
                first = _PAST + found * _PAST_PLANES
                put(planes, form, first, begin, 1.0)
                put(planes, form, first + 1, end, 1.0)
                if v.ring_kind[at] & g.ATTACKED:
                    put(planes, form, first + 2, end, 1.0)
        found += 1


@helper
def fill_forbidden(v: ViewRow, r: RulesRow, me: int, form: FormRow, planes: Numbers) -> None:
    """Fill the plane of the squares that GR-9 and GR-10 forbid. Overwrites the list of legal actions in `r`."""
    fence = find_barrier(v, r)
    if is_restrained(v, r, me, fence):
        for k in range(possible_moves(v, r, me, r.ids, 0)):
            begin, end = r.ids[k] // g.MOVE_TO, move_end(r.ids[k])
            if is_forbidden(v, r, me, fence, begin, end):
                put(planes, form, _FORBIDDEN, end, 1.0)
