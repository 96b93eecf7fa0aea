"""At least one test for each numbered rule of `rules.md`, and slow oracles to compare the compiled rules with."""
