"""Screens: board, scene, choices, refusals, and their words and glyphs."""
