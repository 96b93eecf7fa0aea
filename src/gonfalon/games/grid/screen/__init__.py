"""What is shown: board, scene, choices, refusals; the words and glyphs for them."""
