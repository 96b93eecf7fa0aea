"""Conquest. Rule numbers CQ-n refer to `rules.md`."""
