"""Tests of every game: the contract of `engine.game.Game`, and secrecy for every observer.

The tests are equal for all variants and families. Only the rules of a family say which worlds an observer cannot tell
apart, and which faces an observer may read. That is in `families/<family>.py`, which is written from the rules and the
steps of a match, never from the code under test.
"""
