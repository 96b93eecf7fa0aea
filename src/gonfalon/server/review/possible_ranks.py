"""Possible ranks: the ranks of hidden pieces that each observer of a match could not rule out, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gonfalon.engine.game import Game, State
from gonfalon.engine.records.record import Record
from gonfalon.engine.records.replay import Words
from gonfalon.server.match.moves import Step
from gonfalon.server.protocol.bodies import Candidates
from gonfalon.server.review.replay import ReplayBuilder

Known = dict[str, int]
"""Candidates by token, as bits: bit n means `Candidates.faces[n]`."""


class RankBuilder(ReplayBuilder):
    """Builds a `Candidates`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._bits: dict[str, int] = {}
        self._told: dict[str, Known] = {name: {} for name in self.observers}
        self._first = self._look()

    def add(self, _step: Step, states: Sequence[State], _words: Sequence[Words], _seq: int = 0) -> None:
        self.state = states[-1]
        self.keep(self._look())

    def finish(self, _record: Record) -> bytes:
        made = Candidates(tuple(self._bits), self._first, ())
        return msgspec.json.encode({**msgspec.structs.asdict(made), "steps": self.rows})

    def _look(self) -> dict[str, Known]:
        """Return the candidates that have changed for each observer since the last call."""
        game, news = self.game, dict[str, Known]()
        views = {name: game.view(self.state, observer) for name, observer in self.observers.items()}
        ids = {token.place: token.id for token in game.scene(views.pop("everything")).tokens}
        found = {name: self._find(game.candidates(view), ids) for name, view in views.items()}
        found["everything"] = self._unite(found, game.standing(views["public"]).out)
        for name, known in found.items():
            told = self._told[name]
            fresh = {token: faces for token, faces in known.items() if told.get(token) != faces}
            if fresh:
                news[name] = fresh
                told.update(fresh)
        return news

    def _find(self, candidates: dict[str, tuple[str, ...]], ids: dict[str, str]) -> Known:
        return {ids[place]: self._pack(faces) for place, faces in candidates.items() if place in ids}

    def _pack(self, faces: tuple[str, ...]) -> int:
        return sum(1 << self._bits.setdefault(face, len(self._bits)) for face in faces)

    def _unite(self, found: dict[str, Known], out: Sequence[int]) -> Known:
        """Return the candidates that at least one player still in the match cannot rule out."""
        united: Known = {}
        for player, side in enumerate(self.game.info.sides):
            for token, faces in found[side].items() if player not in out else ():
                united[token] = united.get(token, 0) | faces
        return united
