"""Tests of Conquest, with at least one for each numbered rule of `rules.md`."""
