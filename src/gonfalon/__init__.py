"""Gonfalon: the Stratego family of hidden-rank games, to play and to study.

>>> import gonfalon
>>> game = gonfalon.make("classic")
>>> state = game.initial_state()

`make` returns a game; `help(game)` describes it. `Batch` plays many matches side by side. `deploy_all` begins a match
after its deployments, `draw_all` draws for chance. `draw` makes a picture of a view. `agents` are the computer players,
`records` are matches as text, `envs` the environments of other libraries.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.engine.spelling import find_similar
from gonfalon.games import families, make, variants

if TYPE_CHECKING:
    from gonfalon import envs, records
    from gonfalon.ai import agents
    from gonfalon.drawing import draw
    from gonfalon.engine.chance import draw_all
    from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
    from gonfalon.engine.learning.batch import Batch
    from gonfalon.engine.learning.starts import deploy_all

__all__ = [
    "CHANCE",
    "EVERYTHING",
    "PUBLIC",
    "Batch",
    "RulesetError",
    "__version__",
    "agents",
    "deploy_all",
    "draw",
    "draw_all",
    "envs",
    "families",
    "make",
    "records",
    "variants",
]
__version__ = "0.2.0"

_LATER = {
    "CHANCE": "gonfalon.engine.game",
    "EVERYTHING": "gonfalon.engine.game",
    "PUBLIC": "gonfalon.engine.game",
    "Batch": "gonfalon.engine.learning.batch",
    "agents": "gonfalon.ai",
    "deploy_all": "gonfalon.engine.learning.starts",
    "draw": "gonfalon.drawing",
    "draw_all": "gonfalon.engine.chance",
    "envs": "",
    "records": "",
}
"""Module of each name that is loaded on first use, because it needs NumPy; empty for a module itself."""


if not TYPE_CHECKING:  # otherwise type checkers would believe that every name exists

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            meant = find_similar(name, __all__)
            hint = f"; did you mean {meant!r}?" if meant else ""
            raise AttributeError(f"module 'gonfalon' has no attribute {name!r}{hint}")
        module = importlib.import_module(_LATER[name] or f"gonfalon.{name}")
        value = getattr(module, name) if _LATER[name] else module
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
