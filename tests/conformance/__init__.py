"""Tests of every game: what `engine.game.Game` promises, and that nobody is told what he must not know.

The tests are the same for all variants and families. Only a family's rules can say which worlds an observer cannot tell
apart and which faces he may read. That is in `families/<family>.py`, written from the rules and the steps of a match,
never from the code under test.
"""
