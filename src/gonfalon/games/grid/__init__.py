"""Grid games: Original, Classic, Special, Duel, Barrage. Rule numbers GR-n refer to `rules.md`."""
