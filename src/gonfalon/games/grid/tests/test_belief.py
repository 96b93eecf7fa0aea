"""Belief in hidden pieces, and suggested deployments."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, State
from gonfalon.engine.search import Mind
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import deployments
from gonfalon.games.grid.play.belief.revealed import read_faces
from gonfalon.games.grid.play.belief.worlds import find_likely
from gonfalon.games.grid.text.notation import square_name

SERGEANT = 4
D7, E6, E7, E8, I10, J10, J9, A7, A10 = 63, 54, 64, 74, 98, 99, 89, 60, 90
POOLS = ("barrage", "duel", "duel-10x10", "original", "special")
GRID = [variant for variant in gonfalon.variants() if gonfalon.games.ruleset(variant).family == "grid"]
OPEN = """original
turn 10 quiet 0
10 ..  ..  ..  ..  ..  ..  ..  ..  bB  bF
 9 ..  ..  ..  ..  ..  ..  ..  ..  ..  bB
 8 ..  ..  ..  ..  bM' ..  ..  ..  ..  b4'
 7 b3  ..  ..  ..  ..  ..  ..  ..  ..  ..
 6 ..  ..  ~~  ~~  ..  ..  ~~  ~~  ..  ..
 5 ..  ..  ~~  ~~  r9'! ..  ~~  ~~  ..  ..
 4 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 3 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 2 ..  ..  ..  ..  ..  ..  ..  ..  ..  ..
 1 rF  rB  ..  ..  ..  ..  ..  ..  ..  r5'
