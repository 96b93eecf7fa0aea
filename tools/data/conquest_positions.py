"""Makes `bench/positions/conquest.toml`: decisions in Conquest that are forced, or clearly best, by the rules alone.

    python tools/data/conquest_positions.py

The positions are from matches of computer players. In many of them this tool adds knowledge, as if somebody had looked:
the player knows the other player's Flag, or all players know the Flag of the player on turn. The right answer comes
from trying out the rules, not from an agent: a Flag that can certainly be taken in this turn, or a Flag that falls for
certain unless the player prevents it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gonfalon.ai import agents
from gonfalon.ai.agent import Asker, play_on
from gonfalon.engine.game import Game, State
from gonfalon.games import make
from gonfalon.games.conquest import state as g

OUT = Path(__file__).parents[2] / "bench" / "positions" / "conquest.toml"
HEAD = """\
# Positions of Conquest that an agent should get right. The format is in src/gonfalon/ai/arena/positions.py; `gonfalon
# positions AGENT` prints the share solved. Made by `python tools/data/conquest_positions.py` from matches of our own
# agents; each reason says why the rules make an answer right.
"""
WANTED = {
    "take-the-flag": 10,
    "reach-the-flag": 11,
    "play-the-blitz": 9,
    "name-the-flag": 3,
    "guard-the-flag": 11,
    "mind-the-stronger": 11,
    "finish": 4,
}
MATCHES = 70
"""Maximum number of matches that are searched."""
WORLDS = 12
"""Number of worlds that the player cannot tell from the true one. A result is certain if it comes in all of them."""
DEEP = 3
"""Maximum number of moves in which certain captures are searched."""


class Found(NamedTuple):
    """A position and its right answer."""

    kind: str
    state: State
    player: int
    solved: tuple[str, ...]
    refused: tuple[str, ...]
    reason: str
    within: int = 0


# ---- the board ---------------------------------------------------------------------------------------------------


def slots_of(state: State, player: int) -> Iterator[tuple[int, int, int]]:
    """Yield slot, zone and type of each of the player's units on the map."""
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        zone = int(state["zone"][0][slot])
        if zone < g.RESERVE and state["kind"][0][slot]:
            yield slot, zone, int(state["kind"][0][slot])


def flag_of(state: State, player: int) -> tuple[int, int]:
    """Return slot and zone of a player's Flag, or (-1, -1)."""
    return next(((slot, zone) for slot, zone, kind in slots_of(state, player) if kind == g.FLAG), (-1, -1))


