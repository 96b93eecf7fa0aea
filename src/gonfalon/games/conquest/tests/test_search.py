"""The search makes legal decisions in every phase and in little time, and finds obvious moves. Its worlds agree with
the view.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from gonfalon.engine.chance import draw
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.search import Clock, Mind
from gonfalon.games import make
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import plans
from gonfalon.games.conquest.play.beliefs import forget
from gonfalon.games.conquest.play.deployments import borders_of, rank_zones
from gonfalon.games.conquest.play.search import find_options

VARIANTS = ("conquest", "conquest-three", "conquest-two", "conquest-narrows")
HASTY = Mind(seconds=0.001, worlds=2)
POSITIONS = Path(__file__).parents[5] / "bench" / "positions" / "conquest.toml"


def begun(game: Game, seed: int) -> tuple[State, list[Event]]:
    """Return a match at its first turn, and the first player's events."""
    rng, state = np.random.default_rng(seed), game.initial_state()
    told: list[Event] = []
    while not state["started"][0]:
        player = game.to_act(state)[0]
        actions = [draw(game, state, rng)] if player == CHANCE else None
        for action in actions or game.sensible_deployment(game.view(state, player), rng).tolist():
            state = game.apply(state, player, int(action))
            told += game.events(int(action), state, 0)
    return state, told


def play_some(game: Game, state: State, told: list[Event], count: int, seed: int) -> State:
    """Return the match after `count` random actions."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        actors = game.to_act(state)
        if not actors:
            break
        player = actors[0]
        action = draw(game, state, rng) if player == CHANCE else int(rng.choice(game.legal_actions(state, player)))
        after = game.apply(state, player, action)
        if not game.to_act(after):
            break
        state = after
        told += game.events(action, state, 0)
    return state


def decide(game: Game, state: State, player: int, mind: Mind, seed: int) -> State:
    """Return the state after the best decision. Check that its actions are legal and that every option begins
    legally.
    """
    view = game.view(state, player)
    options = game.search(view, (), mind, np.random.default_rng(seed))
    assert options
    assert {option.actions[0] for option in options} <= set(view.legal.tolist())
    assert all(-1 <= option.value <= 1 for option in options)
    assert [option.value for option in options] == sorted((option.value for option in options), reverse=True)
    for action in options[0].actions:
        state = game.apply(state, player, action)
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_decision_of_a_match_is_legal(variant: str) -> None:
    game, phases = make(variant, max_rounds=20), set()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        state, _ = begun(game, seed)
        while actors := game.to_act(state):
            if actors == (CHANCE,):
                state = game.apply(state, CHANCE, draw(game, state, rng))
            elif game.standing(game.view(state, actors[0])).arranges:
                for action in game.sensible_deployment(game.view(state, actors[0]), rng):
                    state = game.apply(state, actors[0], int(action))
            else:
                phases.add(int(state["phase"][0]))
                mind = msgspec.structs.replace(HASTY, depth=1 + seed, insight=seed / 2, breadth=1 + seed)
                state = decide(game, state, actors[0], mind, seed)
    assert phases >= {g.CARD, g.MOVE, g.AIM}


def deal(game: Game, state: State, player: int, card: int) -> State:
    """Return the state with only this card on the table, in which all observers know the player's Flag."""
    dealt = state.copy()
    dealt["table"] = 0
    dealt["table"][0, card] = 1
    own = slice(player * g.ARMY, (player + 1) * g.ARMY)
    flag = player * g.ARMY + int(np.flatnonzero(dealt["kind"][0, own] == g.FLAG)[0])
    dealt["known"][0, [observer for observer in range(g.OBSERVERS) if observer != player], flag] = 1
    return dealt


def to_play_a_card(game: Game) -> tuple[State, int]:
    """Return a match on the Narrows after its first player has drawn, and that player."""
    state, _ = begun(game, 5)
    while game.to_act(state) == (CHANCE,):
        state = game.apply(state, CHANCE, int(game.chance_outcomes(state)[0][0]))
    return state, game.to_act(state)[0]


class WorkClock(Clock):
    """A clock that measures work instead of time: one step of the search takes 1.2 % of the time in each world."""

    work = 0.0

    @property
    def spent(self) -> float:
        return self.work

    def look(self, worlds: State, *rest: Any) -> None:
        TRY_ALL(worlds, *rest)
        self.work += 0.012 * len(worlds)


TRY_ALL = plans.try_all


def test_where_looking_takes_long_fewer_worlds_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    game, mind, rng = make("conquest"), Mind(seconds=0.1, worlds=48), np.random.default_rng(0)
    clock = WorkClock(mind)
    monkeypatch.setattr(plans, "try_all", clock.look)
    state, player = to_play_a_card(game)
    view = game.view(deal(game, state, player, g.SECRET), player)
    worlds = game.sample_worlds(view, (), mind, mind.worlds, rng)
    assert len(find_options(view, worlds, game.rules, mind, clock, rng)) > 2
    assert clock.spent < 1.2


