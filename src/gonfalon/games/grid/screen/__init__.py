"""The screen: board, scene, choices, refusals; the words and glyphs for them."""
