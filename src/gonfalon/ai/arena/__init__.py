"""Plays agents and programs against each other, and computes their scores with confidence intervals.

`plan`: entrants and matches; `matches`: one match; `staff`: the processes that play; `folder`: stored results;
`scores`: the statistics; `report`: tables and plots; `positions`: single decisions that an agent should get right.
"""
