"""Tiny: three hidden pieces per side. The smallest family: an example to copy, and a game that can be solved."""
