"""The server on trial, by commands: how fast it is, under attack, killed again and again, for minutes on end.

`process` starts a server of its own, `attackers` keep to no rule; the other modules are a command each.
"""