def show(state: State, observers: list[int], slot: int) -> State:
    """Return a copy of the state in which these observers know the unit in `slot`. Its group and the marks of its army
    are cleared.
    """
    shown = state.copy()
    for observer in observers:
        if (shown["group"][0, observer] == shown["group"][0, observer, slot]).sum() > 1:
            shown["group"][0, observer] = np.arange(g.UNITS)
            shown["known"][0, observer, slot // g.ARMY * g.ARMY : (slot // g.ARMY + 1) * g.ARMY] = 0
        shown["known"][0, observer, slot] = 1
        shown["ruled_out"][0, observer, slot] = 0
    return shown


def ends_of(action: int) -> tuple[int, int]:
    return divmod(action - g.ACT_MOVE, g.ZONES)


def sure_win(game: Game, state: State, player: int, depth: int) -> bool:
    """Return whether the player, who knows the opponent's Flag, can take it within `depth` moves of this turn without
    attacking an unknown unit.
    """
    if game.to_act(state) != (player,) or state["phase"][0] != g.MOVE:
        return False
    flag = flag_of(state, 1 - player)[1]
    away = [game.rules[0]["away"][flag][z] for _, z, kind in slots_of(state, player) if g.SCOUT < kind <= g.KING]
    scouts = any(kind == g.SCOUT for _, _, kind in slots_of(state, player))
    if depth == 0 or (not scouts and min(away, default=99) > depth):
        return False
    moves = sure_moves(game, state, player)
    if depth == 1:
        return any(ends_of(action)[1] == flag for action in moves)
    return any(sure_win(game, game.apply(state, player, action), player, depth - 1) for action in moves)


def sure_moves(game: Game, state: State, player: int) -> list[int]:
    """Return the moves whose result the player knows beforehand."""
    at, known = state["at"][0], state["known"][0, player]
    moves = [action for action in game.legal_actions(state, player).tolist() if action >= g.ACT_MOVE]
    ends = [int(at[ends_of(action)[1]]) for action in moves]
    return [a for a, slot in zip(moves, ends, strict=True) if slot == g.NONE or known[slot]]


def stands_after(game: Game, state: State, player: int, action: int) -> int:
    """Return the slot of the unit that stands on the attacked zone after the attack."""
    return int(game.apply(state, player, action)["at"][0][ends_of(action)[1]])


def is_won(game: Game, state: State, player: int) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and outcome.returns[player] == 1


def walks_in(game: Game, state: State, foe: int, flag: int) -> int:
    """Count the moves through empty zones that `foe` needs to attack the zone `flag`; 99 if `foe` must win a battle on
    the way.
    """
    near, at = game.rules[0]["near"], state["at"][0]
    steps, queue, best = {flag: 0}, deque([flag]), 99
    while queue:
        here = queue.popleft()
        for zone in near[here][: game.rules[0]["n_near"][here]].tolist():
            slot = int(at[zone])
            if slot == g.NONE and zone not in steps:
                steps[zone] = steps[here] + 1
                queue.append(zone)
            elif slot != g.NONE and slot // g.ARMY == foe:
                kind = int(state["kind"][0][slot])
                if kind not in (g.FLAG, g.CURSED_LAND):
                    best = min(best, 1 if kind == g.SCOUT else steps[here] + 1)
    return best


# ---- what is right -----------------------------------------------------------------------------------------------


def words(game: Game, state: State, player: int, actions: list[int]) -> tuple[str, ...]:
    view = game.view(state, player)
    return tuple(game.action_text(view, action) for action in actions)


def find_flag(game: Game, state: State, player: int) -> Iterator[Found]:
    """Yield a known Flag that can be taken for certain, if this needs all remaining moves."""
    known = show(state, [player], flag_of(state, 1 - player)[0])
    moves = int(state["moves"][0])
    depth = next((d for d in range(1, min(moves, DEEP) + 1) if sure_win(game, known, player, d)), 0)
    if depth == 1:
        right = [a for a in sure_moves(game, known, player) if is_won(game, game.apply(known, player, a), player)]
        reason = "The Flag is known and beside a unit that can take it."
        yield Found("take-the-flag", known, player, words(game, known, player, right), (), reason)
    elif depth == moves and depth > 1:
        after = {a: game.apply(known, player, a) for a in sure_moves(game, known, player)}
        right = [a for a, each in after.items() if sure_win(game, each, player, depth - 1)]
        reason = f"The Flag is known and can be taken for certain with all {moves} moves that are left, begun so."
        if len(right) < 5:
            yield Found("reach-the-flag", known, player, words(game, known, player, right), (), reason)


def find_card(game: Game, state: State, player: int) -> Iterator[Found]:
    """Yield a known Flag that cannot be reached without a card."""
    slot, zone = flag_of(state, 1 - player)
    known = show(state, [player], slot)
    view = game.view(known, player)
    held = [card for card in range(g.CARDS) if g.ACT_CARD + card in view.legal]
    bare = game.apply(known, player, g.ACT_NO_CARD)
    moves = int(known["moves"][0])
    if moves > DEEP or not held or any(sure_win(game, bare, player, d) for d in range(1, moves + 1)):
        return
    if g.BLITZ in held and set(held) <= {g.BLITZ, g.REGROUP, g.SECRET}:
        if walks_in(game, known, player, zone) <= moves + 2:
            reason = "The Flag is known, and only with the two moves of the Blitz it can be taken for certain."
            yield Found("play-the-blitz", known, player, ("+blitz",), (), reason)
    elif held and g.BLITZ not in held:
        named = known.copy()
        named["table"][0] = 0
        named["table"][0, g.TRAITOR] = 1
        for pile in ("pile", "discard"):
            named[pile][0, g.TRAITOR] = 0
        named["pile"][0] += known["table"][0]
        named["traitor_last"] = 0
        text = game.action_text(view, g.ACT_ZONE + zone)
        if g.TRAITOR not in held:
            reason = "The Flag is known, and naming it to the Traitor wins at once."
            yield Found("name-the-flag", named, player, (f"+traitor; {text}; ?flag",), (), reason)


def find_guard(game: Game, state: State, player: int, rng: np.random.Generator) -> Iterator[Found]:
    """Yield the last move of a turn, if after it the enemy may reach a Flag that all know."""
    if state["moves"][0] != 1 or not state["made"][0]:
        return
    slot, zone = flag_of(state, player)
    foe = 1 - player
    known = show(state, [foe, 2, 3, g.THE_PUBLIC], slot)
    view = game.view(known, player)
    worlds = [known, *(game.resample(view, rng) for _ in range(WORLDS))]
    good, bad = [], []
    for action in [*sure_moves(game, known, player), g.ACT_STOP]:
        open_in = []
        for world in worlds:
            after = game.apply(world, player, action)
            moves = int(after["moves"][0])
            open_in.append(walks_in(game, after, foe, zone) <= moves)
        if all(open_in):
            bad.append(action)
        elif not any(open_in) and walks_in(game, game.apply(known, player, action), foe, zone) > 50:
            good.append(action)
    if good and len(good) <= 4 and len(bad) >= 6:
        reason = "All know the Flag. After most moves an enemy walks up to it next turn; after these it must fight."
        yield Found("guard-the-flag", known, player, words(game, known, player, good), (), reason)


def find_stronger(game: Game, state: State, player: int) -> Iterator[Found]:
    """Yield attacks that are lost for certain."""
    view = game.view(state, player)
    lost = []
    for action in view.legal.tolist():
        if action < g.ACT_MOVE:
            continue
        slot = int(view.at[ends_of(action)[1]])
        if slot != g.NONE and view.kind[slot] not in (g.HIDDEN, g.FLAG):
            lost += [action] if stands_after(game, state, player, action) == slot else []
    if len(lost) >= 2 and 5 * len(lost) > len(view.legal) and len(view.legal) - len(lost) >= 4:
        reason = "These units are known, and stronger than who would attack them: an attack gives a unit away."
        yield Found("mind-the-stronger", state, player, (), words(game, state, player, lost), reason)


def find_finish(state: State, player: int) -> Iterator[Found]:
    """Yield a position with far more units than the opponent has: a certain win against an opponent that moves at
    random.
    """
    own = sum(1 for _, _, kind in slots_of(state, player) if kind <= g.KING)
    other = sum(1 for _, _, kind in slots_of(state, 1 - player) if kind <= g.KING)
    if own >= 8 and other <= 4 and state["phase"][0] == g.MOVE:
        reason = f"{own} units that can move against {other}: who moves at random must soon be beaten."
        yield Found("finish", state, player, (), (), reason, 24)


# ---- the file ----------------------------------------------------------------------------------------------------


def positions_of(game: Game, seed: int, wanted: set[str]) -> Iterator[Found]:
    """Yield the positions found in one match. Two finds of the same kind never follow one another."""
    rng = np.random.default_rng(seed)
    players = {player: agents()["greedy"]() for player in range(2)}
    last = ""
    for state, player, _, _ in play_on(game, Asker(game, players, 0.05), rng):
        if player < 0 or not state["started"][0] or flag_of(state, 0)[0] < 0 or flag_of(state, 1)[0] < 0:
            continue
        found: list[Found] = []
        if state["phase"][0] == g.MOVE:
            found += find_guard(game, state, player, rng) if "guard-the-flag" in wanted else []
            found += find_stronger(game, state, player)
            found += find_flag(game, state, player) if "reach-the-flag" in wanted else []
            found += find_finish(state, player)
        elif state["phase"][0] == g.CARD and "play-the-blitz" in wanted:
            found += find_card(game, state, player)
        for each in found:
            if each.kind != last:
                last = each.kind
                yield each


def text_of(game: Game, found: Found, number: int) -> str:
    """Return the entry for the file."""
    lines = [
        "[[position]]",
        f'name = "{found.kind}-{number}"',
        f'kind = "{found.kind}"',
        f'variant = "{game.info.variant}"',
        f'player = "{game.info.sides[found.player]}"',
    ]
    for key in ("solved", "refused"):
        listed = ", ".join(f'"{text}"' for text in getattr(found, key))
        lines += [f"{key} = [{listed}]"] if listed else []
    lines += [f"within = {found.within}", 'against = "random"'] if found.within else []
    return "\n".join([*lines, f'reason = "{found.reason}"', f'state = """\n{game.state_text(found.state)}\n"""\n'])


def main() -> None:
    """Write the file."""
    counts = dict.fromkeys(WANTED, 0)
    parts: dict[str, list[str]] = {kind: [] for kind in WANTED}
    games = [make("conquest-narrows"), make("conquest-two")]
    for seed in range(MATCHES):
        game = games[seed % 2]
        for found in positions_of(game, seed, {kind for kind, count in counts.items() if count < WANTED[kind]}):
            if counts[found.kind] < WANTED[found.kind]:
                counts[found.kind] += 1
                parts[found.kind].append(text_of(game, found, counts[found.kind]))
        if counts == WANTED:
            break
    OUT.write_text("\n".join([HEAD, *(part for each in parts.values() for part in each)]), encoding="utf-8")
    print(counts)


if __name__ == "__main__":
    main()
