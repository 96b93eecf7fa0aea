"""What helps to play: deployments and an estimate of positions."""

from gonfalon.games.conquest.play.estimate import estimate

__all__ = ["estimate"]
