"""Rulesets, variants of one's own, and names: data in TOML files."""
