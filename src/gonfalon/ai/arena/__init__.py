"""Plays agents and programs against each other and says how sure the result is.

`plan` what is played by whom, `matches` one match, `staff` the processes that play, `folder` what has been played,
`scores` the mathematics, `report` tables and plots, `positions` single decisions that an agent should get right.
"""
