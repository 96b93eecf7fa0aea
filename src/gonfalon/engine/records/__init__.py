"""Records: the text of a match, made from its steps and replayed under the rules."""
