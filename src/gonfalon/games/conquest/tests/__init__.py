"""At least one test for each numbered rule of `rules.md`."""
