"""Texts: places, actions and positions. A position after three turns, in which all know the pieces with `!`:

tiny red 3!.1 blue .2. turn blue 3
"""

import re

import numpy as np

from gonfalon.engine.game import State, TextError
from gonfalon.engine.view import zero_rows
from gonfalon.games.tiny import state as g

SPACES = ("a1", "b1", "c1", "a2", "b2", "c2")
POSITION = re.compile(
    r"tiny\nred (\S+)\nblue (\S+)\n(?:(deal|turn)|over ([a-z]+) (red|blue|nobody)) (red|blue) ([0-5])"
)
SIGN = re.compile(r"([123])(!?)|\.")


def action_text(action: int, side: int) -> str:
    if action < g.ACT_ATTACK:
        return "deal " + "".join(map(str, g.DEALS[action]))
    own, other = divmod(action - g.ACT_ATTACK, g.COLUMNS)
    return f"{SPACES[max(side, 0) * g.COLUMNS + own]}x{SPACES[(1 - max(side, 0)) * g.COLUMNS + other]}"


def parse_action(text: str, side: int) -> int:
    for action in range(g.ACTIONS):
        if action_text(action, side) == text:
            return action
    raise TextError(f"{text!r} is no action; there are {action_text(0, side)} and {action_text(g.ACT_ATTACK, side)}")


def state_text(state: State) -> str:
    row = state[0]
    signs = [f"{rank or '.'}{'!' * int(seen)}" for rank, seen in zip(row["board"], row["seen"], strict=True)]
    winner = "nobody" if row["winner"] == g.NONE else g.SIDES[row["winner"]]
    now = ("deal", "turn", f"over {g.OVER_REASONS[row['over']]} {winner}")[row["phase"]]
    armies = f"tiny\nred {''.join(signs[:3])}\nblue {''.join(signs[3:])}\n"
    return f"{armies}{now} {g.SIDES[row['mover']]} {row['turn']}"


def parse_state(text: str) -> State:
    lines = [" ".join(line.split()) for line in re.split(r"[\n;]", text) if line.strip()]
    found = POSITION.fullmatch("\n".join(lines))
    if not found:
        raise TextError("a position has the lines tiny, red, blue, and deal, turn or over; see the games' rules")
    state = zero_rows(g.STATE)
    row = state[0]
    signs = [*map(_read_side, found.group(1, 2))]
    row["board"], row["seen"] = np.array(signs).transpose(1, 0, 2).reshape(2, g.PLACES)
    row["phase"] = g.OVER if found[4] else ("deal", "turn").index(found[3])
    row["over"] = g.OVER_REASONS.index(found[4]) if found[4] in g.OVER_REASONS[1:] else g.RUNNING
    row["winner"] = g.SIDES.index(found[5]) if found[5] in g.SIDES else g.NONE
    row["mover"], row["turn"] = g.SIDES.index(found[6]), int(found[7])
    _check(row)
    return state


def _read_side(text: str) -> list[list[int]]:
    signs = [match.groups("") for match in SIGN.finditer(text)]
    ranks = [int(rank or 0) for rank, _ in signs]
    if not re.fullmatch(f"(?:{SIGN.pattern}){{3}}", text) or len({*ranks} - {0}) < 3 - ranks.count(0):
        raise TextError(f"{text!r} is no army: three signs, one of each rank (with ! if all know it), or . for none")
    return [ranks, [seen == "!" for _, seen in signs]]


def _check(row: np.void) -> None:
    """Check that the actor has a legal action, and that the result fits the remaining pieces."""
    red, blue = (row["board"].reshape(2, g.COLUMNS) > 0).sum(axis=1).tolist()
    dealt = not row["turn"] and not row["seen"].any() and (red, blue) in ((0, 0), (3, 0))
    if row["phase"] == g.DEAL and not (dealt and (red > 0) == row["mover"]):
        raise TextError("deal: pieces are dealt to red, then to blue, before anything else")
    if row["phase"] == g.TURN and not (red and blue):
        raise TextError("turn: a side has no piece, so the match is over")
    captured = g.NONE if red == blue == 0 else 0 if not blue else 1 if not red else None
    winners = {g.BY_CAPTURE: (captured,), g.BY_RESIGNING: (0, 1), g.BY_AGREEMENT: (g.NONE,)}
    if row["phase"] == g.OVER and row["winner"] not in winners.get(row["over"], ()):
        raise TextError("over: this end does not go with this winner")
