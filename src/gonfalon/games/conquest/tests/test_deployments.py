"""Deployments, choices of territories and tensors, tested on views filled in by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.deployments import (
    borders_of,
    count_steps_from,
    random_deployment,
    sensible_deployment,
)
from gonfalon.games.conquest.screen.scene import arrange_of
from gonfalon.games.conquest.sight.view import own_zones
from gonfalon.games.conquest.tests.sights import BLUE, RED, Sight, deploying, grouped


@pytest.mark.parametrize("variant", ["conquest", "conquest-three", "conquest-two", "conquest-narrows"])
@pytest.mark.parametrize("laid", ["", "F", "K.XX"])
def test_deployments_are_whole(variant: str, laid: str) -> None:
    sight = deploying(variant, laid.replace(".", "" if variant in ("conquest", "conquest-narrows") else "."))
    arrange = arrange_of(sight.view, sight.land, sight.rules)
    assert arrange is not None
    wanted = sorted(piece.action for piece in arrange.pieces for _ in range(piece.count))
    assert len(wanted) == len(arrange.places)
    rng, made = np.random.default_rng(1), set()
    for _ in range(20):
        chance = random_deployment(sight.view, arrange, rng)
        sensible = sensible_deployment(sight.view, arrange, sight.rules, rng)
        assert sorted(chance.tolist()) == sorted(sensible.tolist()) == wanted
        assert sensible.dtype == chance.dtype == np.int32
        made.add(tuple(sensible.tolist()))
    assert len(made) == 20


def test_no_own_city_stays_empty() -> None:
    """CQ-9: nobody controls a city without a unit. There are twice as many zones as units."""
    sight = deploying("conquest-two", "")
    arrange = arrange_of(sight.view, sight.land, sight.rules)
    zones, cities = own_zones(sight.view, RED), sight.rules[0]["city"]
    own = {zone // g.IN_TERRITORY for zone in zones if cities[zone // g.IN_TERRITORY]}
    assert own, "the test is about players who have chosen a city"
    rng = np.random.default_rng(3)
    for _ in range(40):
        kinds = dict(zip(zones, sensible_deployment(sight.view, arrange, sight.rules, rng).tolist(), strict=True))
        assert own <= {zone // g.IN_TERRITORY for zone, kind in kinds.items() if kind}


def test_a_sensible_flag_stands_behind() -> None:
    sight = Sight(g.DEPLOY)
    sight.row["owner"][: g.TERRITORIES] = np.arange(g.TERRITORIES) // 6
    arrange = arrange_of(sight.may(*range(g.ACT_PICK)).view, sight.land, sight.rules)
    near, zones = borders_of(sight.rules), own_zones(sight.view, RED)
    strange = np.array([zone not in zones for zone in range(g.ZONES)])
    steps = count_steps_from(strange, near)
    rng = np.random.default_rng(2)
    behind, guarded = [], []
    for _ in range(60):
        kinds = dict(zip(zones, sensible_deployment(sight.view, arrange, sight.rules, rng).tolist(), strict=True))
        flag = next(zone for zone, kind in kinds.items() if kind == g.FLAG)
        behind.append(steps[flag])
        guarded.append(any(near[flag, zone] for zone, kind in kinds.items() if kind == g.CURSED_LAND))
    assert np.mean(behind) > np.mean(steps[zones]) + 0.3
    assert np.mean(guarded) > 0.7
    assert len(set(behind)) > 1
    assert min(behind) > 1, "there are zones that border no other player's"


def test_a_king_stands_beside_no_enemy_while_an_inner_zone_is_free() -> None:
    """CQ-19: a Spy Master that can attack the King at once takes it."""
    sight = Sight(g.DEPLOY)
    sight.row["owner"][: g.TERRITORIES] = np.arange(g.TERRITORIES) // 6
    arrange, rng = arrange_of(sight.may(*range(g.ACT_PICK)).view, sight.land, sight.rules), np.random.default_rng(4)
    near, zones = borders_of(sight.rules), own_zones(sight.view, RED)
    strange = [zone for zone in range(g.ZONES) if zone not in zones]
    inner = [zone for zone in zones if not near[zone, strange].any()]
    assert 1 < len(inner) < len(zones), "there is one for the Flag and one for the King"
    for _ in range(60):
        kinds = (sensible_deployment(sight.view, arrange, sight.rules, rng) - g.ACT_PLACE).tolist()
        assert {zones[kinds.index(g.KING)], zones[kinds.index(g.FLAG)]} <= set(inner)


def test_a_sensible_choice_of_territories_makes_a_block() -> None:
    borders = {}
    for name, choose in (("sensible", sensible_deployment), ("random", None)):
        sight, rng = Sight(g.DRAFT), np.random.default_rng(3)
        for turn in range(g.TERRITORIES):
            sight.row["observer"] = sight.observer = turn % 4
            sight.may(*(g.ACT_PICK + np.flatnonzero(sight.row["owner"] == g.NONE)).tolist())
            picks = choose(sight.view, None, sight.rules, rng) if choose else random_deployment(sight.view, None, rng)
            assert len(picks) == 1
            sight.row["owner"][picks[0] - g.ACT_PICK] = turn % 4
        owner = np.repeat(sight.row["owner"], g.IN_TERRITORY)
        borders[name] = (borders_of(sight.rules) & (owner[:, None] == owner[None])).sum()
    assert borders["sensible"] > 1.2 * borders["random"]


# ---- tensors


def test_tensors_show_units_and_the_turn() -> None:
    sight = Sight(made=1, mover=BLUE).put(RED, kf1="K").put(BLUE, um1="?")
    at = sight.planes
    assert at["is king"][sight.zone("kf1")] == at["unit own"][sight.zone("kf1")] == 1
    assert at["hidden"][sight.zone("um1")] == at["unit next"][sight.zone("um1")] == 1
    assert at["mover next"].all()
    assert at["phase move"].all()
    assert at["phase over"].sum() == 0


def test_tensors_show_shares_of_groups() -> None:
    sight = grouped(g.KING, inside=2)
    at = sight.planes
    assert at["among king"][sight.zone("um1")] == 0.25
    assert at["among"][sight.zone("um2")] == 1


def test_tensors_of_a_smaller_map_have_no_land_beyond() -> None:
    sight = Sight(variant="conquest-narrows")
    at = sight.planes
    assert at["land"].sum() == len(sight.land.zones)


def test_tensors_show_the_open_choice() -> None:
    sight = deploying(laid="K.XX")
    at = sight.planes
    assert at["decided"].sum() == 4
    assert at["laid cursed-land"].sum() == 2
    assert at["laid king"][sight.zone("th1")] == 1
