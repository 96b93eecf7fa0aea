"""One module for each family: what `conformance.worlds.Family` asks for."""
