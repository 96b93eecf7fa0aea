"""Remarks on an unusual deployment; a sensible one gets none."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.deployments import borders_of, sensible_deployment
from gonfalon.games.conquest.screen.remarks import remarks_of
from gonfalon.games.conquest.screen.scene import arrange_of
from gonfalon.games.conquest.sight.view import own_zones
from gonfalon.games.conquest.tests.sights import RED, Sight, deploying, grouped
from gonfalon.games.conquest.text.notation import names_of


def tell(sight: Sight, actions: list[int]) -> dict[str, dict[str, object]]:
    return {line.code: line.args for line in remarks_of(sight.view, actions, names_of(sight.land), sight.rules)}


@pytest.mark.parametrize("laid", ["", "K"])
@pytest.mark.parametrize("variant", ["conquest", "conquest-two", "conquest-narrows"])
def test_a_sensible_deployment_gets_no_remark(variant: str, laid: str) -> None:
    sight = deploying(variant, laid)
    arrange, rng = arrange_of(sight.view, sight.land, sight.rules), np.random.default_rng(1)
    near, own = borders_of(sight.rules), own_zones(sight.view, RED)
    strange = [z for side in range(1, g.PLAYERS) for z in own_zones(sight.view, side)]
    safe = any(not near[zone, strange].any() for zone in own[len(laid) :])
    for _ in range(20):
        told = tell(sight, sensible_deployment(sight.view, arrange, sight.rules, rng).tolist())
        assert set(told) <= (set() if safe else {"prize-exposed"})


def test_a_flag_that_others_can_come_to_is_named() -> None:
    """CQ-14: an enemy unit in a bordering zone can come to the Flag."""
    sight = deploying("conquest-two", "")
    near, own = borders_of(sight.rules), own_zones(sight.view, RED)
    strange = own_zones(sight.view, 1)
    names = names_of(sight.land)
    for k, zone in enumerate(own):
        actions = [g.ACT_PLACE] * len(own)
        actions[k] = g.ACT_PLACE + g.FLAG
        told = tell(sight, actions)
        assert ("prize-exposed" in told) == bool(near[zone, strange].any())
        assert told.get("prize-exposed", {"space": names.zones[zone]}) == {"space": names.zones[zone]}


def test_an_empty_city_and_a_crowd_that_cannot_move_are_named() -> None:
    """The city matters by CQ-9, movable units by CQ-16."""
    sight = deploying("conquest-two", "")
    own = own_zones(sight.view, RED)
    cities = [z for z in own if sight.rules[0]["city"][z // g.IN_TERRITORY]]
    told = tell(sight, [g.ACT_PLACE + g.SCOUT * (zone not in cities) for zone in own])
    assert told["city-empty"]["territory"] in {
        names_of(sight.land).territories[zone // g.IN_TERRITORY] for zone in cities
    }
    assert "few-ways" not in told
    assert tell(sight, [g.ACT_PLACE + g.CURSED_LAND for _ in own]) == {"few-ways": {"count": 0}}


def test_a_regroup_is_no_deployment() -> None:
    sight = grouped()
    sight.row["phase"] = g.ORDER
    assert tell(sight, []) == {}
