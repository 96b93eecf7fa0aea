"""Many matches in arrays, and observations of them: for learning, search and counting."""
