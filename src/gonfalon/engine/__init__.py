"""What every game shares: the interface, views, events, scenes, records. Imports nothing else of ours."""
