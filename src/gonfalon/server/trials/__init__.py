"""Trials of the server, one command each: its speed, and its behaviour under attack, under repeated kills, and under
minutes of load.

`process` starts a server for a trial, `attackers` breaks every rule of the protocol; the other modules are the
commands.
"""
