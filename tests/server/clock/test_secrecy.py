"""Two worlds that differ only in how a player enters a decision: nobody else is sent a byte that tells them apart."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gonfalon
from gonfalon.engine.game import PUBLIC, Game, State
from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader
from server.socketless import Host, Table, run

DECISIONS = 60
SLOW = 900
"""Milliseconds between two actions of a decision."""
Sent = dict[int, list[bytes]]


def decide(game: Game, state: State, player: int, rng: random.Random) -> list[int]:
    """Return a random decision, action by action."""
    actions: list[int] = []
    while not actions or game.is_open(state, player):
        actions.append(int(rng.choice(game.view(state, player).legal.tolist())))
        state = game.apply(state, player, actions[-1])
    return actions


async def play(host: Host, header: Header, game: Game, parts: bool) -> tuple[Sent, int]:
    """Play a match and return what everybody was sent from decisions of others, and the number of decisions that had
    several parts. `parts`: each action is sent by itself, at its own time; else all at the end.
    """
    table, rng, sent, open_ones = Table(host, header, game), random.Random(3), Sent(), 0
    match = table.match.match
    match._draw = lambda: int(game.chance_outcomes(match.state.position)[0][0])  # type: ignore[method-assign]
    await table.sit()
    for _ in range(DECISIONS):
        if match.state.outcome is not None:
            break
        player = rng.choice(match.state.due)
        actions = decide(game, match.state.position, player, rng)
        open_ones += len(actions) > 1
        before = {observer: len(outlet.sent) for observer, outlet in table.outlets.items()}
        for action in actions if parts else ():
            host.clock.wait(SLOW)
            await table.act(player, action)
        if not parts:
            host.clock.wait(SLOW * len(actions))
            await table.act(player, *actions)
        for observer, outlet in table.outlets.items():
            if observer != player:
                sent.setdefault(observer, []).extend(outlet.sent[before[observer] :])
    return sent, open_ones


@pytest.mark.parametrize("variant", ["barrage", "special", "conquest", "cardgame"])
@pytest.mark.parametrize(
    "clock", [Bank(3_000, increment=2), PerTurn(600), Correspondence(1)], ids=lambda c: c.__class__.__name__
)
def test_how_a_decision_is_entered_is_told_to_nobody(tmp_path: Path, variant: str, clock: Control) -> None:
    game = gonfalon.make(variant)
    seats = tuple(SeatHeader(secret=hash_secret(side), maker=True) for side in game.info.sides)
    header = Header("worlds", variant, {}, seats, 0, 120, clock)
    worlds: list[tuple[Sent, int]] = []
    for parts in (True, False):

        async def script(host: Host, parts: bool = parts) -> None:
            worlds.append(await play(host, header, game, parts))

        folder = tmp_path / str(parts)
        folder.mkdir()
        run(script, folder, header)
    (first, open_ones), (second, _) = worlds
    assert open_ones, "some decisions have parts"
    for observer in (*range(game.info.players), PUBLIC):
        assert first[observer] == second[observer]
    assert any(b'"type":"clocks"' in frame for frame in first[PUBLIC])
