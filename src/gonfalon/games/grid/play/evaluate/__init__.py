"""Evaluation of positions in one world: worth of pieces, races to the Flags, distances, and the context of them all."""
