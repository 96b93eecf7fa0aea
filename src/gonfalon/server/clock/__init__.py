"""Clocks of matches: pure computation, without tasks and storage. The match imports this package, never the reverse."""
