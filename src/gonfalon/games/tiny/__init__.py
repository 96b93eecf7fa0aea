"""Tiny: three hidden pieces a side. The smallest family, as an example to copy and as a game that can be solved."""
