"""What every game shares: the interface, views, events, scenes, records. It imports no other package of Gonfalon."""
