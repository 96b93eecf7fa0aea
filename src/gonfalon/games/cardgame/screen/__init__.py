"""Screens: board, scene, choices, refusals, and their texts and glyphs."""
