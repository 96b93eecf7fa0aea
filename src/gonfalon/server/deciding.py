"""Decisions of persons and computer players: a draft while the choice is open, a step of the match when it closes."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.engine.game import IllegalActionError, State
from gonfalon.server import messages as m
from gonfalon.server.authority import Authority, Handler
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined
from gonfalon.server.drafts import Draft
from gonfalon.server.entries import Played, TookBack
from gonfalon.server.frames import encode
from gonfalon.server.sitting import attempt

MOST_TAKEN_BACK = 300
"""Decisions taken back in a match, so that no log grows without an end."""


async def act(match: Authority, connection: Connection, message: m.Act) -> None:
    """All actions of a message or none. One whose number was done before is acknowledged again."""
    seat, sitting = match.require_seat(connection), match.sitting
    draft = match.drafts.get(seat)
    n, actions = (draft.n, draft.actions) if draft else sitting.acts.get(seat, (0, ()))
    if message.n <= n:
        if message.n == n and actions[-len(message.actions) :] != tuple(message.actions):
            raise Declined("stale")
        connection.push(encode(m.Stored(message.n, sitting.seq)))
        return
    match.require_running()
    if seat not in sitting.due:
        raise Declined("not-your-turn")
    try:
        states = attempt(sitting.game, match.drafts.find_state(seat), seat, message.actions)
    except IllegalActionError as error:
        raise Declined.by_game(error.refusal) from error
    await decide(match, seat, message.n, message.actions, states)


async def decide(match: Authority, player: int, n: int, actions: Sequence[int], states: Sequence[State]) -> None:
    """A decision, or a part of one, that the rules have allowed: kept as a draft, or stored and shown."""
    draft = match.drafts.get(player) or Draft()
    whole = draft.extend(n, actions, states)
    if match.sitting.game.is_open(states[-1], player):
        match.drafts.keep(player, whole)
        match.watch.acknowledge(player, n)
        match.watch.show_draft(player, len(actions))
        return
    await match.commit(Played(player, whole.actions, n), whole.states, len(draft.actions))


async def take_back(match: Authority, connection: Connection, _message: m.TakeBack) -> None:
    seat = match.require_seat(connection)
    if not match.drafts.forget(seat):
        raise Declined("nothing-to-take-back")
    match.watch.show_draft(seat, 0)


async def go_back(match: Authority, connection: Connection, message: m.Return) -> None:
    """Takes back the last own decision of the only person. One whose number was done before is done."""
    seat, sitting = match.require_player(connection), match.sitting
    if sitting.alone != seat:
        raise Declined("not-alone")
    if message.n <= sitting.line.cuts:
        return
    number = sitting.returnable
    if number is None:
        raise Declined("nothing-to-return")
    if sitting.line.cuts >= MOST_TAKEN_BACK:
        raise Declined("returned-often", count=MOST_TAKEN_BACK)
    match.drafts.clear()
    await match.commit(TookBack(seat, number))


async def explain(match: Authority, connection: Connection, message: m.Why) -> None:
    """Always raises `Declined`: the reason is the answer."""
    seat = match.require_seat(connection)
    match.require_running()
    game = match.sitting.game
    raise Declined.by_game(game.explain_path(game.view(match.drafts.find_state(seat), seat), tuple(message.path)))


async def remark(match: Authority, connection: Connection, message: m.AskRemarks) -> None:
    """Tells nobody but who asked, and changes nothing."""
    seat = match.require_seat(connection)
    match.require_running()
    game, state = match.sitting.game, match.drafts.find_state(seat)
    view = game.view(state, seat)
    if not game.standing(view).arranges:
        raise Declined("bad-message", detail="there is nothing to place")
    try:
        states = attempt(game, state, seat, message.actions)
    except IllegalActionError as error:
        raise Declined.by_game(error.refusal) from error
    if game.is_open(states[-1], seat):
        raise Declined("bad-message", detail="these actions do not place all")
    connection.push(encode(m.Remarks(game.remarks(view, message.actions))))


HANDLERS: dict[type[m.Message], Handler] = {
    m.Act: act,
    m.TakeBack: take_back,
    m.Return: go_back,
    m.Why: explain,
    m.AskRemarks: remark,
}