def test_every_card_is_planned() -> None:
    game = make("conquest-narrows")
    state, player = to_play_a_card(game)
    for card in (g.REGROUP, g.SECRET, g.TRAITOR, g.BLITZ):
        dealt = deal(game, state, player, card)
        options = game.search(game.view(dealt, player), (), HASTY, np.random.default_rng(0))
        assert g.ACT_CARD + card in {option.actions[0] for option in options}
        for option in options:
            after = dealt
            for action in option.actions:
                after = game.apply(after, player, action)


@pytest.mark.parametrize("card", [g.SECRET, g.TRAITOR])
def test_a_card_that_was_begun_is_played_on_as_it_is_planned(card: int) -> None:
    """Before the card is carried out, no choice changes the value of the position; without the plan, the search might
    choose the player's own units.
    """
    game = make("conquest-narrows")
    state, player = to_play_a_card(game)
    state = game.apply(deal(game, state, player, card), player, g.ACT_CARD + card)
    asked = 0
    while (view := game.view(state, player)).phase in (g.AIM, g.GUESS):
        options = game.search(view, (), HASTY, np.random.default_rng(0))
        for option in options:
            for action in option.actions:
                if g.ACT_ZONE <= action < g.ACT_GUESS:
                    assert view.at[action - g.ACT_ZONE] // g.ARMY != player
        state = game.apply(state, player, options[0].actions[0])
        asked += 1
    assert asked == 2, "two units, or a unit and what it is"


def test_who_cannot_act_is_refused() -> None:
    game = make("conquest-narrows")
    state, _ = begun(game, 0)
    waiting = next(player for player in range(2) if player not in game.to_act(state))
    with pytest.raises(ValueError, match="cannot act"):
        game.search(game.view(state, waiting), (), HASTY, np.random.default_rng(0))


# ---- worlds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("insight", [1.0, 0.5, 0.0])
@pytest.mark.parametrize("variant", VARIANTS)
def test_worlds_fit_the_view(variant: str, insight: float) -> None:
    game, mind = make(variant), Mind(seconds=1, insight=insight)
    for seed in range(12):
        state, told = begun(game, seed)
        state = play_some(game, state, told, 25 * seed, seed)
        view = game.view(state, 0)
        worlds = game.sample_worlds(view, told, mind, 4, np.random.default_rng(seed))
        for k in range(4):
            assert game.view(worlds[k : k + 1], 0).tobytes() == view.tobytes()


def test_a_forgetful_player_forgets_others_units_only() -> None:
    game = make("conquest-narrows")
    state, told = begun(game, 1)
    state = play_some(game, state, told, 120, 1)
    view, mind = game.view(state, 0), Mind(seconds=1, memory=0)
    seen = np.flatnonzero((view.kind > g.SPY_MASTER) & (view.kind <= g.FLAG))
    dim = forget(view, mind)
    for slot in seen.tolist():
        assert (dim.kind[slot] == view.kind[slot]) == (slot < g.ARMY or view.group[slot] != g.NONE)
    assert forget(view, Mind(seconds=1)) is view
    worlds = game.sample_worlds(view, told, mind, 6, np.random.default_rng(1))
    standing = np.flatnonzero(state["zone"][0, : g.ARMY] < g.RESERVE)
    assert (worlds["kind"][:, standing] == state["kind"][0, standing]).all()


def test_flags_are_expected_behind() -> None:
    game = make("conquest-narrows")
    state, told = begun(game, 3)
    owner = np.repeat(state["owner"][0], g.IN_TERRITORY)[: int(game.rules[0]["zones"])]
    order = rank_zones(owner == 1, owner == 0, borders_of(game.rules))

    def share_behind(mind: Mind) -> float:
        worlds = game.sample_worlds(game.view(state, 0), told, mind, 60, np.random.default_rng(0))
        flags = [row["zone"][row["kind"] == g.FLAG] for row in worlds]
        return float(np.mean([np.isin(zones, order[:6]).any() for zones in flags]))

    assert share_behind(Mind(seconds=1)) > 0.6
    assert share_behind(Mind(seconds=1, insight=0.0)) < 0.55


# ---- positions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["take-the-flag", "name-the-flag", "reach-the-flag"])
def test_plain_positions_are_solved(kind: str) -> None:
    listed = tomllib.loads(POSITIONS.read_text(encoding="utf-8"))["position"]
    chosen = [position for position in listed if position["kind"] == kind][:3]
    assert len(chosen) == 3
    for position in chosen:
        game = make(position["variant"])
        state, player = game.parse_state(position["state"]), game.info.sides.index(position["player"])
        options = game.search(game.view(state, player), (), Mind(seconds=0.5), np.random.default_rng(0))
        words = []
        for action in options[0].actions:
            words.append(game.action_text(game.view(state, player), action))
            state = game.apply(state, player, action)
        assert "; ".join(words) in position["solved"]
