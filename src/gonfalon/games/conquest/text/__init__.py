"""Texts: notation, positions, and maps as SVG."""
