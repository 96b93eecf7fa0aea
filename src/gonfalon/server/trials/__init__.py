"""Trials of the server, a command each: its speed, its behaviour under attack, under repeated kills, and for minutes on
end.

`process` starts a server of its own, `attackers` breaks every rule of the protocol; the other modules are the commands.
"""
