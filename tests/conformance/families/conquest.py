"""Conquest for the tests of secrecy: see `conformance.worlds.Family`."""

from __future__ import annotations

from conformance.families.conquest_deals import deals, key, small
from conformance.families.conquest_mutants import MUTANTS
from conformance.families.conquest_rebuild import agrees, rebuild
from conformance.families.conquest_scenes import ConquestWatcher as Watcher
from conformance.families.conquest_worlds import likewise, scramble, shows

__all__ = ["MUTANTS", "Watcher", "agrees", "deals", "key", "likewise", "rebuild", "scramble", "shows", "small"]
