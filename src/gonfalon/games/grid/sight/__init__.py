"""The knowledge of an observer: the filter, views, events, resampled states, tensors."""

from gonfalon.games.grid.sight.visible import fill_view

__all__ = ["fill_view"]
