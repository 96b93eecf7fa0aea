"""The bus: short notices between the processes that share a database. In one process they are function calls."""
