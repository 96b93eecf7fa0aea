"""Commands that measure speed and belief."""
