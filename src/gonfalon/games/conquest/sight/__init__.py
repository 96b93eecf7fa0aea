"""What an observer may know: the filter, views and events, worlds that cannot be told apart, tensors."""

from gonfalon.games.conquest.sight.visible import fill_view

__all__ = ["fill_view"]