"""
GAME = gonfalon.make("original")


def play(*moves: str, begin: str = OPEN, game: Game = GAME) -> State:
    """The open position after these moves."""
    state = game.parse_state(begin)
    for move in moves:
        player = game.to_act(state)[0]
        state = game.apply(state, player, game.parse_action(game.view(state, player), move))
    return state


def odds(state: State, square: int, kind: int, other: int, game: Game = GAME) -> float:
    """Return the likelihood of one type on a square over that of another, to red, by the habits of all."""
    likely, _, styles = find_likely(game.view(state, 0), game.rules, (), 1, np.array([square]))
    found = likely[0] * styles.shares[0, 0]
    return float(found[kind] / found[other])


def test_where_people_put_their_pieces_counts() -> None:
    """A Flag is likelier in the corner than in the front row, beside a Scout."""
    state = play()
    assert odds(state, J10, g.FLAG, g.SCOUT) > 5 * odds(state, A7, g.FLAG, g.SCOUT)


def test_what_people_put_side_by_side_counts() -> None:
    """A Flag is likelier beside a known Bomb; a piece that was not placed there tells nothing."""
    known = OPEN.replace("bB  bF", "bB! bF")
    assert odds(play(begin=known), J10, g.FLAG, g.SCOUT) > 3 * odds(play(), J10, g.FLAG, g.SCOUT)
    moved = OPEN.replace("bB  bF", "b5' bF").replace("b4'", "..")
    gone = moved.replace("b5'", "..")
    assert odds(play(begin=moved), J10, g.FLAG, g.SCOUT) == odds(play(begin=gone), J10, g.FLAG, g.SCOUT)


def test_worlds_hold_bombs_beside_the_flag() -> None:
    """Of three pieces that never moved two are Bombs and one the Flag: it is likeliest between them."""
    begin = OPEN.replace("bB  bF", "bF  bB")
    worlds = GAME.sample_worlds(
        GAME.view(GAME.parse_state(begin), 0), (), Mind(seconds=1), 400, np.random.default_rng(1)
    )
    flags = (worlds["board"][:, [I10, J10, J9]] & g.TYPE == g.FLAG).mean(axis=0)
    assert flags.argmax() == 1


@pytest.mark.parametrize("variant", GRID)
def test_faces_are_the_types_that_were_shown(variant: str) -> None:
    """The belief places every revealed piece of a random match on its true deployment square, and nothing else."""
    game, rng = gonfalon.make(variant), np.random.default_rng(5)
    for _ in range(4):
        state, told = game.initial_state(), list[Event]()
        placed = np.zeros(g.SQUARES, np.int64)
        while waiting := game.to_act(state):
            deploys = state["phase"][0] == g.DEPLOY
            action = int(rng.choice(game.view(state, waiting[0]).legal))
            state = game.apply(state, waiting[0], action)
            told.extend(game.events(action, state, 0))
            if deploys and state["phase"][0] != g.DEPLOY:
                board = state["board"][0, : g.SQUARES].astype(np.int64)
                placed = np.where(board & g.BLUE, board & g.TYPE, 0)
        faces = read_faces(told, 1)
        assert faces is not None
        assert ((faces == placed) | (faces == g.HIDDEN)).all()
        lost = state["lost"][0, 1].astype(int)
        shown = np.bincount(faces[faces != g.HIDDEN], minlength=g.TYPES)
        assert (shown[1:] >= (lost if variant != "special" else 0 * lost)[1:]).all()
    assert read_faces((), 1) is None


def test_fallen_pieces_tell_the_style() -> None:
    """A Flag is likelier in the corner with Bombs around it than in the other corner."""
    text = OPEN.replace("bB  bF", "bF  b4").replace("bB\n", "b6\n").replace("10 ..", "10 b5")
    state = GAME.parse_state(text)
    spaces = {square_name(60 + k): "blue" for k in range(40)}
    battle = {"side": "red", "attacker_face": "miner", "defender_face": "bomb"}
    found = []
    for corner in (("b10", "a9"), ("i10", "j9")):
        told = [Event("start", {"side": "red", "spaces": spaces})]
        told += [Event("battle-won", {"from": "a1", "space": space, **battle}) for space in corner]
        _, _, (weights, shares) = find_likely(GAME.view(state, 0), GAME.rules, told, 1, np.array([A10, J10]))
        chances = np.exp(weights - weights.max()) @ shares[:, :, g.FLAG]
        found.append(chances[0] / chances[1])
    assert found[0] > 4 * found[1]


def test_who_has_moved_is_rather_a_high_rank_than_a_scout() -> None:
    """A Scout usually shows its rank when it moves."""
    state = play(begin=OPEN.replace("b3 ", "b3'"))
    assert odds(state, A7, g.MARSHAL, g.SCOUT) > 2 * odds(play(), A7, g.MARSHAL, g.SCOUT)


def of_small_armies(variant: str) -> str:
    """The open position with pieces that Barrage has too."""
    begin = OPEN.replace("original", variant)
    for piece, other in (("bB  bF", "b2  bF"), ("b4'", "b2'"), ("r5'", "r3'")):
        begin = begin.replace(piece, other)
    return begin


def test_the_spy_stays_at_home_in_a_small_army_alone() -> None:
    def grows(variant: str) -> float:
        """Return the factor by which a moved piece on a7 is likelier a Spy, relative to a Marshal."""
        game, begin = gonfalon.make(variant), of_small_armies(variant)
        views = [game.view(game.parse_state(text), 0) for text in (begin, begin.replace("b3 ", "b3'"))]
        still, moved = (find_likely(view, game.rules, (), 1, np.array([A7]))[0][0] for view in views)
        return float(moved[g.SPY] / moved[g.MARSHAL] / (still[g.SPY] / still[g.MARSHAL]))

    assert grows("barrage") < 0.6 < grows("original")


def test_who_comes_beside_a_known_piece_is_likely_to_beat_it() -> None:
    came = play("j1-j2", "e8-e7", "j2-j1", "e7-e6")
    assert odds(came, E6, g.MARSHAL, SERGEANT) > 1.5 * odds(play(), E8, g.MARSHAL, SERGEANT)


@pytest.mark.parametrize("variant", ["original", "barrage"])
def test_who_comes_beside_hidden_pieces_is_rather_the_marshal_than_the_spy(variant: str) -> None:
    """The player does not know the pieces on these squares."""
    game, moves = gonfalon.make(variant), ("j1-j2", "e8-e7", "j2-j1")
    begin = of_small_armies(variant).replace("r9'!", "r9' ")
    beside, away = (play(*moves, move, begin=begin, game=game) for move in ("e7-e6", "e7-d7"))
    assert odds(beside, E6, g.MARSHAL, g.SPY, game) > 4 * odds(away, D7, g.MARSHAL, g.SPY, game)


@pytest.mark.parametrize(("variant", "counted"), [("original", 2), ("barrage", 1)])
def test_coming_beside_hidden_pieces_again_counts_in_a_full_army_alone(variant: str, counted: int) -> None:
    game = gonfalon.make(variant, two_square_limit=0)
    begin = of_small_armies(variant).replace("r9'!", "r9' ")
    again = ("j1-j2", "e6-e7", "j2-j1", "e7-e6")
    moves = ("j1-j2", "e8-e7", "j2-j1", "e7-e6")
    times = [play(*moves, *again * k, begin=begin, game=game) for k in range(4)]
    found = [odds(state, E6, g.MARSHAL, g.SPY, game) for state in times]
    assert len({round(value, 6) for value in found}) == counted


def test_who_leaves_a_known_piece_is_likely_to_fear_it() -> None:
    fled = play("e5-e6", "j8-j7", "e6-e7", "e8-e9")
    assert odds(fled, 84, g.MARSHAL, SERGEANT) < odds(play(), E8, g.MARSHAL, SERGEANT)


def test_who_stands_still_beside_a_known_piece_is_likely_to_be_fixed() -> None:
    """Red's General comes beside a piece that never moved, and it does nothing."""
    approach = ("e5-e6", "j8-j7", "e6-e7", "j7-i7", "e7-d7", "i7-h7", "d7-c7", "h7-h8", "c7-b7")
    before, after = play(*approach[:-2]), play(*approach, "h8-i8")
    assert odds(after, A7, g.BOMB, SERGEANT) > 1.3 * odds(before, A7, g.BOMB, SERGEANT)


