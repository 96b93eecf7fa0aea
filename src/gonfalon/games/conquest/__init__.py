"""Conquest: its maps so far. Rule numbers CQ-n are those of the family's rules page."""
