"""A position and the step that led to it, as text. The tests of all families' rules use it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, Game, IllegalActionError, State
from gonfalon.engine.screens.scene import Hint, Scene


@dataclass(frozen=True)
class Diagram:
    """A state of a game. Families add methods that show what is on their boards."""

    game: Game
    state: State
    step: tuple[State, int, int] | None = None

    @property
    def row(self) -> Any:
        """The fields of the state."""
        return self.state[0]

    @property
    def actor(self) -> int:
        """Return the player who acts, or CHANCE. While several players deploy, return the first who is not ready."""
        return self.game.to_act(self.state)[0]

    def play(self, *texts: str, player: int | None = None) -> Self:
        """Return the position after these actions, each by `player` or by the actor."""
        at = self
        for text in texts:
            who = at.actor if player is None else player
            view = at.game.view(at.state, EVERYTHING if who == CHANCE else who)
            action = at.game.parse_action(view, text)
            # The engine gives the action the same text.
            assert at.game.action_text(view, action) == text
            at = replace(at, state=at.game.apply(at.state, who, action), step=(at.state, who, action))
        return at

    def legal(self, begin: str = "", player: int | None = None) -> set[str]:
        """Return the texts of the legal actions of the actor, or of `player`, that begin with `begin`. Empty if the
        match is over.
        """
        if not self.game.to_act(self.state):
            return set()
        who = self.actor if player is None else player
        view = self.game.view(self.state, who)
        texts = (self.game.action_text(view, int(a)) for a in self.game.legal_actions(self.state, who))
        return {text for text in texts if text.startswith(begin)}

    def draws(self) -> dict[str, float]:
        """Return the possible draws with their probabilities: `{"blitz": 0.5, "regroup": 0.5}`."""
        actions, odds = self.game.chance_outcomes(self.state)
        view = self.game.view(self.state, EVERYTHING)
        texts = (self.game.action_text(view, int(action)).split()[-1] for action in actions)
        return dict(zip(texts, odds.tolist(), strict=True))

    def refusal(self, text: str, player: int | None = None) -> str:
        """Return the code of the reason why the actor, or `player`, may not do this."""
        who = self.actor if player is None else player
        action = self.game.parse_action(self.game.view(self.state, who), text)
        assert action not in self.game.legal_actions(self.state, who)
        with pytest.raises(IllegalActionError) as caught:
            self.game.apply(self.state, who, action)
        return caught.value.refusal.code

    def list_events(self, observer: int) -> list[str]:
        """Return the events of the last step for `observer`: the code, then the values of the arguments."""
        assert self.step is not None
        events = self.game.events(self.step[2], self.state, observer)
        return [" ".join((e.code, *(str(value) for value in e.args.values()))) for e in events]

    def scene(self, observer: int) -> Scene:
        return self.game.scene(self.game.view(self.state, observer))

    def hints(self, observer: int) -> tuple[Hint, ...]:
        return self.game.hints(self.game.view(self.state, observer))

    @property
    def ended(self) -> str:
        """Return the end of the match, such as `red flag` or `draw quiet`; empty while it goes on."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return ""
        winner = self.game.info.sides[outcome.best[0]] if len(outcome.best) == 1 else "draw"
        return f"{winner} {outcome.reason}"
