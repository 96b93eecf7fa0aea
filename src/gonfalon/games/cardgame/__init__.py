"""The Card Game: hidden cards in a line of five, a hand of three and a pile."""
