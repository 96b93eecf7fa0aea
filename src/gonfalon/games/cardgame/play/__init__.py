"""Help for players: deployments and an estimate of positions."""

from gonfalon.games.cardgame.play.estimate import estimate

__all__ = ["estimate"]
