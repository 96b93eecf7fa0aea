"""One test at least for each numbered rule that is there: of maps so far."""
