"""Words about a match call the reader "you" and never by the colour of the reader's side."""

from __future__ import annotations

import re

import pytest

from conformance.cases import VARIANTS, Case, game_of, samples
from gonfalon.cli.language.words import Words
from gonfalon.games.words import languages


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_reader_is_never_called_by_a_colour(variant: str) -> None:
    """Events, statuses and headlines, in all languages."""
    game = game_of(Case(variant))
    spoken = [Words(language, game.info.family, game.board()) for language in languages()]
    told: set[tuple[str, str]] = set()
    for match in samples(Case(variant), 61, 1500, lively=0.5):
        for step in match:
            for player, side in enumerate(game.info.sides):
                scene = game.scene(game.view(step.after, player))
                lines = [("event", event) for event in game.events(step.action, step.after, player)]
                lines += [("status", scene.status), *(("headline", line) for line in scene.headlines)]
                for prefix, line in lines:
                    about = (f"{prefix}.{line.code}", side)
                    if side not in _sides_of(line.args) or about in told:
                        continue
                    told.add(about)
                    for words in spoken:
                        text = words.tell(about[0], line.args, side)
                        assert not re.search(rf"\b{words.word('side', side)}\b", text), (about, text)
    assert len({code for code, _ in told}) > 3


def _sides_of(args: dict[str, object]) -> list[object]:
    sides = args.get("sides", ())
    return [args.get("side"), args.get("other"), *(sides if isinstance(sides, list) else ())]
