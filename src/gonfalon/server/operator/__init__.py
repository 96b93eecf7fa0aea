"""Requests of the operator from the same machine, to a running server: `gonfalon people`, `gonfalon matches`."""
