"""Belief in hidden pieces: worlds, the evidence of their moves, the placement of deployments."""
