"""Tests of the rules TN-1 to TN-5 and of the value of the game."""
