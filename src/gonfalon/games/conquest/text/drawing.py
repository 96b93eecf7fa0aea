"""A map as an SVG picture that looks like layers of cut paper. Light or dark follows the reader's setting."""

from __future__ import annotations

from xml.sax.saxutils import escape

import numpy as np

from gonfalon.games.conquest.maps import (
    ZONES,
    Label,
    Line,
    Map,
    Spot,
    find_spots,
    frontier_path,
    islet_paths,
    place_names,
    ridge_line,
    ridge_path,
    tones_of,
    zone_path,
)

PEAK_GAP = 15.0
"""Distance between the peaks of a ridge, in map units."""

STYLE = """
svg { stroke-linejoin: round; stroke-linecap: round;
  --sea: #c3d2d3; --shoal: #d2ded9; --edge: #f4efe4; --under: #8fa3a4; --line: #5d4c38; --ink: #2b241c;
  --foot: #2f261e; --rock: #5b4a3a; --crest: #8d7860; --roof: #f4efe4; --unit: #f4efe4;
  --t0: #dcc69d; --t1: #cbb58a; --t2: #bdb48c; --t3: #d3b08a; --t4: #c5a07c; }
@media (prefers-color-scheme: dark) {
  svg { stroke-linejoin: round; stroke-linecap: round;
  --sea: #1b262b; --shoal: #233238; --edge: #8b806c; --under: #0d1316; --line: #14110d; --ink: #f3ecdc;
    --foot: #0c0a08; --rock: #17130f; --crest: #a08a6c; --roof: #f3ecdc; --unit: #15181b;
    --t0: #655740; --t1: #574b37; --t2: #4f4d38; --t3: #62503a; --t4: #574231; }
}
.sea { fill: var(--sea); }
.shoal { fill: var(--shoal); stroke: var(--shoal); stroke-width: 46; }
.shoal.near { fill: var(--edge); stroke: var(--edge); stroke-width: 40; opacity: .16; }
.under { fill: var(--under); stroke: var(--under); stroke-width: 9; }
.edge { fill: var(--edge); stroke: var(--edge); stroke-width: 9; }
.zones { stroke: var(--line); stroke-width: 2.4; stroke-opacity: .6; }
.border { fill: none; stroke: var(--line); stroke-width: 4.4; stroke-opacity: .9; }
.ridge .foot { fill: none; stroke: var(--foot); stroke-width: 13; stroke-opacity: .3; }
.ridge .rock { fill: none; stroke: var(--rock); stroke-width: 12; }
.ridge .dark { fill: var(--rock); stroke: var(--foot); stroke-width: 1.6; }
.ridge .light { fill: var(--crest); }
.tower { fill: var(--ink); stroke: var(--roof); stroke-width: 2.5; paint-order: stroke; }
.unit { fill: var(--unit); fill-opacity: .55; stroke: var(--ink); stroke-width: 1.5; }
.name { fill: var(--ink); font-family: "Alegreya Sans", "Noto Sans", system-ui, sans-serif; font-weight: 600; \
text-anchor: middle; }
"""
TOWER_PATH = "M-10 15V-3H-13V-15H-7.5V-10H-3V-15H3V-10H7.5V-15H13V-3H10V15H4V7A4 4 0 0 0 -4 7V15Z"


def svg(m: Map, *, units: bool = False) -> str:
    """Return the picture of a map. One SVG unit is one map unit. `units` adds a disc for each zone's unit."""
    known = find_spots(m)
    width, height = (f"{part:g}" for part in m.size)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(m.title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="sea" width="{width}" height="{height}"/>',
            *_land(m),
            *_territories(m),
            *_ridges(m),
            *_marks(known, units=units),
            *(_name(*named) for named in zip(place_names(m, known), (t.name for t in m.territories), strict=True)),
            "</svg>",
            "",
        ]
    )


def _land(m: Map) -> list[str]:
    """Return the layers below the territories: shoals, the edge of the paper, and its shadow."""
    islets = islet_paths(m)
    every = "".join([*(zone_path(m, z) for z in range(len(m.zones))), *islets])
    return [
        f'<path class="shoal" d="{every}"/>',
        f'<path class="under" d="{every}" transform="translate(2 5)"/>',
        f'<path class="edge" d="{every}"/>',
        *(f'<path d="{islet}" fill="var(--t1)"/>' for islet in islets),
    ]


def _territories(m: Map) -> list[str]:
    tones = tones_of(m)
    found = [
        f'<g class="zones" fill="var(--t{tones[t]})">'
        + "".join(f'<path d="{zone_path(m, z)}"/>' for z in range(ZONES * t, ZONES * t + ZONES))
        + "</g>"
        for t in range(len(m.territories))
    ]
    return [*found, f'<path class="border" d="{frontier_path(m)}"/>']


def _ridges(m: Map) -> list[str]:
    """Return each ridge as a strip of rock with a shadow and peaks, the farther peaks first."""
    paths = "".join(ridge_path(m, i) for i in range(len(m.ridges)))
    peaks = sorted((peak for i in range(len(m.ridges)) for peak in _peaks(ridge_line(m, i))), key=lambda peak: peak[1])
    faces = [
        f'<path class="dark" d="M{x - 9.5:.1f} {y + 7:.1f}L{x:.1f} {y - h:.1f}L{x + 9.5:.1f} {y + 7:.1f}Z"/>'
        f'<path class="light" d="M{x - 9.5:.1f} {y + 7:.1f}L{x:.1f} {y - h:.1f}L{x + 1.5:.1f} {y + 7:.1f}Z"/>'
        for x, y, h in peaks
    ]
    return [
        f'<g class="ridge"><path class="foot" d="{paths}" transform="translate(2 5)"/>',
        f'<path class="rock" d="{paths}"/>{"".join(faces)}</g>',
    ]


def _peaks(line: Line) -> list[tuple[float, float, float]]:
    """Return places and heights of peaks spread evenly along a line, none at its ends."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    count = max(int(along[-1] / PEAK_GAP), 2)
    at = (np.arange(count) + 0.5) * along[-1] / count
    heights = 11 + 4.5 * np.sin(2.4 * np.arange(count))
    found: list[tuple[float, float, float]] = list(
        zip(np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1]), heights, strict=True)
    )
    return found


def _marks(known: tuple[Spot, ...], *, units: bool) -> list[str]:
    found = []
    for spot in known:
        if units:
            x, y = spot.place
            found.append(f'<circle class="unit" cx="{x:g}" cy="{y:g}" r="{0.7 * spot.reach:.1f}"/>')
        if spot.tower is not None:
            x, y = spot.tower
            found.append(f'<path class="tower" d="{TOWER_PATH}" transform="translate({x:g} {y:g})"/>')
    return found


def _name(written: Label, name: str) -> str:
    x, y = written.place
    first = y - written.size * (len(written.lines) - 1) / 2 + 0.34 * written.size
    lines = "".join(
        f'<tspan x="{x:g}" y="{first + i * written.size:.1f}">{escape(line)}</tspan>'
        for i, line in enumerate(written.lines)
    )
    return f'<text class="name" font-size="{written.size:g}" aria-label="{escape(name)}">{lines}</text>'
