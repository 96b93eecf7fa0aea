"""Presets: time controls with names, for the screen on which a match is made."""

from __future__ import annotations

import msgspec

from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn, Untimed


class Preset(msgspec.Struct, frozen=True):
    """A time control with the name of its texts (`time.<name>`); the name never changes."""

    name: str
    control: Control
    players: tuple[int, int] = (2, 4)
    """Least and greatest number of players of the variants that offer this preset."""
    pieces: int = 0
    """Maximum number of pieces a side for which this preset is the first; 0: none."""


PRESETS = (
    Preset("standard", Bank(900, delay=3, longest=180, deployment=300), players=(2, 2)),
    Preset("quick", Bank(300, increment=3, deployment=120), players=(2, 2), pieces=12),
    Preset("turns", PerTurn(60, deployment=300), players=(3, 4)),
    Preset("correspondence", Correspondence(3)),
    Preset("live", Untimed(300)),
    Preset("open", Untimed(0)),
)
"""All presets in the order of the screen. `open`: in our own time, so only resigning ends the match early."""


def offer_presets(players: int, pieces: int) -> tuple[Preset, ...]:
    """Return the presets for a variant with so many players and pieces a side; the first is the suggestion.

    Facts of the variant choose the presets, so a new family needs no list here.
    """
    fitting = [preset for preset in PRESETS if preset.players[0] <= players <= preset.players[1]]
    return tuple(sorted(fitting, key=lambda preset: not 0 < pieces <= preset.pieces))
