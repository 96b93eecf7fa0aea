"""Shared by all games: the interface, views, events, scenes, records. The engine imports no other package of
Gonfalon.
"""
