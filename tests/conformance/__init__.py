"""Tests of every game: the promises of `engine.game.Game`, and secrecy for every observer.

The tests are the same for all variants and families. Only a family's rules can say which worlds an observer cannot tell
apart and which faces may be read. That is in `families/<family>.py`, written from the rules and the steps of a match,
never from the code under test.
"""
