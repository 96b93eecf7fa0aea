"""Paths: the positions of a match, and equivalent histories, which lead to a resampled position.

An equivalent history differs from the true one in the deployments (or deals) of pieces that the player does not know.
It exists if everything after the beginning of play is public: moves, and the types of lost pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, State
from gonfalon.engine.rulesets.ruleset import Written
from gonfalon.envs.open_spiel.variants import Settings, make_game

if TYPE_CHECKING:
    from gonfalon.envs.open_spiel.matches import MatchState


class Trace(NamedTuple):
    """The pieces of a match that has begun, by the ids of their tokens."""

    origins: dict[str, tuple[str, str]]
    """Side and place of each piece at the beginning of play."""
    alive: dict[str, str]
    """Types of the pieces on the board. The player may not know them."""
    lost: dict[str, str]
    """Types of lost pieces; everybody knows them."""
    hides: frozenset[int]
    """Players, and CHANCE, who have done something in play that not everybody could see."""


class Path:
    """An immutable list of positions. A longer path shares the shorter one."""

    __slots__ = ("action", "actor", "earlier", "of", "position", "started", "traced")

    def __init__(
        self,
        of: tuple[str | Written, Settings],
        position: State,
        actor: int = 0,
        action: int = 0,
        earlier: Path | None = None,
    ) -> None:
        """`of`: variant and house rules."""
        self.of = of
        self.position = position
        self.actor, self.action = actor, action
        self.earlier = earlier
        self.started: bool = (
            bool(earlier and earlier.started) or self.game.standing(self.game.view(position, PUBLIC)).started
        )
        """Whether play has begun."""
        self.traced: Trace | None = None
        """The result of `trace`, once it is known."""

    @property
    def game(self) -> Game:
        """The game of the match."""
        return make_game(*self.of)

    def list_steps(self) -> Iterator[Path]:
        """Yield the steps from the first one; the initial position is none."""
        steps = []
        step = self
        while step.earlier is not None:
            steps.append(step)
            step = step.earlier
        return reversed(steps)

    def trace(self) -> Trace | None:
        """Return the pieces; None before play. The result is kept, so a longer path continues from it."""
        game = self.game
        untraced: list[Path] = []
        step: Path | None = self
        while step is not None and step.started and step.traced is None:
            untraced.append(step)
            step = step.earlier
        for each in reversed(untraced):
            before = each.earlier
            each.traced = follow(game, before.traced, each) if before and before.traced else begin(game, each.position)
        return self.traced

    def __deepcopy__(self, _memo: object) -> Path:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # As a flat list: a chain of objects is too deep for pickle.
        return replay, (self.of, [(step.actor, step.action) for step in self.list_steps()])


def replay(of: tuple[str, Settings], steps: Sequence[tuple[int, int]]) -> Path:
    """Return the path of these players and actions."""
    game = make_game(*of)
    path = Path(of, game.initial_state())
    for actor, action in steps:
        path = Path(of, game.apply(path.position, actor, action), actor, action, path)
    return path


def list_faces(game: Game, position: State) -> dict[str, tuple[str, str, str]]:
    """Return side, place and type of each piece on the board."""
    tokens = game.scene(game.view(position, EVERYTHING)).tokens
    return {token.id: (token.side, token.place, token.face) for token in tokens}


def begin(game: Game, position: State) -> Trace:
    """Return the pieces at the beginning of play."""
    tokens = list_faces(game, position)
    origins = {id_: (side, place) for id_, (side, place, _) in tokens.items()}
    return Trace(origins, {id_: face for id_, (_, _, face) in tokens.items()}, {}, frozenset())


def follow(game: Game, trace: Trace, step: Path) -> Trace:
    """Return the pieces after a step."""
    assert step.earlier is not None
    alive = {id_: face for id_, (_, _, face) in list_faces(game, step.position).items()}
    gone = {id_: face for id_, face in trace.alive.items() if id_ not in alive}
    hides = set(trace.hides)
    if gone:
        events = game.events(step.action, step.position, PUBLIC)
        told = {value for event in events for value in event.args.values() if isinstance(value, str)}
        sides = game.info.sides
        hides |= {sides.index(trace.origins[id_][0]) for id_, face in gone.items() if face not in told}
    secret = [game.is_open(position, step.actor) for position in (step.earlier.position, step.position)]
    if step.actor == CHANCE or any(secret) or alive.keys() - trace.alive.keys():
        hides.add(step.actor)
    return Trace(trace.origins, alive, {**trace.lost, **gone}, frozenset(hides))


def is_retraceable(path: Path, player: int) -> bool:
    """Return whether everything that other players (and chance) did in play is public, and no piece is in a hand or a
    pile.
    """
    game = path.game
    if any(tray.kind != "lost" for tray in game.scene(game.view(path.position, PUBLIC)).trays):
        return False
    trace = path.trace()
    return trace is None or not trace.hides - {player}


def retrace(fresh: MatchState, path: Path, player: int, world: State) -> bool:
    """Play an equivalent history in the new match `fresh`: one that leads to `world`, a position that `player` cannot
    tell from the end of `path`. Return False if there is none; then `fresh` is of no use.
    """
    game = fresh.game
    found = find_targets(game, path, world)
    if found is None:
        return False
    planned: dict[int, list[int]] = {}
    for step in path.list_steps():
        assert step.earlier is not None
        if step.earlier.started or step.actor == player:
            action: int | None = step.action
        elif step.actor == CHANCE:
            action = find_draw(game, fresh.position, found)
        else:
            if step.actor not in planned:
                planned[step.actor] = plan_placements(game, fresh.position, step.actor, found)
            action = planned[step.actor].pop(0) if planned[step.actor] else None
        if fresh.current_player() != step.actor or action not in fresh.legal_actions():
            return False
        fresh.apply_action(action)
    return game.state_text(fresh.position) == game.state_text(world)


def find_targets(game: Game, path: Path, world: State) -> dict[tuple[str, str], str] | None:
    """Return the type that each piece has in `world`, by its side and its place at the beginning of play. None if the
    path does not tell this of all pieces.
    """
    tokens = list_faces(game, world)
    trace = path.trace()
    if trace is None:
        return {(side, place): face for side, place, face in tokens.values()}
    found = {}
    for id_, origin in trace.origins.items():
        face = tokens[id_][2] if id_ in tokens else trace.lost.get(id_)
        if face is None:
            return None
        found[origin] = face
    return found


def find_draw(game: Game, position: State, targets: Mapping[tuple[str, str], str]) -> int | None:
    """Return a draw of chance before play after which every piece has its target type."""
    for action in game.chance_outcomes(position)[0].tolist():
        after = list_faces(game, game.apply(position, CHANCE, action)).values()
        if all(targets.get((side, place)) == face for side, place, face in after):
            return int(action)
    return None


def plan_placements(game: Game, position: State, actor: int, targets: Mapping[tuple[str, str], str]) -> list[int]:
    """Return the actions of a deployment that places the target types; empty if there is none."""
    arrange = game.scene(game.view(position, actor)).arrange
    if arrange is None:
        return []
    action_of = {piece.face: piece.action for piece in arrange.pieces}
    faces = [targets.get((game.info.sides[actor], place), "") for place in arrange.places]
    return [action_of[face] for face in faces] if set(faces) <= action_of.keys() else []
