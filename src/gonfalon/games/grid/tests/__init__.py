"""One test at least for each numbered rule of `rules.md`, and slow oracles that the compiled rules are compared
with.
"""
