"""Tests of the numbered rules of the Card Game, of its data files and its texts."""
