"""The rules TN-1 to TN-5 and the value of the game."""
