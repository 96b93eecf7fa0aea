"""The games, and the facts about them that a page gets before a match. A game is made and compiled on first use, in a
thread.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

import gonfalon.games
from gonfalon.engine.chance import draw_all
from gonfalon.engine.game import EVERYTHING, PUBLIC, Game, State
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError, Written, read_toml
from gonfalon.engine.screens.scene import Arrange
from gonfalon.engine.spelling import list_known
from gonfalon.games import find_heading, make, ruleset, variants
from gonfalon.server.clock.presets import offer_presets
from gonfalon.server.protocol.bodies import Deployment, VariantCard, VariantPage
from gonfalon.server.protocol.refusals import Declined

MOST_GAMES = 64
"""Maximum number of games (rulesets) kept in memory."""
REHEARSED = 40
"""Number of decisions played during the warm-up of a game, counted from the first turn."""
_FOLDER = Path(gonfalon.games.__file__).parent


class Library:
    """Games by variant and house rules; each is made once."""

    def __init__(self, own: Sequence[Ruleset] = ()) -> None:
        """`own`: variants that the operator adds; see `Config.own_variants`."""
        self._own = {rules.variant: rules for rules in own}
        self._games: OrderedDict[str, asyncio.Task[Game]] = OrderedDict()

    @property
    def listed(self) -> Collection[str]:
        """The variants that the server offers, in the order of lists."""
        return (*variants(), *self._own)

    @property
    def sources(self) -> dict[str, str | Written]:
        """The offered variants for `games.make`, by name."""
        return {variant: self._own[variant].source if variant in self._own else variant for variant in self.listed}

    def find_rules(self, variant: str, switches: Mapping[str, bool | int]) -> Ruleset:
        """Return the ruleset of a variant of this server with house rules set. Requests name no files, so the path of
        one is no variant here. Raises `RulesetError`; TypeError for a switch that is no name.
        """
        own = self._own.get(variant)
        if own is None and variant not in variants(unlisted=True):
            raise RulesetError(f"no variant {variant!r}; {list_known(variant, sorted(self.listed))}")
        return ruleset(own or variant, **switches)

    def list_cards(self) -> tuple[VariantCard, ...]:
        """Return the cards of all variants. This reads rulesets only and compiles nothing."""
        return (*list_shipped(), *map(_make_card, self._own.values()))

    async def game(self, rules: str | Written, changed: Mapping[str, bool | int]) -> Game:
        """Return the game, already compiled. Raises `RulesetError`."""
        key = f"{rules} {sorted(changed.items())}"
        task = self._games.get(key)
        if task is None:
            task = self._games[key] = asyncio.create_task(asyncio.to_thread(make_ready, rules, dict(changed)))
            if len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        try:
            return await asyncio.shield(task)
        except Exception:
            self._games.pop(key, None)
            raise

    async def page(self, variant: str) -> VariantPage:
        """Return everything needed to set up a match of a variant. Raises `Declined` for an unknown variant."""
        if variant not in self.listed:
            raise Declined("no-variant", 404, variant=variant)
        own = self._own.get(variant)
        game = await self.game(own.source if own else variant, {})
        arrange = game.scene(game.view(game.initial_state(), 0)).arrange or Arrange((), ())
        card = _make_card(game.info.ruleset)
        presets = offer_presets(card.players, card.pieces)
        return VariantPage(card, game.board(), arrange, read_deployments(variant), presets)


def make_ready(rules: str | Written, changed: dict[str, bool | int]) -> Game:
    """Make a game and call every function that a match needs, so that nothing compiles during play."""
    game = make(rules, **changed)
    rng = np.random.default_rng(0)
    state = game.initial_state()
    turns = 0
    while turns < REHEARSED and (players := game.to_act(state := draw_all(game, state, rng))):
        turns += game.standing(game.view(state, PUBLIC)).started
        state = _decide(game, state, players[0], rng)
    if not game.outcome(state):
        game.withdraw(state, 0)
    return game


def _decide(game: Game, state: State, player: int, rng: np.random.Generator) -> State:
    view = game.view(state, player)
    scene = game.scene(view)
    game.choices(view)
    for action in game.random_deployment(view, rng) if scene.arrange else [rng.choice(view.legal)]:
        state = _step(game, state, player, int(action))
    return state


def _step(game: Game, state: State, player: int, action: int) -> State:
    after = game.apply(state, player, action)
    for observer in (*range(game.info.players), PUBLIC, EVERYTHING):
        game.scene(game.view(after, observer))
        game.events(action, after, observer)
    game.is_open(after, player)
    game.outcome(after)
    return after


@cache
def list_shipped() -> tuple[VariantCard, ...]:
    """Return the cards of the shipped variants."""
    return tuple(_make_card(ruleset(variant)) for variant in variants())


def _make_card(rules: Ruleset) -> VariantCard:
    facts, added = rules.facts, rules.variant not in variants()
    return VariantCard(
        variant=rules.variant,
        family=rules.family,
        players=len(facts.sides),
        sides=facts.sides,
        layout=facts.layout,
        pieces=facts.pieces,
        columns=facts.columns,
        rows=facts.rows,
        boxes=facts.boxes,
        heading=rules.variant if added else find_heading(rules.variant),
        switches=rules.switches,
        own=added,
        title=rules.title,
        description=rules.description,
    )


@cache
def read_deployments(variant: str) -> tuple[Deployment, ...]:
    """Return the library's deployments for a variant, in the order of the file; empty if there is no file, as for a
    variant of the operator's own.
    """
    if variant not in variants():
        return ()
    path = _FOLDER / variants()[variant] / "data" / "deployments" / f"{variant}.toml"
    if not path.is_file():
        return ()
    return tuple(Deployment(name, text) for name, text in read_toml(path).get("deployments", {}).items())
