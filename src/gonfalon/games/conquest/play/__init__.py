"""Help for players: deployments and an estimate of positions."""

from gonfalon.games.conquest.play.estimate import estimate

__all__ = ["estimate"]
