"""Shared by all games: the interface, views, events, scenes, records. It imports no other package of Gonfalon."""
