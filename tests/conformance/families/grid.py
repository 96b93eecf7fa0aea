"""The grid family for the tests of secrecy: see `conformance.worlds.Family`."""

from __future__ import annotations

from conformance.families.grid_mutants import MUTANTS
from conformance.families.grid_rebuild import agrees, rebuild
from conformance.families.grid_watcher import GridWatcher as Watcher
from conformance.families.grid_worlds import deals, key, scramble, shows
from conformance.worlds import played as small
from conformance.worlds import the_same as likewise

__all__ = ["MUTANTS", "Watcher", "agrees", "deals", "key", "likewise", "rebuild", "scramble", "shows", "small"]
