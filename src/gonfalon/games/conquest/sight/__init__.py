"""The knowledge of an observer: the filter, views, events, resampled states, tensors."""

from gonfalon.games.conquest.sight.encode import fill_planes
from gonfalon.games.conquest.sight.visible import fill_view

__all__ = ["fill_planes", "fill_view"]
