"""Every variant as a game of OpenSpiel, under the name `gonfalon_<variant>`, such as `gonfalon_conquest_two`.

>>> import pyspiel
>>> import gonfalon.envs.open_spiel
>>> game = pyspiel.load_game("gonfalon_barrage(max_turns=200)")
>>> state = game.new_initial_state()

`register_variant("folder/small.toml")` adds a variant of one's own and returns its name.

House rules are the parameters. Of several players who may act, such as those who deploy at the same moment, the first
in the order of the seats acts, until that player may act no longer. Before play another player's information state says
of a deployment only that it is complete.

The information state of a player is the list of the player's own actions and events: as a string, and as a hash
(`MatchState.information_state_hash`) that stays short in long matches. Variants with at most 100 turns also have it as
a tensor: the planes of the player's view, and 64 bits for each step that told the player something, a hash of its text.
Other variants have no such tensor, because it would have a row for each of thousands of steps.

The observation is the player's view: planes as a tensor, the scene as a string. An observer without public information
gives only the text of what a spectator does not know. It has no tensor, because planes cannot be separated like that.

`MatchState.resample_from_infostate` says which resampled states have a history.
"""

from __future__ import annotations

from gonfalon.envs.open_spiel.bots import AgentBot
from gonfalon.envs.open_spiel.matches import MatchGame, MatchState, register_variant, register_variants
from gonfalon.envs.open_spiel.variants import name_of

__all__ = ["AgentBot", "MatchGame", "MatchState", "name_of", "register_variant"]

register_variants()
