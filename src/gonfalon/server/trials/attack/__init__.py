"""Attackers of a server, and what a player waits for meanwhile."""
