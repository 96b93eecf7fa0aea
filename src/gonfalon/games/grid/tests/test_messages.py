"""The words of the grid family's deployments."""

from __future__ import annotations

from gonfalon import games
from gonfalon.games.grid.play import deployments
from texts import messages


def test_every_deployment_has_its_words() -> None:
    names = {name for variant in games.families()["grid"] for name in deployments.load(games.ruleset(variant))}
    assert {key for key in messages("grid") if key.startswith("deployment.")} == {
        f"deployment.{name}" for name in names
    }
