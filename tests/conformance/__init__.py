"""Tests of every game: what `engine.game.Game` promises, and that nobody is told what he must not know.

Generic over variants and families. What only a family's rules can say - which worlds an observer cannot tell apart,
which faces he may read - is in `families/<family>.py`, written from the rules and the steps of a match, never from
the code under test.
"""
