"""Any valid board of one's own is a game like the shipped ones: the conformance tests hold on random boards."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gonfalon
from conformance import (
    test_agents,
    test_candidates,
    test_endings,
    test_information_state,
    test_interface,
    test_observation,
    test_scenes,
    test_texts,
)
from conformance.cases import Case, game_of, play
from conformance.secrecy import check
from conformance.strange import use
from gonfalon import games, records
from gonfalon.ai import Asker, agents
from gonfalon.ai.agent import play_on
from gonfalon.engine.rulesets.ruleset import RulesetError, Written
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.validation import FILES, MOST_OWN, MOST_SPIES, MOVABLE

MOST_PIECES = 12
"""Maximum number of pieces of a side, so that matches are short."""
TURNS = 60
"""Maximum number of turns."""
DECISIONS = 100
"""Number of decisions of levels, placements included."""
CHECKS = (
    test_agents.test_deployments_of_agents,
    test_agents.test_evaluations,
    test_interface.test_legal_lists,
    test_interface.test_views_carry_the_legal_list,
    test_interface.test_illegal_actions_are_refused_with_a_worded_reason,
    test_interface.test_paths_that_lead_nowhere_are_explained,
    test_texts.test_actions,
    test_texts.test_positions,
    test_scenes.test_choices,
    test_scenes.test_patches,
    test_scenes.test_scenes,
    test_scenes.test_tensors,
    test_scenes.test_board,
    test_information_state.test_events_alone_rebuild_the_scene,
    test_information_state.test_an_open_choice_is_nobody_elses_business,
    test_candidates.test_the_truth_and_what_cannot_be_told_from_it_are_candidates,
    test_observation.test_parts_name_each_action_once,
    test_observation.test_what_is_left_out_is_never_used,
    test_observation.test_turning_is_exact_both_ways,
    test_observation.test_turned_actions_name_turned_cells,
    test_observation.test_keys_do_not_depend_on_numbers_of_pieces,
    test_endings.test_outcomes,
    test_endings.test_resigning_at_any_time,
)
"""Conformance tests of one ruleset."""


@st.composite
def rulesets(draw: st.DrawFn) -> Written:
    """Draw the text of a valid ruleset with any size, army, blocked squares and flags."""
    columns, rows = draw(st.integers(3, 10)), draw(st.integers(3, 10))
    own = draw(st.integers(1, min(rows // 2, MOST_OWN // columns)))
    base = games.ruleset(draw(st.sampled_from(("classic", "special"))))
    middle = [f"{letter}{row}" for row in range(own + 1, rows - own + 1) for letter in FILES[:columns]]
    blocked = draw(st.lists(st.sampled_from(middle), unique=True, max_size=len(middle) // 3)) if middle else []
    pieces = st.lists(st.sampled_from((*MOVABLE, "bomb")), max_size=min(MOST_PIECES, own * columns) - 2)
    army = ["flag", draw(st.sampled_from(MOVABLE)), *draw(pieces)]
    assume(army.count("spy") <= MOST_SPIES)
    values: dict[str, bool | int] = {
        switch.name: draw(st.booleans()) for switch in base.switches if isinstance(switch.default, bool)
    }
    data: dict[str, Any] = {
        **base.data,
        "board": {"columns": columns, "rows": rows, "blocked": blocked},
        "army": {name: army.count(name) for name in TYPES[1:]},
        "deploy_rows": own,
    }
    switches = tuple(
        msgspec.structs.replace(switch, default=values.get(switch.name, TURNS if switch.name == "max_turns" else 3))
        if switch.name != "max_quiet_turns"
        else switch
        for switch in base.switches
    )
    written = msgspec.structs.replace(base, variant="drawn", switches=switches, data=data, own=True).source
    assert isinstance(written, Written)
    try:
        games.ruleset(written)
    except RulesetError as error:  # blocked squares are drawn without a look at the ways between them
        assume("no way leads" not in str(error))
        raise
    return written


slowly = settings(
    deadline=None, max_examples=8, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@slowly
@given(rulesets())
def test_conformance(written: Written) -> None:
    for each in CHECKS:
        each(Case(written))


@slowly
@given(rulesets(), st.integers(0, 2**32))
def test_no_view_leaks(written: Written, seed: int) -> None:
    check(Case(written), 60, np.random.default_rng(seed))


@slowly
@given(rulesets(), st.integers(0, 2**32))
def test_random_matches_end_and_their_texts_can_be_read(written: Written, seed: int) -> None:
    game, rng = game_of(Case(written)), np.random.default_rng(seed)
    end = use(game, game.initial_state(), rng)
    assert game.outcome(end) is not None
    match = list(play(game, rng))
    steps, state = [(step.player, step.action) for step in match], match[-1].after
    record = records.read_record(records.make_record(game, steps).write())
    again = records.make_game(record)
    assert again.info.ruleset == game.info.ruleset
    *_, (*_, last) = records.play_record(again, record)
    assert last.tobytes() == state.tobytes()
    assert gonfalon.make(written).info.ruleset == game.info.ruleset


@slowly
@given(rulesets(), st.integers(0, 2**32), st.sampled_from(("level-1", "level-4", "level-8")))
def test_levels_decide_on_any_board(written: Written, seed: int, level: str) -> None:
    """Belief and search have no table that only fits ten columns. An illegal decision would raise an error."""
    game, rng = game_of(Case(written)), np.random.default_rng(seed)
    asker = Asker(game, {player: agents()[level]() for player in range(2)}, seconds=0.02)
    assert list(islice(play_on(game, asker, rng), DECISIONS))


@slowly
@given(rulesets(), st.integers(0, 2**32))
def test_batches_play_any_board(written: Written, seed: int) -> None:
    game = gonfalon.make(written)
    form = game.form(dtype="uint8", canonical=True, compact=True)
    batch, rng = gonfalon.Batch(game, 8, seed=seed % 2**31, deploy="uniform"), np.random.default_rng(seed)
    planes, ended = form.make_buffer(8), 0
    for _ in range(2 * TURNS):
        batch.observe(planes, form)
        masks = batch.masks(form=form)
        batch.step((masks * (1 - rng.random(masks.shape))).argmax(axis=1), form)
        ended += int(batch.done.sum())
    assert ended
