"""The Card Game for the tests of secrecy: see `conformance.worlds.Family`."""

from __future__ import annotations

from conformance.families.cardgame_mutants import MUTANTS
from conformance.families.cardgame_rebuild import agrees, rebuild
from conformance.families.cardgame_watcher import CardWatcher as Watcher
from conformance.families.cardgame_worlds import deals, key, scramble, shows
from conformance.worlds import played as small
from conformance.worlds import the_same as likewise

__all__ = ["MUTANTS", "Watcher", "agrees", "deals", "key", "likewise", "rebuild", "scramble", "shows", "small"]
