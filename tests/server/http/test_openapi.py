"""The HTTP routes behave as their OpenAPI document says, for every request."""

from __future__ import annotations

import hypothesis
import pytest
import schemathesis

from gonfalon.server.app import create_app
from gonfalon.server.config import Config
from server.harness import Match, Server

UNDERSTOOD = (
    *(
        "bad-rules",
        "no-agent",
        "bad-clock",
        "bad-record",
        "name-too-long",
        "name-signs",
        "name-of-agent",
        "account-name",
    ),
    *("password-short", "password-common", "password-name", "bad-message"),
)
"""Codes of refusals that no schema can predict: it does not say which rules, records or names are possible."""
SETTINGS = {
    "checks": {
        "positive_data_acceptance": {"expected-statuses": ["2xx", "400", "401", "403", "404", "409"]},
        "negative_data_rejection": {"expected-statuses": ["400", "401", "404", "405", "413", "415"]},
    }
}

app = create_app(
    Config(
        hosts=("testserver",),
        create_rate=1e9,
        create_burst=10**9,
        standings_rate=1e9,
        guest_rate=1e9,
        guest_burst=10**9,
        login_rate=1e9,
        login_burst=10**9,
        lookup_rate=1e9,
        lookup_burst=10**9,
        accounts_an_hour=10**9,
    )
)
schema = schemathesis.openapi.from_dict(app.openapi_schema.to_schema(), config=schemathesis.Config.from_dict(SETTINGS))
schema.app = app


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the application create its data in a temporary folder when it starts."""
    monkeypatch.chdir(tmp_path_factory.getbasetemp())


@schema.parametrize()
@hypothesis.settings(max_examples=30)
@pytest.mark.usefixtures("folder")
def test_answers_are_as_documented(case: schemathesis.Case) -> None:
    answer = case.call_and_validate()
    if case.meta.generation.mode.is_positive and answer.status_code == 400:
        assert answer.json()["line"]["code"] in UNDERSTOOD, "its form was as documented"


@pytest.mark.parametrize(
    "body", ["NewMatch", "SeatWish", "SeatQuery", "SeatKey", "GivenName", "RecordText", "Bank", "NewAccount", "Block"]
)
def test_bodies_are_documented_as_having_no_other_fields(body: str) -> None:
    assert schema.raw_schema["components"]["schemas"][body]["additionalProperties"] is False


def test_a_match_is_as_documented(server: Server, match: Match) -> None:
    """The routes of a match that exists; made-up ids, which find nothing, are tested elsewhere."""
    red = match.sit("red")
    red.send("resign")
    red.until("ended")
    for part in ("", "/replay", "/candidates", "/record"):
        answer = server.get(f"/api/matches/{match.id}{part}")
        assert answer.status_code == 200
        schema[f"/api/matches/{{match}}{part}"]["GET"].validate_response(answer)
    text = {"text": server.get(f"/api/matches/{match.id}/record").text}
    for path, body in (
        ("/api/matches", {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "person"}]}),
        ("/api/standings", {"seats": [{"match": match.id, "secret": match.secrets["red"]}]}),
        ("/api/replays", text),
        ("/api/candidates", text),
    ):
        answer = server.post(path, body)
        assert answer.is_success
        schema[path]["POST"].validate_response(answer)
