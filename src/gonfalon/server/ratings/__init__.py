"""Ratings of persons, by game, speed class and pool.

`rows` stores one row for each rated match, in the transaction that stores its end. `applying` computes the ratings from
the rows, in the order of their numbers. `sweeping` adds a row that is missing, at start. `ratings` joins them for the
service.
"""
