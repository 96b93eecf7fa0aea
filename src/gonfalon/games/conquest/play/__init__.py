"""What helps to play: deployments and an estimate of positions."""
