"""The web server: lobby, matches (the authority), store, agents. Knows the engine's interface and no game."""
