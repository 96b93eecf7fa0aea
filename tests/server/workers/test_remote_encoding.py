"""Questions and answers as bytes: they come through unchanged, and bytes of another kind are refused."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE
from gonfalon.engine.rulesets.ruleset import Written
from gonfalon.engine.search import Option
from gonfalon.server.workers.remote.encoding import EncodingError, decode_job, decode_value, encode_job, encode_value
from gonfalon.server.workers.requests import AgentRequest, Job, News
from server.workers.halls import VIEW, request


@pytest.mark.parametrize("variant", gonfalon.variants(unlisted=True))
def test_a_view_and_its_events_come_through_unchanged(variant: str) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(5)
    state, events = game.initial_state(), list[Event]()
    for _ in range(60):
        due = game.to_act(state)
        if not due:
            break
        actions = game.chance_outcomes(state)[0] if due[0] == CHANCE else game.legal_actions(state, due[0])
        action = int(rng.choice(actions))
        state = game.apply(state, due[0], action)
        events += game.events(action, state, 0)
        view = game.view(state, 0)
        news = News(0, 1, tuple(events))
        job = Job("act", AgentRequest("m", variant, {"some": True, "more": 2}, "level-1", view, news))
        found = decode_job(encode_job(job))
        assert found.request.news == job.request.news
        assert found.request.changed["some"] is True
        other = found.request.view
        assert other.record.dtype == view.record.dtype
        assert other.record.dtype.isalignedstruct == view.record.dtype.isalignedstruct
        assert (other.tobytes(), other.observer, other.ruleset) == (view.tobytes(), view.observer, view.ruleset)
        assert game.key(other) == game.key(view)


def test_a_ruleset_of_the_operator_and_placed_faces_come_through() -> None:
    written = AgentRequest("m", Written("small", "{}"), {}, "", VIEW)
    job = decode_job(encode_job(Job("suggest", written, 0.1, {"a1": "flag"})))
    assert (job.verb, job.request.rules, job.seconds, job.given) == ("suggest", written.rules, 0.1, {"a1": "flag"})


def test_bytes_of_another_kind_are_refused() -> None:
    for body in (b"", b"\x80", encode_value([1, 2]), encode_job(Job("act", request()))[:-1]):
        with pytest.raises(EncodingError):
            decode_job(body)
    hostile = encode_job(Job("act", request())).replace(b"<i4", b"|O8")
    with pytest.raises(EncodingError):
        decode_job(hostile)
    for verb, value in (("act", ["a"]), ("consider", [1]), ("answer", [1]), ("suggest", [])):
        with pytest.raises(EncodingError):
            decode_value(verb, encode_value(value))  # type: ignore[arg-type]
    assert decode_value("consider", encode_value([Option((1, 2), 0.5)])) == [Option((1, 2), 0.5)]
