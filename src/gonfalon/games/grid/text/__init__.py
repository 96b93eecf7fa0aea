"""What is written: notation, positions."""
