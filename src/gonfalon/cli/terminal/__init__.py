"""Matches, records and positions as text in a terminal."""
