"""One module a family: `Watcher`, `scramble`, `deals`, `mutants` and the rest of `conformance.worlds.Family`."""
