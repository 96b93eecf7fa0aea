"""Texts: notation and positions."""
