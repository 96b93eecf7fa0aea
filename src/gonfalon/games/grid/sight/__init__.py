"""The knowledge of an observer: the filter, views, events, resampled states, tensors."""

from gonfalon.games.grid.sight.encode import fill_planes
from gonfalon.games.grid.sight.visible import fill_view

__all__ = ["fill_planes", "fill_view"]
