"""What the operator may ask of a running server, from the same machine: `gonfalon people`, `gonfalon matches`."""
