"""Commands that play matches between agents: arena, ladder, ablate, train, positions, engine."""
