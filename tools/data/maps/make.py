"""Makes the maps of the Conquest family that come with the project.

    python tools/data/maps/make.py

The sites of one sector become cells of equal area, and the other sectors are turned copies (cells.py). The zones settle
like a foam inside a coast without symmetry (foam.py). The edges get bends (wobble.py). recipes.py has the choices made
by hand. The map files are the source and may be corrected by hand. The last digits of this program's output differ
between machines, so no test compares them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from cells import Points, relax, rounded_square
from foam import Coast, Foam, gather, outer_edges, settle
from recipes import BIG, SMALL, Recipe
from wobble import bent, straight

FOLDER = Path(__file__).parents[3] / "src" / "gonfalon" / "games" / "conquest" / "data" / "maps"
RADIUS = 455.0
SITES = 18
SIZE = 1000
MARGIN = 36
HEAD = """\
# {title}. The format: src/gonfalon/games/conquest/maps/__init__.py
# Made by tools/data/maps/make.py from a recipe in tools/data/maps/recipes.py: one quarter's sites evened out to equal
# areas and turned for the others, then settled like a foam in a coast that does not repeat, so that the drawing varies
# while borders, ridges and cities are the same for every seat.
"""


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for recipe in (BIG, SMALL):
        path = FOLDER / f"{recipe.file}.toml"
        path.write_text(draw(recipe), encoding="utf-8")
        print(path)


def draw(recipe: Recipe) -> str:
    """Return the text of the map file of a recipe."""
    rng = np.random.default_rng(recipe.drawing_seed)
    foam = gather(_cells(recipe), len(recipe.quarters))
    waves = [(times, share, rng.uniform(0, 2 * np.pi)) for times, share in recipe.waves]
    coast = Coast(RADIUS, recipe.power, np.array(waves))
    tension = {edge: rng.uniform(0.0, 1.2) for edge in foam.edges()}
    wishes = rng.uniform(0.94, 1.06, len(foam.zones))
    for name, depth in recipe.inlets:
        wishes[foam.edges()[_coastal_edge(recipe, foam, name)][0]] += depth / 180  # add the area that the bay will take
    settle(foam, coast, wishes, recipe.lake, tension, 600)
    lines = _lines(recipe, foam, coast, rng)
    spread = np.concatenate(list(lines.values()))
    low, high = spread.min(axis=0), spread.max(axis=0)
    scale = (SIZE - 2 * MARGIN) / (high - low)

    def placed(points: Points) -> Points:
        return np.asarray(np.rint((points - low) * scale + MARGIN).astype(int))

    corners = placed(foam.corners)
    bends = {edge: placed(line)[1:-1] for edge, line in lines.items()}
    return _text(recipe, foam, corners, bends, _islets(placed(spread), rng))


def _cells(recipe: Recipe) -> list[list[tuple[float, float, int]]]:
    rng, fold = np.random.default_rng(recipe.site_seed), len(recipe.quarters)
    sites: list[Points] = []
    while len(sites) < SITES:
        site = rng.uniform(-RADIUS, RADIUS, 2)
        angle = (np.arctan2(site[1], site[0]) - np.pi / 2 + np.pi / fold) % (2 * np.pi)
        if angle < 2 * np.pi / fold and np.hypot(*site) < RADIUS + 15:
            sites.append(site)
    lake = min(recipe.lake, 4500)
    return relax(np.array(sites), fold, rounded_square(RADIUS, recipe.power), lake, 160)


def _lines(recipe: Recipe, foam: Foam, coast: Coast, rng: np.random.Generator) -> dict[tuple[int, int], Points]:
    """Return the bent line of each edge, from its lower corner."""
    outer = set(outer_edges(foam))
    shore = set(foam.lake)
    territory = _territory_of(recipe)
    bays = {_coastal_edge(recipe, foam, name): depth for name, depth in recipe.inlets}
    lines = {}
    for (a, b), zones in foam.edges().items():
        start, end = foam.corners[a], foam.corners[b]
        length = float(np.hypot(*(end - start)))
        parts = max(4, round(length / 9))
        if (a, b) in outer or (b, a) in outer:
            line = coast.between(start, end, max(6, round(length / 7)))
            line *= 1 - (bays.get((a, b), 0) / RADIUS * np.sin(np.linspace(0, np.pi, len(line))) ** 2)[:, None]
            lines[a, b] = bent(line, 0.15 * length, 0.62, rng)
        elif {a, b} <= shore:
            middle = (start + end) / 2
            bulge = np.sin(np.linspace(0, np.pi, parts + 1))[:, None] * middle * 0.3
            lines[a, b] = bent(straight(start, end, parts) + bulge, 0.06 * length, 0.6, rng)
        else:
            between = territory[zones[0]] != territory[zones[1]]
            lines[a, b] = bent(straight(start, end, parts), (0.11 if between else 0.07) * length, 0.55, rng)
    return lines


def _territory_of(recipe: Recipe) -> dict[int, tuple[int, int]]:
    """Return the territory of each zone: the quarter, and the number of the territory in the quarter."""
    every = SITES * len(recipe.quarters)
    return {
        (zone + SITES * q) % every: (q, t)
        for q in range(len(recipe.quarters))
        for t, zones in enumerate(recipe.territories)
        for zone in zones
    }


def _coastal_edge(recipe: Recipe, foam: Foam, name: str) -> tuple[int, int]:
    spots = {n: (q, t) for q, quarter in enumerate(recipe.quarters) for t, n in enumerate(recipe.names[quarter])}
    territory = _territory_of(recipe)
    edges = foam.edges()
    for pair in outer_edges(foam):
        edge = (min(pair), max(pair))
        if territory[edges[edge][0]] == spots[name]:
            return edge
    raise ValueError(f"{name} has no coast")


def _islets(coast: Points, rng: np.random.Generator) -> list[Points]:
    """Return small islands off the coast, where there is room for them."""
    found: list[tuple[Points, float]] = []
    middle = np.array([SIZE / 2, SIZE / 2])
    directions = np.arctan2(*(coast - middle).T[::-1])
    for _ in range(4000):
        spot, size = rng.uniform(20, SIZE - 20, 2), rng.uniform(7, 19)
        land = np.hypot(*(coast - spot).T).min()
        ahead = np.abs((directions - np.arctan2(*(spot - middle)[::-1]) + np.pi) % (2 * np.pi) - np.pi) < 0.15
        inside = np.hypot(*(spot - middle)) < np.hypot(*(coast[ahead] - middle).T).max()
        clear = all(np.hypot(*(spot - other)) > size + reach + 9 for other, reach in found)
        if not inside and size + 13 < land < size + 60 and clear and np.abs(spot - middle).max() < SIZE / 2 - size - 6:
            found.append((spot, size))
        if len(found) == 9:
            break
    angles = np.arange(11) * 2 * np.pi / 11
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return [np.rint(spot + circle * (size * rng.uniform(0.7, 1.15, 11))[:, None]).astype(int) for spot, size in found]


def _ridge_chains(recipe: Recipe, foam: Foam) -> list[list[int]]:
    """Return the ridges as lines of corners: for each quarter its ridges, joined into lines as long as possible."""
    every = SITES * len(recipe.quarters)
    chains = []
    for q in range(len(recipe.quarters)):
        left: dict[int, list[int]] = {}
        for pair in recipe.ridges:
            z, other = ((zone + SITES * q) % every for zone in pair)
            i = foam.beyond[z].index(other)
            a, b = foam.zones[z][i], foam.zones[z][(i + 1) % len(foam.zones[z])]
            left.setdefault(a, []).append(b)
            left.setdefault(b, []).append(a)
        while any(left.values()):
            chain = [min((c for c in left if left[c]), key=lambda c: (len(left[c]) % 2 == 0, c))]
            while left[chain[-1]]:
                here = chain[-1]
                onward = max(left[here], key=lambda c: len(left[c]))
                left[here].remove(onward)
                left[onward].remove(here)
                chain.append(onward)
            chains.append(chain)
    return chains


def _text(
    recipe: Recipe, foam: Foam, corners: Points, bends: dict[tuple[int, int], Points], islets: list[Points]
) -> str:
    names = _corner_names(recipe, foam)
    out = [HEAD.format(title=recipe.title), f'title = "{recipe.title}"', f"players = {list(recipe.players)}"]
    out.append(f"territories = {len(recipe.territories) * len(recipe.quarters)}")
    out.append(f"cities = {len(recipe.cities) * len(recipe.quarters)}")
    out.append(f"size = [{SIZE}, {SIZE}]")
    out.append("symmetric = true")
    out.append(f"quarters = [{', '.join(_quoted(quarter) for quarter in recipe.quarters)}]")
    out.append("ridges = [")
    out += [f"    [{', '.join(_quoted(names[c]) for c in chain)}]," for chain in _ridge_chains(recipe, foam)]
    out += ["]", "islets = [", *(f"    {_row(islet)}," for islet in islets), "]", "", "[points]"]
    order = sorted(names, key=lambda c: (names[c][0], int(names[c][1:])))
    out += [f"{names[c]} = [{corners[c][0]}, {corners[c][1]}]" for c in order]
    out += ["", "[bends]"]
    out += [f'"{names[a]} {names[b]}" = {_row(bends[a, b])}' for a, b in sorted(bends, key=lambda e: order.index(e[0]))]
    every = SITES * len(recipe.quarters)
    for q, quarter in enumerate(recipe.quarters):
        for t, zones in enumerate(recipe.territories):
            name = recipe.names[quarter][t]
            out += ["", "[[territory]]", f'id = "{recipe.ids.get(name, name[:2].lower())}"', f'name = "{name}"']
            out.append(f'quarter = "{quarter}"')
            out += [f"city = {recipe.cities[t]}"] if t in recipe.cities else []
            rings = [foam.zones[(zone + SITES * q) % every] for zone in zones]
            out += ["zones = [", *(f"    [{', '.join(_quoted(names[c]) for c in ring)}]," for ring in rings), "]"]
    return "\n".join(out) + "\n"


def _corner_names(recipe: Recipe, foam: Foam) -> dict[int, str]:
    """Return names of corners: the letter of the first quarter that has the corner, and a number."""
    names: dict[int, str] = {}
    every = SITES * len(recipe.quarters)
    for q, quarter in enumerate(recipe.quarters):
        mine = [c for zones in recipe.territories for zone in zones for c in foam.zones[(zone + SITES * q) % every]]
        fresh = [corner for corner in dict.fromkeys(mine) if corner not in names]
        names |= {corner: f"{quarter[0].lower()}{number}" for number, corner in enumerate(fresh, 1)}
    return names


def _quoted(text: str) -> str:
    return f'"{text}"'


def _row(points: Points) -> str:
    return "[" + ", ".join(f"[{x}, {y}]" for x, y in points) + "]"


if __name__ == "__main__":
    main()