def test_who_comes_beside_a_known_bomb_is_likely_to_remove_it() -> None:
    """A piece that leaves the Bomb again is probably no Miner."""
    begin = OPEN.replace("r9'!", "rB! ")
    before = play(begin=begin)
    came = play("j1-j2", "e8-e7", "j2-j1", "e7-e6", begin=begin)
    left = play("j1-j2", "e8-e7", "j2-j1", "e7-e6", "j1-j2", "e6-e7", begin=begin)
    assert odds(came, E6, g.MINER, SERGEANT) > 1.3 * odds(before, E8, g.MINER, SERGEANT)
    assert odds(left, 64, g.MINER, SERGEANT) < 0.8 * odds(before, E8, g.MINER, SERGEANT)


def test_who_forgets_holds_more_possible() -> None:
    """A player without memory forgets a Marshal that was revealed long ago, but remembers one that has just fought."""
    state = GAME.parse_state(OPEN.replace("bM' ", "bM'! "))
    view, rng = GAME.view(state, 0), np.random.default_rng(0)
    kept = GAME.sample_worlds(view, (), Mind(seconds=1), 40, rng)["board"][:, E8] & g.TYPE
    assert set(kept.tolist()) == {g.MARSHAL}
    forgotten = GAME.sample_worlds(view, (), Mind(seconds=1, memory=0.0), 40, rng)["board"][:, E8] & g.TYPE
    assert len(set(forgotten.tolist())) > 1


@pytest.mark.parametrize("variant", POOLS)
def test_pools_are_sound_and_varied(variant: str) -> None:
    """The deployments are whole armies (checked on reading), all different, the Flag never on an open file, no fixed
    place.
    """
    texts = deployments.load_pool(gonfalon.games.ruleset(variant))
    assert len(set(texts)) == len(texts) >= 20
    flags = Counter(text.index("F") for text in texts)
    assert len(flags) >= 4
    for text in texts:
        file = text[text.index("F") + g.COLUMNS :: g.COLUMNS]
        assert text.index("F") < g.COLUMNS
        assert file.strip(".")


@pytest.mark.parametrize("variant", GRID)
def test_deployments_have_no_tell(variant: str) -> None:
    """Of 200 deployments none repeats often, and no square holds the Flag in most. Of planned ones hardly two are
    alike.
    """
    game = gonfalon.make(variant)
    view, rng = game.view(game.initial_state(), 0), np.random.default_rng(3)
    sensible = [tuple(game.sensible_deployment(view, rng).tolist()) for _ in range(200)]
    planned = [tuple(game.plan_deployment(view, Mind(seconds=1), rng).tolist()) for _ in range(200)]
    assert max(Counter(sensible).values()) <= 40
    assert len(set(planned)) >= 180
    for found in (sensible, planned):
        assert max(Counter(each.index(g.ACT_DEPLOY + g.FLAG) for each in found).values()) <= 110


def test_pieces_that_step_aside_leave_flag_and_bombs() -> None:
    """The Flag is not left on an open file either."""
    game, rng = gonfalon.make("barrage"), np.random.default_rng(4)
    for text in deployments.load_pool(game.info.ruleset):
        rows = (game.parse_deployment(text, 0) - g.ACT_DEPLOY).reshape(-1, g.COLUMNS)
        found = np.array([deployments.scatter(rows, rng) for _ in range(40)])
        assert (np.sort(found.reshape(40, -1)) == np.sort(rows.reshape(-1))).all()
        for fixed in (g.FLAG, g.BOMB):
            assert ((found == fixed) == (rows == fixed)).all()
        assert (found[:, 1:, np.flatnonzero(rows[0] == g.FLAG)[0]] != g.EMPTY).any(axis=1).all()
        assert ((found != rows).any(axis=(1, 2))).sum() > 30
