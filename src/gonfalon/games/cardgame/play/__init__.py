"""Help for players: deployments, estimates of positions, belief and search."""

from gonfalon.games.cardgame.play.estimate import estimate

__all__ = ["estimate"]
