"""The web server: registry, matches (the authority), store, agents. Knows the engine's interface and no game."""
