"""The earth tone in which each territory of a map is drawn."""

from __future__ import annotations

from itertools import combinations

from gonfalon.games.conquest.maps.model import ZONES, Map

TONES = 5
"""Number of earth tones."""


def tones_of(m: Map) -> list[int]:
    """Return a tone from 0 for each territory. Neighbours have different tones. Territories that meet only at a corner
    also differ, if possible.
    """
    beside: dict[int, set[int]] = {t: set() for t in range(len(m.territories))}
    for zones in m.edges.values():
        for a, b in combinations({z // ZONES for z in zones}, 2):
            beside[a].add(b)
            beside[b].add(a)
    tones: dict[int, int] = {}
    while len(tones) < len(beside):
        t = max(
            (t for t in beside if t not in tones),
            key=lambda t: (len({tones[o] for o in beside[t] if o in tones}), len(beside[t]), -t),
        )
        taken = {tones[other] for other in beside[t] if other in tones}
        uses = [list(tones.values()).count(tone) for tone in range(TONES)]
        tones[t] = min(range(TONES), key=lambda tone: (tone in taken, uses[tone], tone))
    return [tones[t] for t in range(len(beside))]
