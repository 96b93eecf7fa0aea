"""Making matches: wishes, and the only way from a wish to a match."""
