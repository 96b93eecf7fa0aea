"""Help for players: deployments and an estimate of positions."""

from gonfalon.games.grid.play.estimate import estimate

__all__ = ["estimate"]
