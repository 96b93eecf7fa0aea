"""Texts of the command line in the user's language."""
