"""The rules of Conquest."""
