"""Help for players of the board games.

`belief` draws worlds, `evaluate` gives a position in one world its points, `search` tries actions in the worlds,
`adjust` corrects the search's values; `deployments` are ready ones, `estimate` is the rough value for all agents.
"""

from gonfalon.games.grid.play.estimate import estimate

__all__ = ["estimate"]
