"""The clocks of matches that run, and the deadlines of those that lie on disk."""
