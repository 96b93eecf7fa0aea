"""Grid games: Original, Classic, Special, Duel, Barrage. Rule numbers GR-n are those of `rules.md`."""
