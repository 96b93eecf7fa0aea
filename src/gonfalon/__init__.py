"""Gonfalon: the Stratego family of hidden-rank games, to play and to study.

>>> import gonfalon
>>> game = gonfalon.make("classic")
>>> state = game.initial_state()
"""

from gonfalon.engine.ruleset import RulesetError
from gonfalon.games import families, make, variants

__all__ = ["RulesetError", "families", "make", "variants"]
__version__ = "0.2.0"
