"""Decisions of persons and computer players: a draft while the choice is open, a step of the match when it closes."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.engine.game import IllegalActionError, State
from gonfalon.server.match.bounds import MOST
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.drafts import Draft
from gonfalon.server.match.match import Handler, Match
from gonfalon.server.match.state import attempt
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Played, TookBack


async def act(match: Match, client: Client, message: m.Act) -> None:
    """Apply all actions of a message, or none. If its number was applied before, acknowledge it again."""
    seat, match_state = match.require_seat(client), match.state
    draft = match.drafts.get(seat)
    n, actions = (draft.n, draft.actions) if draft else match_state.acts.get(seat, (0, ()))
    if message.n <= n:
        if message.n == n and actions[-len(message.actions) :] != tuple(message.actions):
            raise Declined("stale")
        client.push(encode(m.Stored(message.n, match_state.seq)))
        return
    match.require_running()
    if seat not in match_state.due:
        raise Declined("not-your-turn")
    if message.after not in (None, len(draft.actions) if draft else 0):
        raise Declined("draft-lost")
    try:
        states = attempt(match_state.game, match.drafts.find_state(seat), seat, message.actions)
    except IllegalActionError as error:
        raise Declined.by_game(error.refusal) from error
    if match.timing.is_late(seat, client.arrived):
        raise Declined("out-of-time")
    match.presence.note_act(seat)
    await decide(match, seat, message.n, message.actions, states, match.timing.took(seat, client.arrived))


async def decide(
    match: Match, player: int, n: int, actions: Sequence[int], states: Sequence[State], took: int = 0
) -> None:
    """Keep a legal decision as a draft while its choice is open; else store it and show it to everyone. `took`: see
    `Played`.
    """
    draft = match.drafts.get(player) or Draft()
    whole = draft.extend(n, actions, states)
    if match.state.game.is_open(states[-1], player):
        match.drafts.keep(player, whole)
        match.broadcast.acknowledge(player, n)
        match.broadcast.show_draft(player, len(actions))
        return
    await match.commit(Played(player, whole.actions, n, took), whole.states, len(draft.actions))


async def take_back(match: Match, client: Client, _message: m.TakeBack) -> None:
    seat = match.require_seat(client)
    if not match.drafts.forget(seat):
        raise Declined("nothing-to-take-back")
    match.broadcast.show_draft(seat, 0)


async def go_back(match: Match, client: Client, message: m.Return) -> None:
    """Take back the last decision of the match's only person. If the message's number was applied before, change
    nothing.
    """
    seat, match_state = match.require_player(client), match.state
    if match_state.alone != seat:
        raise Declined("not-alone")
    if match_state.header.rated:
        raise Declined("rated-no-help")
    if message.n <= match_state.moves.cuts:
        return
    number = match_state.returnable
    if number is None:
        raise Declined("nothing-to-return")
    if match_state.moves.cuts >= MOST[TookBack]:
        raise Declined("returned-often", count=MOST[TookBack])
    match.drafts.clear()
    await match.commit(TookBack(seat, number))


async def explain(match: Match, client: Client, message: m.Why) -> None:
    """Explain why a path is no choice. Always raises `Declined`, whose reason is the answer."""
    seat = match.require_seat(client)
    match.require_running()
    game = match.state.game
    raise Declined.by_game(game.explain_path(game.view(match.drafts.find_state(seat), seat), tuple(message.path)))


async def show_hints(match: Match, client: Client, message: m.ShowHints) -> None:
    """Let a window show hints or not."""
    seat = match.require_seat(client)
    client.hints = message.on
    if message.on:
        client.push(encode(m.Hints(match.broadcast.find_hints(seat))))


async def remark(match: Match, client: Client, message: m.AskRemarks) -> None:
    """Send remarks only to the client that asks; nothing changes."""
    seat = match.require_seat(client)
    match.require_running()
    game, state = match.state.game, match.drafts.find_state(seat)
    view = game.view(state, seat)
    if not game.standing(view).arranges:
        raise Declined("bad-message", detail="there is nothing to place")
    try:
        states = attempt(game, state, seat, message.actions)
    except IllegalActionError as error:
        raise Declined.by_game(error.refusal) from error
    if game.is_open(states[-1], seat):
        raise Declined("bad-message", detail="these actions do not place all")
    client.push(encode(m.Remarks(game.remarks(view, message.actions))))


HANDLERS: dict[type[m.Message], Handler] = {
    m.Act: act,
    m.TakeBack: take_back,
    m.Return: go_back,
    m.Why: explain,
    m.AskRemarks: remark,
    m.ShowHints: show_hints,
}
