"""One module for each family, with the members of `conformance.worlds.Family`."""
