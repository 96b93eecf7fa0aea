"""Scenes for screens, and the differences between two of them."""
